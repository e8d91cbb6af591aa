import html
import re

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph

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
