"""The page: complete, self-contained, safe with any name, and readable with many nodes."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.report import Edge, Finding, render_page

VOID = {"meta"}


class Outline(HTMLParser):
    """Checks that elements nest, and collects what they hold."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.undirected, self.seen, self.ids, self.text = [], [], [], ""
        self.attributes = []
        self.feed(page)
        self.close()
        assert self.undirected == []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.undirected.append(tag)

    def handle_endtag(self, tag):
        assert self.undirected.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_sections_and_content(finding):
    page = Outline(render_page(replace(finding, warnings=("scales differ by a factor of 2,000",))))
    for heading in ("The graph", "The causal order", "The edges", "What each cause does"):
        assert heading in page.text
    assert "SCORE found 3 edges between 4 columns." in page.text
    assert "eta = 0.001, pruner = cam" in page.text
    assert "Scales differ by a factor of 2,000" in page.text
    assert "1.0e-30" in page.text
    assert "Not connected: d." in page.text
    assert "Against the reference" not in page.text
    assert page.text.count("Fitted effect of") == 3


def test_comparison_is_shown_in_words_and_classes(finding, truth):
    text = render_page(replace(finding, truth=truth))
    page = Outline(text)
    for words in ("SHD", "SID", "Precision", "Recall", "D_top"):
        assert words in page.text
    for kind in ("correct", "extra", "reversed", "missing"):
        assert len(re.findall(rf'class="edge {kind}"[^>]*marker-end', text)) == 1
    assert "found the other way round" in page.text
    assert "Not connected" not in page.text


def test_nothing_is_loaded_and_nothing_runs(finding, truth):
    text = render_page(replace(finding, truth=truth))
    page = Outline(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.seen)
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    assert not [name for _, name, _ in page.attributes if name in ("src", "href")]
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in re.sub(r"url\(#arrow-\w+\)", "", text)
    assert "default-src 'none'" in text.replace("&#x27;", "'")


def test_it_can_be_read_without_seeing(finding, truth):
    text = render_page(replace(finding, truth=truth))
    page = Outline(text)
    assert '<html lang="en">' in text
    assert len(page.ids) == len(set(page.ids))
    labelled = [v for _, name, v in page.attributes if name == "aria-labelledby"]
    assert set(" ".join(labelled).split()) <= set(page.ids)
    assert page.seen.count("svg") == text.count('role="img"') + text.count(
        'aria-hidden="true"><path'
    )
    headers = [pair for pair in page.attributes if pair[0] == "th" and pair[1] == "scope"]
    assert len(headers) == page.seen.count("th")
    assert "caption" in page.seen


def test_light_dark_and_paper(finding):
    text = render_page(finding)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


NASTY = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>' & co",
    "</title></svg></style>",
    "x" * 300,
)


def test_names_are_escaped_everywhere(make_finding, truth):
    finding = make_finding(names=NASTY, source="<b>.csv", warnings=("<i>care</i>",), truth=truth)
    text = render_page(finding)
    page = Outline(text)
    assert "script" not in page.seen
    assert "img" not in page.seen
    assert "i" not in page.seen
    assert NASTY[0] in page.text
    assert "Causal graph of <b>.csv" in page.text


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=30), min_size=4, max_size=4, unique=True))
def test_any_names_make_a_page_that_nests(make_finding, names):
    page = Outline(render_page(make_finding(names=tuple(names))))
    plain = Outline(render_page(make_finding()))
    assert page.seen == plain.seen


def many_nodes(d, share, curve):
    rng = np.random.default_rng(0)
    pairs = np.argwhere(np.triu(rng.random((d, d)) < share, k=1)).tolist()
    edges = tuple(Edge(i, j, {"p_value": 1e-5}, 0.1, curve) for i, j in pairs)
    names = tuple(f"gene {k}" for k in range(d))
    return Finding("genes.csv", 500, names, "SCORE", {}, tuple(range(d)), edges)


def test_many_nodes_and_a_limit_that_is_stated(finding):
    finding = many_nodes(60, 0.05, finding.edges[0].curve)
    text = render_page(finding)
    page = Outline(text)
    assert text.count('class="node"') >= 50
    assert len(re.findall('class="edge found"', text)) == len(finding.edges)
    assert (
        f"Shown are the 60 edges with the strongest evidence, of {len(finding.edges)}" in page.text
    )
    assert page.text.count("Fitted effect of") == 60
    assert len(text) < 1_000_000


def test_axes_say_what_is_by_rank(make_finding):
    """The edges are a -> b, b -> c and a -> c."""
    page = render_page(make_finding(by_rank=frozenset({1})))
    labels = re.findall(r"<text[^>]*>((?:change in )?[a-d](?: \(by rank\))?)</text>", page)
    drawn = [pair for pair in pairwise(labels) if pair[1].startswith("change in")]
    assert drawn == [
        ("a", "change in b (by rank)"),
        ("b (by rank)", "change in c"),
        ("a", "change in c"),
    ]
    assert "0 is the median" in page
    assert "by rank" not in render_page(make_finding(by_rank=frozenset({3})))


def test_undirected_edges_have_no_head(make_finding):
    first, second, third = make_finding().edges
    evidence = {"direction": 1.5}
    edges = (
        replace(first, undirected=True, evidence=evidence),
        replace(second, undirected=False),
        third,
    )
    page = render_page(make_finding(edges=edges))
    drawn = re.findall(r"<path[^>]*class=\"edge found\"[^>]*><title>(.*?)</title>", page)
    headed = re.findall(r"<path[^>]*marker-end[^>]*><title>(.*?)</title>", page)
    assert drawn == ["a — b, undirected", "b → c, p = 1.0e-06", "a → c, p = 1.0e-04"]
    assert headed == drawn[1:]
    assert "a causes b or the other way round; b causes c;" in page
    assert "<bdi>a</bdi> — <bdi>b</bdi>" in page
    assert ">1.5, undirected</td>" in page
    assert page.count(", undirected</td>") == 1
    assert "Lines without a head" in page
    assert "Lines without a head" not in render_page(make_finding())


def test_no_edges(make_finding, truth):
    empty = make_finding(edges=())
    assert "No edge was found." in render_page(empty)
    assert "Not connected: d, a, b, c." in Outline(render_page(empty)).text
    assert render_page(replace(empty, truth=truth)).count('class="edge missing"') == 4


def test_names_in_a_line_of_text_are_isolated_and_short(make_finding):
    """A name must neither turn the rest of its line round nor run out of the page."""
    turning, long = "a\u202eb", "x" * 300
    page = render_page(make_finding(names=("a", turning, "c", long)))
    assert f"<h3><bdi>a</bdi> → <bdi>{turning}</bdi></h3>" in page
    (line,) = re.findall("Not connected: .*?</p>", page)
    assert re.fullmatch(r'Not connected: <bdi title="x{300}">x{39}…</bdi>\.</p>', line)


def test_other_statistics_get_a_column_of_their_own(make_finding):
    edges = (Edge(0, 1, {"jacobian_variance": 12.345}),)
    text = render_page(make_finding(edges=edges))
    assert '<th scope="col" class="number">jacobian variance</th>' in text
    assert ">12.3</td>" in text
    assert "smaller the p-value" not in text
    assert "What each cause does" not in text


@pytest.mark.parametrize("count", [1, 2])
def test_singular_and_plural(make_finding, count):
    edges = make_finding().edges[:count]
    page = render_page(make_finding(edges=edges))
    assert f"found {count} edge{'s' * (count > 1)} between" in page
    assert f"{count} edge{'s' * (count > 1)}: a causes b" in page
