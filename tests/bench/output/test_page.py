"""The page: whole, self-contained, and safe for any name."""

import re
from html.parser import HTMLParser

from scoredag.bench.output import Document, make_tables, render_page
from scoredag.bench.output.document import Picture, provenance
from scoredag.report.html import embedded_svg

BLOCK = {
    "title": "d = {d}",
    "split": ["d"],
    "columns": ["graph"],
    "metrics": ["shd", "sid"],
    "reference": "score_2022",
}
VOID = {"meta", "br"}


class Balance(HTMLParser):
    """Reads a page and remembers what is open."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.ids = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.ids += [value for key, value in attrs if key == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page(rows, **more):
    made = provenance(rows, "scoredag bench <small>")
    return render_page(Document("A & B", make_tables(rows, [BLOCK]), made, **more))


def parsed(text):
    reader = Balance()
    reader.feed(text)
    reader.close()
    return reader


def test_the_page_is_well_formed_and_loads_nothing(many_rows):
    text = page(many_rows)
    reader = parsed(text)
    assert reader.open == []
    assert not reader.names & {"script", "link", "img", "iframe"}
    assert "default-src &#x27;none&#x27;" in text
    assert "A &amp; B" in text
    assert "scoredag bench &lt;small&gt;" in text


def test_a_cell_has_ours_the_mark_and_the_papers(make_run):
    text = page([make_run("SCORE", shd=1), make_run("CAM", shd=5)])
    assert (
        '<td class="number start"><strong>1</strong>'
        '<span class="mark yes" title="reproduced">✓</span>'
        "<small>paper <strong>1.1 ± 0.9</strong></small></td>"
    ) in text
    assert '5<span class="mark no" title="not reproduced">✗</span>' in text


def test_names_and_reasons_are_escaped(make_run):
    rows = [
        make_run("<script>x</script>|", shd=1),
        make_run("b", status="error", reason="<img src=x onerror=y>"),
    ]
    text = page(rows)
    assert not parsed(text).names & {"script", "img"}
    assert "&lt;script&gt;x&lt;/script&gt;|" in text
    assert "error: &lt;img" in text


def test_plots_are_part_of_the_page_with_ids_of_their_own(make_run):
    svg = (
        '<?xml version="1.0"?><svg><defs><style type="text/css">*{a: b}</style></defs>'
        '<path id="m" style="fill: #1d2129"/><use xlink:href="#m"/><g clip-path="url(#m)"/></svg>'
    )
    text = page([make_run("SCORE", shd=1)], pictures=[Picture("a.svg", "A <plot>", svg)] * 2)
    ids = [name for name in parsed(text).ids if name.startswith("plot")]
    assert sorted(ids) == ["plot1-m", "plot2-m", "plots"]
    assert set(re.findall(r"#(plot\d-m)", text)) == {"plot1-m", "plot2-m"}
    assert "*{a: b}" not in text
    assert "var(--ink)" in text
    assert 'aria-label="A &lt;plot&gt;"' in text


def test_a_label_cannot_leave_its_attribute():
    assert 'aria-label="&quot;&gt;&lt;b&gt;"' in embedded_svg("<svg></svg>", "p", '"><b>')


def test_the_description_is_below_the_title(make_run):
    text = page([make_run("SCORE", shd=1)], description="What <it> is")
    assert '</h1><p class="lead">What &lt;it&gt; is</p>' in text


def test_no_runs_at_all_still_make_a_page():
    text = render_page(Document("Empty", [], provenance([], None)))
    assert parsed(text).open == []
