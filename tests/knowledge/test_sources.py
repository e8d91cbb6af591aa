"""Rules from graphs and matrices."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

from scoredag import Knowledge, KnowledgeError

ROW_TO_COLUMN = "from row to column"


def test_a_graph():
    graph = nx.DiGraph([("a", "b"), (np.int64(3), 1.5)])
    graph.add_node("alone")
    assert Knowledge.from_graph(graph) == Knowledge(required=[("a", "b"), (3, "1.5")])
    forbidden = Knowledge.from_graph(graph, edges="forbidden")
    assert forbidden == Knowledge(forbidden=[("a", "b"), (3, "1.5")])
    with pytest.raises(KnowledgeError, match="edges must be 'required' or 'forbidden'"):
        Knowledge.from_graph(graph, edges="roots")
    for other in (nx.Graph(graph), nx.MultiDiGraph(graph), [("a", "b")], None):
        with pytest.raises(KnowledgeError, match=r"graph must be a networkx\.DiGraph"):
            Knowledge.from_graph(other)


def test_a_matrix():
    matrix = [[0, 1, -1], [0, 0, np.nan], [-1, 1, 0]]
    expected = Knowledge(required=[("a", "b"), ("c", "b")], forbidden=[("b", "a")])
    frame = pd.DataFrame(matrix, index=list("abc"), columns=list("abc"))
    before = frame.copy()
    assert Knowledge.from_matrix(matrix, edge_direction=ROW_TO_COLUMN, names=["a", "b", "c"]) == (
        expected
    )
    assert Knowledge.from_matrix(frame, edge_direction=ROW_TO_COLUMN) == expected
    assert Knowledge.from_matrix(frame.T, edge_direction="from column to row") == expected
    polars = pl.DataFrame(matrix, schema=list("abc"), orient="row")
    assert Knowledge.from_matrix(polars, edge_direction=ROW_TO_COLUMN) == expected
    by_position = Knowledge.from_matrix(np.array(matrix), edge_direction=ROW_TO_COLUMN)
    assert by_position == Knowledge(required=[(0, 1), (2, 1)], forbidden=[(1, 0)])
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[0, 1], [0, 0]], {"edge_direction": "rows"}, "edge_direction must be"),
        ([[0, 1]], {}, "got shape"),
        ([[0, 0.5], [0, 0]], {}, r"got 0.5 at \[0, 1\]"),
        ([[0, np.inf], [0, 0]], {}, r"got inf at \[0, 1\]"),
        ([["a", "b"], ["c", "d"]], {}, "got text"),
        (nx.DiGraph(), {}, "got a DiGraph"),
        (np.ma.array(np.eye(2), mask=np.eye(2)), {}, "masked"),
        ([[0, 1], [0, 0]], {"names": ["a"]}, "one entry a row, 2; got 1"),
        ([[0, 1], [0, 0]], {"names": "ab"}, "names must be a list"),
        (pd.DataFrame(np.eye(2), list("ab"), list("ba")), {}, "the same order"),
    ],
)
def test_what_is_no_matrix_of_rules(matrix, options, message):
    with pytest.raises(KnowledgeError, match=message):
        Knowledge.from_matrix(matrix, **{"edge_direction": ROW_TO_COLUMN, **options})


def test_a_required_diagonal_is_refused_with_the_rest():
    knowledge = Knowledge.from_matrix([[1, -1], [-1, 0]], edge_direction=ROW_TO_COLUMN)
    with pytest.raises(KnowledgeError, match="'a' its own cause"):
        knowledge.resolve("ab")
