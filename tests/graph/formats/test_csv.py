import csv
import io

import networkx as nx
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph


def read(text, tmp_path):
    path = tmp_path / "graph.csv"
    path.write_bytes(text.encode())
    return read_graph(path)


def test_what_a_table_reader_sees():
    graph = nx.DiGraph()
    graph.add_edge("a", "b", p_value=0.25)
    graph.add_edge("b", "c,d", edf=2.0)
    rows = list(csv.DictReader(io.StringIO(format_graph(graph, "csv"), newline="")))
    assert rows == [
        {"cause": "a", "effect": "b", "p_value": "0.25", "edf": ""},
        {"cause": "b", "effect": "c,d", "p_value": "", "edf": "2.0"},
    ]


def test_foreign_tables(tmp_path):
    """Byte order mark, index column, other column order, blank lines, text columns."""
    text = "\ufeff,effect,cause ,note,p value\n0,b,a,weak,0.5\n\n1,c,b,,inf\n"
    graph = read(text, tmp_path)
    assert dict(graph.edges) == {("a", "b"): {"p value": 0.5}, ("b", "c"): {}}


def test_spaces_around_names(tmp_path):
    """Dropped where people write them after a comma, kept where a quoted file has them."""
    assert list(read("cause,effect\na, b\nb\t,c\n", tmp_path).edges) == [("a", "b"), ("b", "c")]
    assert list(read('"cause","effect"\n"a"," b"\n', tmp_path).edges) == [("a", " b")]


def test_only_names_with_spaces_around_them_are_quoted():
    assert format_graph(nx.DiGraph([("a", "b c")]), "csv") == "cause,effect\r\na,b c\r\n"
    assert format_graph(nx.DiGraph([("a", "b ")]), "csv").startswith('"cause","effect"')


def test_no_edges(tmp_path):
    assert len(read("cause,effect\n", tmp_path)) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must have the columns cause and effect; got"),
        ("from,to\na,b\n", r"must have the columns cause and effect; got \['from', 'to'\]"),
        ("cause,effect\na,b\na\n", r"line 3 must have 2 cells; got \['a'\]"),
        ("cause,effect\na,b\na,b\n", "the edge 'a' -> 'b' must be listed once"),
        ('cause,effect\n"a,b\n', "line 2 is not valid CSV"),
    ],
)
def test_errors(text, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(text, tmp_path)
