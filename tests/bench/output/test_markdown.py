"""The Markdown, whole for a small case, and safe for any name."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.bench.output import Document, make_tables, render_markdown
from scoredag.bench.output.document import provenance
from scoredag.bench.output.markdown import escaped

BLOCK = {
    "title": "d = {d}",
    "split": ["d"],
    "columns": ["graph"],
    "metrics": ["shd", "d_top"],
    "rows": ["SCORE", "CAM", "PC", "GraN-DAG"],
    "reference": "score_2022",
}

GOLDEN = """\
| method | ER1 SHD | ER1 D_top |
| :-- | --: | --: |
| SCORE | **1.5 ± 0.5** ✓<br><sub>paper **1.1 ± 0.9**</sub> | 5.0 ± 0.0 ✗<br><sub>paper **0.4 ± 0.6**</sub> |
| CAM | 2.0 ± 1.0 ✓<br><sub>paper 1.7 ± 1.0</sub> | **0.0 ± 0.0** ✓<br><sub>paper **0.4 ± 0.5**</sub> |
| PC<sup>CPDAG</sup> | 4 (1/2)<sup>1</sup><br><sub>best 3.0</sub> | –<sup>1</sup> |
| GraN-DAG | not run<sup>2</sup><br><sub>paper 1.5 ± 1.4</sub> | not run<sup>2</sup> |

<sup>1</sup> timeout: stopped after 600 s<br>
<sup>2</sup> not run: torch is not installed
"""  # noqa: E501


def rendered(rows, block=BLOCK, **more):
    made = provenance(rows, "scoredag bench small")
    return render_markdown(Document("Small", make_tables(rows, [block]), made, **more))


def small(make_run):
    return [
        *(make_run("SCORE", seed, shd=1 + seed, d_top=5) for seed in range(2)),
        *(make_run("CAM", seed, shd=1 + 2 * seed, d_top=0) for seed in range(2)),
        make_run("PC", 0, shd=4.0, shd_best=3, kind="cpdag"),
        make_run("PC", 1, status="timeout", reason="stopped after 600 s"),
        *(
            make_run("GraN-DAG", seed, status="skipped", reason="torch is not installed")
            for seed in range(2)
        ),
    ]


def test_a_small_table_is_as_it_was_approved(make_run):
    text = rendered(small(make_run))
    table = text[text.index("| method | ER1") : text.index("\n## How this was made")]
    assert table == GOLDEN


def test_the_summary_is_on_top_and_the_provenance_at_the_end(make_run):
    text = rendered(small(make_run))
    assert text.startswith("# Small\n\nReproduced, of the cells that have a published number:")
    assert "| synthetic | SCORE | 1 of 1 | 0 of 1 |" in text
    assert "| synthetic | GraN-DAG | 1 without a result |  |" in text
    assert text.endswith("- Command: scoredag bench small\n- Runs: 5 done, 2 skipped, 1 timeout\n")


def test_how_classes_of_graphs_are_scored_is_said_once(make_run):
    assert rendered(small(make_run)).count("CPDAG, scored against the true DAG") == 1
    assert "CPDAG" not in rendered([make_run("SCORE", shd=1, kind="dag")])


def test_names_cannot_break_out_of_their_cell(make_run):
    name = "a|b <script>alert(1)</script>\n| *x* [y](http://z)"
    row = make_run(name, shd=1)
    reason = make_run(name, 1, status="error", reason="<img src=x> | `boom`")
    block = {key: value for key, value in BLOCK.items() if key != "rows"}
    text = rendered([row, reason], block)
    line = next(line for line in text.splitlines() if line.startswith("| a"))
    assert len(re.findall(r"(?<!\\)\|", line)) == 4
    assert "<script" not in text
    assert "<img" not in text
    assert not re.search(r"(?<!\\)\]\(", text)


@given(st.text())
def test_escaped_text_is_one_line_without_markup(text):
    line = escaped(text)
    assert "\n" not in line
    assert "<" not in line
    assert not re.search(r"(?<!\\)(\\\\)*[|*`\[\]]", line.replace("\\\\", ""))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z"))))
def test_escaped_text_in_a_table_reads_as_it_was(text):
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table"])
    page = reader.render(f"| a | b |\n| - | - |\n| {escaped(text)} | z |\n")
    assert [unescape(cell) for cell in re.findall("<td>(.*?)</td>", page)] == [text, "z"]


def test_the_description_is_below_the_title(make_run):
    text = rendered([make_run("SCORE", shd=1)], description="What <it> is")
    assert text.startswith("# Small\n\nWhat &lt;it&gt; is\n\n")
