import csv
import io

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import format_graph, read_graph, to_networkx


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
        ("", "it is empty"),
        ("from,to\na,b\n", "without the columns cause and effect .* got 'b' in line 2"),
        ("cause,effect\na,b\na\n", r"line 3 must have 2 cells; got \['a'\]"),
        ("cause,effect\na,b\na,b\n", "the edge 'a' -> 'b' must be listed once"),
        ('cause,effect\n"a,b\n', "line 2 is not valid CSV"),
        ("cause,effect,cause\na,b,c\n", "each column once; got 'cause' twice"),
        ("cause,effect\na,\n", "line 2 has no effect: name both ends"),
        ("cause,effect\n ,a\n", "line 2 has no cause: name both ends"),
    ],
)
def test_errors(text, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(text, tmp_path)


MATRIX = "a,b,c\n0,1,0\n0,0,-0.5\n0,0,0\n"


@pytest.mark.parametrize(
    "text",
    [
        MATRIX,
        MATRIX.replace(",", ";"),
        MATRIX.replace(",", "\t"),
        pd.DataFrame([[0, 1, 0], [0, 0, -0.5], [0, 0, 0]], columns=list("abc")).to_csv(),
        ",a,b,c\na,0,1,0\nb,0,0,1\nc,0,0,0\n",
        ",a,b,c\nc,0,0,0\nb,0,0,1\na,0,1,0\n",
        "node,a,b,c\na, 0,1,0\n\nb,0,0,1\nc,0,0,0\n",
        '"a","b","c"\n0,1,0\n0,0,1e-300\n0,0,0\n',
    ],
)
def test_matrices(text, tmp_path):
    """A row is a cause, a column an effect."""
    graph = read(text, tmp_path)
    assert list(graph) == ["a", "b", "c"]
    assert list(graph.edges) == [("a", "b"), ("b", "c")]


def test_a_matrix_of_numbered_nodes(tmp_path):
    assert list(read("0,1\n0,1\n0,0\n", tmp_path).edges) == [("0", "1")]
    assert list(read(",0,1\n0,0,1\n1,0,0\n", tmp_path).edges) == [("0", "1")]


def test_a_matrix_over_nodes_called_cause_and_effect(tmp_path):
    text = ",cause,effect\ncause,0,1\neffect,0,0\n"
    assert list(read(text, tmp_path).edges) == [("cause", "effect")]
    assert list(read("cause,effect\neffect,cause\n", tmp_path).edges) == [("effect", "cause")]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators(mark, tmp_path):
    text = "cause,effect,p_value\na,b,0.5\n".replace(",", mark)
    assert dict(read(text, tmp_path).edges) == {("a", "b"): {"p_value": 0.5}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1,0\n0,0,1\n0,0,0\n", "the names of its nodes in the first line; got '0', '1' and '0'"),
        ("0,1\n1,0\n", "the names of its nodes in the first line; got '0' and '1'"),
        ("a,b\n", "a square matrix .* got 0 lines below 'a' and 'b'"),
        ("a,b\n0,x\n0,0\n", "a matrix of finite numbers; got 'x' in line 2"),
        ("a,b\n0,\n0,0\n", "a matrix of finite numbers; got '' in line 2"),
        ("a,b\n0,nan\n0,0\n", "a matrix of finite numbers; got 'nan' in line 2"),
        ("a,b\n0,inf\n0,0\n", "a matrix of finite numbers; got 'inf' in line 2"),
        ("a,b\n0,1,1\n0,0\n", "line 2 must have 2 cells"),
        ("a,a\n0,1\n0,0\n", "names must be distinct as text; 'a'"),
        (",a,b\na,0,1\nc,0,0\n", "rows of a matrix must be the nodes of its columns; got the rows"),
        (",a,b\na,0,1\na,0,0\n", "rows of a matrix must be the nodes of its columns"),
        # Numbered from 0, as pandas does without names: by position, or by name?
        (",1,0\n0,0,1\n1,0,0\n", "rows of a matrix must be the nodes of its columns"),
        ("a,b\n" + "0" * 200_000 + ",1\n0,0\n", "line 2 is not valid CSV: field larger"),
    ],
)
def test_no_matrices(text, message, tmp_path):
    with pytest.raises(GraphError, match=message):
        read(text, tmp_path)


def test_columns_stand_in_the_order_of_the_attributes():
    """Whichever edge has which, and those that no edge has too."""
    A = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    nan = np.full((3, 3), np.nan)
    second = nan.copy()
    second[0, 2] = 7.0
    tables = {
        "evidence": np.ones((3, 3)),
        "direction": second,
        "linear": nan,
        "edf": np.ones((3, 3)),
    }
    graph = to_networkx(A, [0, 1, 2], tables)
    assert format_graph(graph, "csv").splitlines() == [
        "cause,effect,evidence,direction,linear,edf",
        "0,1,1.0,,,1.0",
        "0,2,1.0,7.0,,1.0",
    ]
    graph.edges[0, 1].clear()
    graph.edges[0, 1].update(edf=1.0, evidence=1.0)
    for name in ("dot", "gml", "json"):
        text = format_graph(graph, name)
        assert text.index("evidence") < text.index("edf")
