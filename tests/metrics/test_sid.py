from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import full_dag, topological_order
from scoredag.metrics import sid
from scoredag.simulate import random_dag

dags = st.builds(
    lambda d, per_node, seed: random_dag(d, per_node, rng=seed),
    st.integers(1, 7),
    st.floats(0, 3),
    st.integers(0, 2**32),
)


def sid_by_definition(true, pred):
    """Peters and Bühlmann's criterion, pair by pair, with d-separation by networkx.

    Adjusting for the parents Z of i in `pred` gives p(j | do(i)) in `true` if, where j is in Z, j
    is no descendant of i; and otherwise if no node of Z descends from a node (other than i) on a
    directed path from i to j, and Z blocks every path from i to j that is not directed.
    """
    graph = nx.from_numpy_array(np.asarray(true), create_using=nx.DiGraph)
    below = {node: nx.descendants(graph, node) for node in graph}
    mistakes = 0
    for i in graph:
        adjusted = set(np.flatnonzero(np.asarray(pred)[:, i]).tolist())
        for j in set(graph) - {i}:
            if j in adjusted:
                mistakes += j in below[i]
                continue
            on_path = {node for node in below[i] if node == j or j in below[node]}
            spoilt = on_path.union(*(below[node] for node in on_path))
            without = graph.copy()  # the proper back-door graph
            without.remove_edges_from([(i, node) for node in on_path if graph.has_edge(i, node)])
            blocked = nx.is_d_separator(without, {i}, {j}, adjusted)
            mistakes += bool(adjusted & spoilt) or not blocked
    return mistakes


class TestPaperExample:
    """Peters and Bühlmann (2015), first example: two wrong graphs, both at Hamming distance 1.

    G: X1 -> X2, and both cause Y1, Y2, Y3. H1 adds Y1 -> Y2, which leaves every parent adjustment
    valid. H2 reverses X1 -> X2. Then X1 is adjusted for X2, its descendant, and every effect of X1
    is wrong: on X2, Y1, Y2, Y3, that is 4. X2 is adjusted for nothing, X1 confounds it: its effects
    on X1, Y1, Y2, Y3 are wrong, 4 more. The Y's have the same parents as before.
    """

    G = np.zeros((5, 5), dtype=int)
    G[0, 1:] = 1
    G[1, 2:] = 1

    def test_an_extra_edge_that_respects_the_order_costs_nothing(self):
        H1 = self.G.copy()
        H1[2, 3] = 1
        assert sid(self.G, H1) == 0

    def test_a_reversed_edge_near_the_root_costs_eight(self):
        H2 = self.G.copy()
        H2[0, 1], H2[1, 0] = 0, 1
        assert sid(self.G, H2) == 8


def test_argument_order():
    """Missing the one edge: p(1 | do(0)) is wrong. Adding one: both are still right."""
    edge, none = [[0, 1], [0, 0]], [[0, 0], [0, 0]]
    assert sid(true=edge, pred=none) == 1
    assert sid(true=none, pred=edge) == 0


@settings(deadline=None)
@given(dags, st.floats(0, 3), st.integers(0, 2**32))
def test_equals_the_definition(true, per_node, seed):
    pred = random_dag(len(true), per_node, rng=seed)
    assert sid(true, pred) == sid_by_definition(true, pred)


def test_equals_the_definition_on_all_graphs_of_three_nodes():
    upper = [full_dag(order) for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0])]
    graphs = []
    for full in upper:
        edges = np.argwhere(full)
        for size in range(4):
            for kept in combinations(range(3), size):
                A = np.zeros((3, 3), dtype=int)
                A[tuple(edges[list(kept)].T)] = 1
                graphs.append(A)
    for true in graphs:
        for pred in graphs:
            assert sid(true, pred) == sid_by_definition(true, pred)


@settings(deadline=None)
@given(dags)
def test_zero_for_equal_graphs_and_for_the_full_graph_of_a_true_order(A):
    assert sid(A, A) == 0
    assert sid(A, full_dag(topological_order(A))) == 0


@settings(deadline=None)
@given(dags, st.randoms(use_true_random=False))
def test_labels_do_not_matter(A, random):
    pred = full_dag(random.sample(range(len(A)), len(A)))
    shuffle = np.ix_(*[random.sample(range(len(A)), len(A))] * 2)
    assert sid(A, pred) == sid(A[shuffle], pred[shuffle])


@pytest.mark.parametrize("d", [0, 1])
def test_too_few_nodes_for_a_mistake(d):
    assert sid(np.zeros((d, d)), np.zeros((d, d))) == 0


def test_matrix_types_and_memory_layouts():
    true = np.triu(np.ones((4, 4)), 1)
    assert sid(np.asfortranarray(true), true.T[::-1, ::-1] * 0.5) == 0
    assert type(sid(true, true)) is int


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (np.zeros((2, 2)), np.zeros((3, 3)), "must have the same nodes; got 2 and 3"),
        (np.zeros((1, 1)), np.zeros((2, 2)), "must have the same nodes; got 1 and 2"),
        ([[0, 1], [1, 0]], np.zeros((2, 2)), "true must be acyclic; it has the cycle 0 -> 1 -> 0"),
        (np.zeros((2, 2)), [[0, 1], [1, 0]], "pred must be acyclic; it has the cycle 0 -> 1 -> 0"),
    ],
)
def test_errors_come_before_gadjid_panics(true, pred, message):
    with pytest.raises(GraphError, match=message):
        sid(true, pred)
