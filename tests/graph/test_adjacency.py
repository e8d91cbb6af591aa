import json
import os
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from scoredag import VarSort
from scoredag.exceptions import GraphError
from scoredag.graph import as_adjacency, common_adjacency, to_networkx, write_graph
from scoredag.simulate import random_dag

CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
NAMES = list("abc")
PAIRS = [("a", "b"), ("b", "c")]
TABLE = {"cause": ["a", "b"], "effect": ["b", "c"], "evidence": [3.0, None]}


class Unruly:
    """Raises what nobody expects."""

    def __array__(self, *_, **__):
        raise KeyError("evil")

    def __iter__(self):
        yield 1
        raise KeyError("evil")


def named(graph):
    """The edges by name."""
    found = as_adjacency(graph)
    return {(found.names[i], found.names[j]) for i, j in np.argwhere(found.matrix)}


class TestKinds:
    @pytest.mark.parametrize(
        "matrix",
        [
            CHAIN,
            CHAIN.tolist(),
            CHAIN * 0.3,
            CHAIN.astype(bool),
            sparse.csr_matrix(CHAIN),
            sparse.coo_array(CHAIN),
            pd.DataFrame(CHAIN),
            (row for row in CHAIN.tolist()),
            memoryview(CHAIN.astype(float)),
        ],
    )
    def test_matrices_without_names(self, matrix):
        found = as_adjacency(matrix)
        assert found.names is None
        assert found.over_columns
        assert (found.matrix == CHAIN).all()

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame(CHAIN, columns=NAMES),
            pd.DataFrame(CHAIN, columns=NAMES, index=NAMES),
            pd.DataFrame(CHAIN, index=NAMES),
            pl.DataFrame(CHAIN, schema=NAMES),
            pyarrow.table(dict(zip(NAMES, CHAIN.T, strict=True))),
            to_networkx(CHAIN, NAMES),
            SimpleNamespace(graph_=to_networkx(CHAIN, NAMES)),
        ],
    )
    def test_graphs_over_the_columns_of_data(self, frame):
        found = as_adjacency(frame)
        assert found.names == ("a", "b", "c")
        assert found.over_columns
        assert (found.matrix == CHAIN).all()

    @pytest.mark.parametrize(
        "edges",
        [
            PAIRS,
            tuple(PAIRS),
            set(PAIRS),
            (pair for pair in PAIRS),
            [list(pair) for pair in PAIRS],
            np.array(PAIRS),
            np.array(PAIRS, dtype=object),
            nx.DiGraph(PAIRS),
            nx.DiGraph(PAIRS).edges,
            pd.DataFrame(TABLE),
            pl.DataFrame(TABLE),
            pyarrow.table(TABLE),
        ],
    )
    def test_edge_lists(self, edges):
        found = as_adjacency(edges)
        assert not found.over_columns
        assert found.names == ("a", "b", "c")
        assert (found.matrix == CHAIN).all()

    def test_a_fitted_estimator(self):
        X = np.random.default_rng(0).normal(size=(50, 3))
        assert as_adjacency(VarSort().fit(X)).names == ("x0", "x1", "x2")

    def test_an_edge_table_of_numbers(self):
        assert named(pd.DataFrame({"cause": [10], "effect": [7]})) == {("10", "7")}

    def test_nodes_called_cause_and_effect(self):
        names = ["cause", "effect"]
        frame = pd.DataFrame([[0, 1], [0, 0]], index=names, columns=names)
        assert named(frame) == {("cause", "effect")}

    def test_columns_whose_names_mean_something_else(self):
        """pandas has them as attributes: graph_, toarray and the like are just names here."""
        words = ["graph_", "toarray", "collect", "column_names", "is_directed", "fit", "columns"]
        frame = pd.DataFrame(np.eye(7, k=1), columns=words)
        found = as_adjacency(frame)
        assert found.names == tuple(words)
        assert found.over_columns
        assert (found.matrix == np.eye(7, k=1)).all()
        assert named(pd.DataFrame({"cause": ["a"], "effect": ["b"], "graph_": [1]})) == {("a", "b")}

    def test_what_was_read_once(self):
        found = as_adjacency(PAIRS)
        assert as_adjacency(found) is found

    def test_no_edges(self):
        assert as_adjacency([]).names == ()
        assert as_adjacency(pd.DataFrame({"cause": [], "effect": []})).names == ()

    @pytest.mark.parametrize("suffix", ["csv", "dot", "gml", "json"])
    @pytest.mark.parametrize("kind", [str, os.fspath, lambda path: path])
    def test_files(self, tmp_path, suffix, kind):
        path = tmp_path / f"graph.{suffix}"
        write_graph(nx.DiGraph(PAIRS), path)
        assert named(kind(path)) == set(PAIRS)

    def test_a_document_of_discover_has_all_columns(self, tmp_path):
        path = tmp_path / "found.json"
        edges = [{"cause": "c", "effect": "a", "open": True}]
        path.write_text(json.dumps({"columns": ["b", "a", "c"], "edges": edges}))
        found = as_adjacency(path)
        assert (found.names, found.over_columns) == (("b", "a", "c"), True)
        assert named(path) == {("c", "a")}


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (None, "true must be a graph: a square matrix .*; got NoneType"),
        (7, "true must be a graph.*; got int"),
        ({"a": ["b"]}, r"got dict: networkx\.DiGraph\(true\) reads a dict of lists"),
        (b"graph.csv", "true must be a graph.*; got bytes"),
        (VarSort(), "got VarSort, which is not fitted: call fit first"),
        (VarSort, "got "),
        ("a -> b", "true is taken for the path of a graph file: path must end in one of"),
        ("absent.csv", r"true is the path 'absent\.csv': No such file"),
        ("", "true is taken for the path of a graph file: path must end in"),
        (nx.Graph(PAIRS), "true must be a networkx.DiGraph.*; got an undirected Graph"),
        (nx.MultiDiGraph(PAIRS), r"got a MultiDiGraph: networkx\.DiGraph\(true\) keeps"),
        (nx.DiGraph([("a", "a")]), "true: graph must have no edge from a node to itself; 'a'"),
        (nx.DiGraph([(1, "1")]), "true: the graph's nodes must be distinct as text; '1'"),
        ([("a", "b", "c")], r"pairs \(cause, effect\), both text; got \('a', 'b', 'c'\)"),
        ([("a", 1)], r"pairs \(cause, effect\), both text; got \('a', 1\)"),
        (["ab", "cd"], r"pairs \(cause, effect\), both text; got 'ab'"),
        ([("a", "b"), "c"], "both text; got 'c'"),
        ([(0, 1), (1, 2), (0, 2)], r"true must be a square matrix; got shape \(3, 2\)"),
        ([("a", "a")], "no edge from a node to itself; 'a'"),
        (pd.DataFrame({"cause": ["a", None], "effect": ["b", "c"]}), "row 1 lacks one"),
        (
            pd.DataFrame([["a", "b", "c"]], columns=["cause", "effect", "effect"]),
            "one column cause and one column effect",
        ),
        (pd.Series([1, 2]), r"true must be a square matrix; got shape \(2,\)"),
        (np.array([[0, 1j], [0, 0]]), "true must be a square matrix of numbers; got complex"),
        (np.zeros((2, 2), dtype="M8[s]"), "true must be a square matrix of numbers; got dates"),
        (np.zeros((2, 2), dtype="S1"), "got bytes"),
        (np.zeros((2, 2), dtype=[("a", int)]), "got records"),
        ([[0, None], [0, 0]], "true must be finite; got nan"),
        ([[0, [1]], [0, 0]], "true must be a square matrix of numbers"),
        ([[0, 10**400], [0, 0]], "true must be a square matrix of numbers"),
        (pd.DataFrame(CHAIN, columns=["a", "b", "a"]), "names of true must be distinct as text"),
        (pd.DataFrame(CHAIN, columns=NAMES, index=["a", "c", "b"]), "rows and columns in the same"),
        (np.zeros((2, 2, 2)), r"got shape \(2, 2, 2\)"),
        (3 + 0j, "got complex"),
        ({(0, 1), (1, 2)}, "true must be a set of pairs .cause, effect. of text; got numbers"),
        (np.array("a"), "got text"),
        (pl.LazyFrame({"a": [0]}), "got LazyFrame: call collect first"),
        (pd.DataFrame({"from": ["a"], "to": ["b"]}), "must have the columns cause and effect"),
        (iter(Unruly()), "true cannot be gone through: KeyError"),
        (Unruly(), "true must be a square matrix of numbers; got KeyError|cannot be gone through"),
        (np.array(5), r"got shape \(\)"),
    ],
)
def test_what_is_no_graph(graph, message):
    with pytest.raises(GraphError, match=message):
        as_adjacency(graph, "true")


