import html
import re

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph

QUOTED = r'"((?:[^"\\]|\\.)*)"'
NODE = re.compile(rf"  {QUOTED} \[label={QUOTED}\];\n", re.DOTALL)


def shown(label):
    """What Graphviz draws: its lexer resolves \\", the label \\\\, \\n and entities."""
    lexed = re.sub(r'\\(["\\])', lambda match: {'"': '"', "\\": "\\\\"}[match[1]], label)
    lines = re.sub(r"\\([n\\])", lambda match: {"n": "\n", "\\": "\\"}[match[1]], lexed)
    return html.unescape(lines)


def test_worked_example():
    graph = nx.DiGraph()
    graph.add_edge('a"b', "back\\", p_value=1e-20, edf=2.0)
    graph.add_node("two\nlines &amp;")
    assert format_graph(graph, "dot") == (
        "digraph {\n"
        '  "a\\"b" [label="a\\"b"];\n'
        '  "back\\\\" [label="back\\\\"];\n'
        '  "two\nlines &amp;" [label="two\\nlines &amp;amp;"];\n'
        '  "a\\"b" -> "back\\\\" [p_value="1e-20", edf="2.0"];\n'
        "}\n"
    )


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), unique=True))
def test_every_name_stays_one_quoted_string_and_shows_as_it_is(names):
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    text = format_graph(graph, "dot")
    statements = NODE.findall(text)
    assert text == "digraph {\n" + "".join(match[0] for match in NODE.finditer(text)) + "}\n"
    assert len({name for name, _ in statements}) == len(names)
    # html.unescape knows entities, not the few control characters that HTML forbids
    assert [shown(label) for _, label in statements] == names


def test_nul_is_refused():
    with pytest.raises(GraphError, match="DOT cannot hold the NUL character"):
        format_graph(nx.DiGraph([("a\0", "b")]), "dot")


def read(text, tmp_path):
    path = tmp_path / "graph.dot"
    path.write_bytes(text.encode())
    return read_graph(path)


@pytest.mark.parametrize(
    "text",
    [
        "digraph{a->b->c}",
        "strict digraph G { a -> b; b -> c; a -> b }",
        'DiGraph "a name" {\n  a; b; c\n  a -> b [color=red, label=<<b>x</b>>]\n  b -> c\n}\n',
        "# a comment\ndigraph { // another\n a /* and\nanother */ -> b\n#more\nb -> c }",
        "digraph { rankdir=LR; node [shape=box]; edge [color=blue]; graph [x=y] a -> b b -> c }",
        "digraph { {a} -> {b} -> subgraph cluster_1 { c } }",
        "digraph { a; b; c; { rank = same; b; c } a:port:n -> b:s; b -> c [x=y][dir=forward] }",
        'digraph { a [label="not b"]; "a" -> "b" -> "c"; }',
        'digraph { "a" + "" -> b; b -> c [label="a" + "b"]; }',
        "\ufeffdigraph { a -> b; b -> c; }",
    ],
)
def test_what_people_write(text, tmp_path):
    graph = read(text, tmp_path)
    assert list(graph) == ["a", "b", "c"]
    assert list(graph.edges) == [("a", "b"), ("b", "c")]


def test_groups_are_joined_each_with_each(tmp_path):
    graph = read("digraph { {a b} -> {c; d -> e} }", tmp_path)
    assert sorted(graph.edges) == sorted([("d", "e"), *((i, j) for i in "ab" for j in "cde")])


def test_names(tmp_path):
    text = r"""digraph { 1 -> -.5 -> 2.50 -> "1.0" -> _x1 -> é -> "a\b\\c\"d" -> "joined\
lines" -> "node" }"""
    names = ["1", "-.5", "2.50", "1.0", "_x1", "é", 'a\\b\\c"d', "joinedlines", "node"]
    assert list(read(text, tmp_path)) == names


def test_numbers_among_the_attributes(tmp_path):
    graph = read('digraph { a -> b [p_value="1e-20" edf=2; label=3, color=red, x=inf] }', tmp_path)
    assert graph.edges["a", "b"] == {"p_value": 1e-20, "edf": 2.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph { a -- b }", "the DOT graph is undirected"),
        ("strict graph { a }", "the DOT graph is undirected"),
        ("digraph {\n a -- b }", "line 2: -- does not say which end is the cause"),
        ("digraph { a -> b [dir=back] }", "'a' -> 'b' has dir=back, so that its arrow"),
        ("digraph { a -> b [dir=none] }", "'a' -> 'b' has dir=none"),
        ("digraph { a -> b [arrowhead=none] }", "'a' -> 'b' has arrowhead=none"),
        ("digraph { a, b -> c }", "a comma may join nodes or part edges"),
        ("digraph { a -> b, c -> d }", "a comma may join nodes or part edges"),
        ("digraph { edge [dir=both] a -> b }", "edge has dir=both"),
        ("digraph { a -> b [style=invis] }", "'a' -> 'b' has style=invis: remove edges"),
        ('digraph { a -> b [style="dashed,invis"] }', "has style=invis"),
        ("digraph { <b> -> c }", "line 1: a name must not be HTML; got '<b>'"),
        ("digraph { a -> node }", "node is a word of DOT; write it in quotes"),
        ("digraph { a -> b; a -> b }", "the edge 'a' -> 'b' must be listed once, not twice"),
        ("digraph { a -> }", "expected the name of a node, or }, got '}'"),
        ("digraph { a ->", "expected the name of a node, or }, got the end of the file"),
        ("digraph { a", "line 1: not a DOT graph: expected }, got the end of the file"),
        ("digraph { a [x=", "expected a value, got the end of the file"),
        ("digraph { a [x", "expected ], got the end of the file"),
        ("digraph { a } digraph { b }", "expected the end of the file, got 'digraph'"),
        ("digraph a -> b", "expected {, got '->'"),
        ("nonsense", "expected digraph, got 'nonsense'"),
        ('digraph { "a', "line 1: the quote before 'a' is not closed"),
        ("digraph { /* a }", "line 1: the comment is not closed"),
        ("digraph { <a b }", "line 1: '<a b }' is not DOT; write names in quotes"),
        ("digraph { node-1 -> b }", "-1 -> b }' is not DOT; write names in quotes"),
        ("digraph { x-1 -> b }", "line 1: '-1 -> b }' is not DOT; write names in quotes"),
        ("digraph { x.5 -> b }", "line 1: '.5 -> b }' is not DOT; write names in quotes"),
        ("digraph { node -> b }", r"expected \[ after node, got '->'"),
        ("digraph { 1a -> b }", "line 1: '1a -> b }' is not DOT; write names in quotes"),
        ("digraph { a.b -> c }", "line 1: '.b -> c }' is not DOT; write names in quotes"),
        ("digraph { subgraph x -> b }", "expected {, got '->'"),
        ("digraph { = }", "expected the name of a node, or }, got '='"),
        ("digraph { a = }", "expected a value, got '}'"),
        ("digraph { a [=] }", "expected an attribute, or ], got '='"),
        ("digraph " + "{" * 5000, "nested too deeply to be a graph"),
        ("digraph { a ] }", "expected the name of a node, or }, got ']'"),
    ],
)
def test_errors(text, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(text, tmp_path)
