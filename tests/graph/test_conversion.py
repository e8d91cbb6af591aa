from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from scoredag.estimators import VarSort
from scoredag.exceptions import GraphError
from scoredag.graph import from_networkx, to_networkx


class TestToNetworkx:
    def test_nodes_are_the_labels_in_column_order_and_isolated_ones_stay(self):
        labels = ["z", 7, np.str_("a"), np.int64(3), ("a", "b"), 2.5]
        matrix = np.zeros((6, 6))
        matrix[1, 0] = 1
        graph = to_networkx(matrix, labels)
        assert list(graph.nodes) == ["z", 7, "a", 3, ("a", "b"), 2.5]
        assert [type(node) for node in graph.nodes] == [str, int, str, int, tuple, float]
        assert list(graph.edges) == [(7, "z")]

    def test_attributes_sit_on_edges_where_finite(self):
        A = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
        p = np.array([[1, 1e-9, np.nan], [0.5, 1, 1], [1, 1, 1]])
        graph = to_networkx(A, list("abc"), {"p_value": p, "edf": np.full((3, 3), np.inf)})
        assert graph.edges["a", "b"] == {"p_value": 1e-9}
        assert graph.edges["a", "c"] == {}
        assert type(graph.edges["a", "b"]["p_value"]) is float

    def test_attribute_may_bear_any_name(self):
        graph = to_networkx([[0, 1], [0, 0]], list("ab"), {"u_of_edge": np.ones((2, 2))})
        assert graph.edges["a", "b"] == {"u_of_edge": 1.0}

    @pytest.mark.parametrize(
        ("names", "attributes", "message"),
        [
            (list("abc"), None, "names must have one entry a node, 2; got 3"),
            (["a", "a"], None, "names must be distinct as text; 'a'"),
            ([1, "1"], None, "names must be distinct as text; '1'"),
            (
                list("ab"),
                {"p_value": [1, 2]},
                r"edge_attributes\['p_value'\] must have shape \(2, 2\)",
            ),
            (list("ab"), {"p_value": [["x"]]}, r"edge_attributes\['p_value'\] must be a matrix of"),
            (list("ab"), [1], "edge_attributes must map names to matrices; got list"),
            (None, None, "names must be a list of names, in order; got None"),
            (7, None, "names must be a list of names, in order; got 7"),
            ("ab", None, r"got 'ab': write list\('ab'\) if each letter is a name"),
            ({"a", "b"}, None, "names must be a list of names, in order; got {"),
            ([True, 1], None, "names must be distinct; some of True and 1 are equal numbers"),
            ([1, 1.0], None, "names must be distinct; some of 1 and 1.0 are equal numbers"),
            (["a", None], None, "names must be text or numbers; got None"),
            (["a", ["b"]], None, r"names must be text or numbers; got \['b'\]"),
            (["a", ("b", [])], None, "names must be text or numbers"),
        ],
    )
    def test_errors(self, names, attributes, message):
        with pytest.raises(GraphError, match=message):
            to_networkx([[0, 1], [0, 0]], names, attributes)


class TestFromNetworkx:
    def test_is_the_inverse(self):
        A = np.triu(np.ones((4, 4), dtype=int), 1)
        assert (from_networkx(to_networkx(A, list("dbca"))) == A).all()

    def test_labels_are_matched_as_text(self):
        graph = to_networkx([[0, 1], [0, 0]], [0, 1])
        for names in ([1, 0], ["1", "0"], np.array([1, 0])):
            assert from_networkx(graph, names).tolist() == [[0, 0], [1, 0]]

    def test_every_writer_of_networkx_takes_what_we_make(self):
        graph = to_networkx([[0, 1], [0, 0]], ["a", "b"], {"p_value": np.ones((2, 2))})
        assert "p_value" in "".join(nx.generate_graphml(graph))
        assert "p_value" in "".join(nx.generate_gml(graph))
        assert nx.node_link_data(graph, edges="edges")["edges"][0]["p_value"] == 1.0

    def test_names_choose_the_order_and_add_isolated_nodes(self):
        graph = nx.DiGraph([("b", "a")])
        assert from_networkx(graph, ["c", "a", "b"]).tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]

    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (
                nx.DiGraph([("x", "a")]),
                "names must hold every node of the graph; they lack 'x'",
            ),
            (
                nx.Graph([("a", "b")]),
                r"networkx\.DiGraph.*; got an undirected Graph, which does not",
            ),
            (nx.MultiGraph([("a", "b")]), "got an undirected MultiGraph"),
            (
                nx.MultiDiGraph([("a", "b")]),
                r"got a MultiDiGraph: networkx\.DiGraph\(graph\) keeps",
            ),
            (None, "graph must be a networkx.DiGraph, whose edges .* got None"),
            ("a.csv", "got the text 'a.csv': scoredag.graph.read_graph reads a file"),
            (np.eye(2), "got ndarray: scoredag.graph.to_networkx makes one from a matrix"),
            (VarSort(), "got VarSort: fit it, then pass its graph_"),
            (SimpleNamespace(graph_=1), "got a fitted SimpleNamespace: pass its graph_"),
            (nx.DiGraph([("a", "a")]), "no edge from a node to itself; 'a' has one"),
        ],
    )
    def test_errors(self, graph, message):
        with pytest.raises(GraphError, match=message):
            from_networkx(graph, ["a", "b"])
