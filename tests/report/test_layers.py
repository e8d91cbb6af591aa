import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import full_dag
from scoredag.report.layers import layered_layout
from scoredag.simulate import random_dag

dags = st.builds(
    lambda d, per_node, seed: random_dag(d, per_node, rng=seed),
    st.integers(1, 12),
    st.floats(0, 4),
    st.integers(0, 2**32),
)


def longest_paths(A):
    """Longest path to each node by matrix powers: the last k with a path of k edges."""
    longest, reached = np.zeros(len(A)), A
    for k in range(1, len(A)):
        longest[reached.any(axis=0)] = k
        reached = (reached @ A > 0).astype(int)
    return longest


def straight_crossings(A, layout):
    """Crossings of edges between neighbouring layers, drawn as straight lines."""
    edges = [(i, j) for i, j in np.argwhere(A) if layout[j, 0] == layout[i, 0] + 1]
    return sum(
        layout[a, 0] == layout[c, 0]
        and (layout[a, 1] - layout[c, 1]) * (layout[b, 1] - layout[d, 1]) < 0
        for k, (a, b) in enumerate(edges)
        for c, d in edges[k + 1 :]
    )


@settings(deadline=None, max_examples=40)
@given(dags)
def test_layers_are_longest_paths_and_nodes_keep_apart(A):
    layout = layered_layout(A)
    assert layout.shape == (len(A), 2)
    assert (layout[:, 0] == longest_paths(A)).all()
    for k in np.unique(layout[:, 0]):
        across = np.sort(layout[layout[:, 0] == k, 1])
        assert (np.diff(across) >= 1 - 1e-9).all()
    assert layout[:, 1].min() == pytest.approx(-layout[:, 1].max(), abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(dags)
def test_deterministic(A):
    assert (layered_layout(A) == layered_layout(A.astype(float) * 0.3)).all()


def test_a_chain_is_straight():
    assert layered_layout(np.eye(5, k=1)).tolist() == [[k, 0] for k in range(5)]


def test_a_skipping_edge_passes_beside_the_node():
    layout = layered_layout(full_dag([0, 1, 2]))
    on_the_line = (layout[0, 1] + layout[2, 1]) / 2
    assert abs(layout[1, 1] - on_the_line) >= 0.4


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.integers(2, 30))
def test_a_tree_has_no_crossing(seed, d):
    A = random_dag(d, 1, kind="sf", rng=seed)
    assert straight_crossings(A, layered_layout(A)) == 0


def test_quick_for_a_hundred_nodes():
    A = random_dag(100, 4, rng=0)
    start = time.process_time()
    layered_layout(A)
    assert time.process_time() - start < 3


def test_no_nodes():
    assert layered_layout(np.zeros((0, 0))).shape == (0, 2)


def test_a_cycle_is_refused():
    with pytest.raises(GraphError, match="A must be acyclic; it has the cycle 0 -> 1 -> 0"):
        layered_layout([[0, 1], [1, 0]])