class TestCommonAdjacency:
    def test_covers_the_nodes_of_both(self):
        names, true, pred = common_adjacency(nx.DiGraph([("b", "a")]), [("a", "b"), ("c", "a")])
        assert names == ("b", "a", "c")
        assert true.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
        assert pred.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]

    def test_matrices_without_names(self):
        names, true, pred = common_adjacency(CHAIN, CHAIN.T)
        assert names is None
        assert (true == CHAIN).all()
        assert (pred == CHAIN.T).all()

    @pytest.mark.parametrize(
        "graph",
        [
            nx.DiGraph([(2, 0), (0, 1)]),
            nx.DiGraph([("x2", "x0"), ("x0", "x1")]),
            to_networkx([[0, 1, 0], [0, 0, 0], [1, 0, 0]], NAMES),
            pd.DataFrame([[0, 1, 0], [0, 0, 0], [1, 0, 0]], columns=NAMES),
            [("2", "0"), ("0", "1")],
        ],
    )
    def test_positions_where_they_are_known(self, graph):
        for first, second in ((graph, CHAIN), (CHAIN, graph)):
            _, *matrices = common_adjacency(first, second)
            matrices = matrices if first is graph else matrices[::-1]
            assert matrices[0].tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
            assert (matrices[1] == CHAIN).all()

    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (nx.DiGraph(PAIRS), "pred has no names, and true is a graph over 'a', 'b' and 'c'"),
            # Counted from 1, or a node without edges left out: nobody knows.
            (nx.DiGraph([("x1", "x2"), ("x2", "x3")]), "which of these is column 0 is not known"),
            (nx.DiGraph([("x0", "x1")]), "same nodes; got 2 and 3"),
            (nx.relabel_nodes(to_networkx(CHAIN, NAMES), {"a": "d"}), "is column 0 is not known"),
            (to_networkx(CHAIN, ["x1", "x0", "x2"]), "whether 'x0' is column 0 is not clear"),
            (to_networkx(CHAIN, ["x1", "x0", "x2"]).subgraph(["x1", "x0"]), "got 2 and 3"),
            (to_networkx(np.zeros((2, 2)), ["a", "b"]), "same nodes; got 2 and 3"),
        ],
    )
    def test_positions_that_would_be_a_guess(self, graph, message):
        with pytest.raises(GraphError, match=message):
            common_adjacency(graph, CHAIN)

    def test_no_edges_fit_any_matrix(self):
        assert common_adjacency([], CHAIN)[1].tolist() == np.zeros((3, 3)).tolist()

    @given(st.integers(0, 2**32), st.permutations(range(6)))
    def test_the_order_of_nodes_does_not_matter(self, seed, order):
        A = random_dag(6, 1.5, rng=seed)
        names = list("abcdef")
        shuffled = to_networkx(A[np.ix_(order, order)], [names[k] for k in order])
        _, first, second = common_adjacency(to_networkx(A, names), shuffled)
        assert (first == second).all()
