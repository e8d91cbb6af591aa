import networkx as nx
import numpy as np
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import common_adjacency, from_networkx, to_networkx


class TestToNetworkx:
    def test_nodes_are_text_in_column_order_and_isolated_ones_stay(self):
        graph = to_networkx([[0, 0, 0], [1, 0, 0], [0, 0, 0]], ["z", 7, np.str_("a")])
        assert list(graph.nodes) == ["z", "7", "a"]
        assert all(type(node) is str for node in graph.nodes)
        assert list(graph.edges) == [("7", "z")]

    def test_attributes_sit_on_edges_where_finite(self):
        A = [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
        p = np.array([[1, 1e-9, np.nan], [0.5, 1, 1], [1, 1, 1]])
        graph = to_networkx(A, "abc", {"p_value": p, "edf": np.full((3, 3), np.inf)})
        assert graph.edges["a", "b"] == {"p_value": 1e-9}
        assert graph.edges["a", "c"] == {}
        assert type(graph.edges["a", "b"]["p_value"]) is float

    def test_attribute_may_bear_any_name(self):
        graph = to_networkx([[0, 1], [0, 0]], "ab", {"u_of_edge": np.ones((2, 2))})
        assert graph.edges["a", "b"] == {"u_of_edge": 1.0}

    @pytest.mark.parametrize(
        ("names", "attributes", "message"),
        [
            ("abc", None, "names must have one entry a node, 2; got 3"),
            (["a", "a"], None, "names must be distinct as text; 'a'"),
            ([1, "1"], None, "names must be distinct as text; '1'"),
            ("ab", {"p_value": [1, 2]}, r"edge_attributes\['p_value'\] must have shape \(2, 2\)"),
        ],
    )
    def test_errors(self, names, attributes, message):
        with pytest.raises(GraphError, match=message):
            to_networkx([[0, 1], [0, 0]], names, attributes)


class TestFromNetworkx:
    def test_is_the_inverse(self):
        A = np.triu(np.ones((4, 4), dtype=int), 1)
        assert (from_networkx(to_networkx(A, "dbca")) == A).all()

    def test_names_choose_the_order_and_add_isolated_nodes(self):
        graph = nx.DiGraph([("b", "a")])
        assert from_networkx(graph, ["c", "a", "b"]).tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]

    @pytest.mark.parametrize(
        ("graph", "message"),
        [
            (
                nx.DiGraph([("x", "a")]),
                r"names must hold every node of the graph; it lacks \['x'\]",
            ),
            (nx.Graph([("a", "b")]), "must be a networkx.DiGraph; got Graph"),
            (nx.MultiDiGraph([("a", "b")]), "must be a networkx.DiGraph; got MultiDiGraph"),
            (nx.DiGraph([("a", "a")]), "no edge from a node to itself; 'a' has one"),
        ],
    )
    def test_errors(self, graph, message):
        with pytest.raises(GraphError, match=message):
            from_networkx(graph, ["a", "b"])


def test_common_adjacency_covers_the_nodes_of_both():
    names, true, pred = common_adjacency(
        nx.DiGraph([("b", "a")]), nx.DiGraph([("a", "b"), ("c", "a")])
    )
    assert names == ("b", "a", "c")
    assert true.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert pred.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
