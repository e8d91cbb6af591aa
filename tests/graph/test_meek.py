"""Meek's rules against what they stand for: all graphs that look the same, one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.graph import is_dag, meek_closure


def colliders(edges):
    """Edges that meet another one from a column that is not related."""
    apart = ~(edges | edges.T | np.eye(len(edges), dtype=bool))
    return edges & (apart.astype(int) @ edges > 0)


def alike(edges, told):
    """All graphs with the same skeleton, the same colliders and the told edges."""
    pairs = np.argwhere(np.triu(edges | edges.T))
    for turned in product([False, True], repeat=len(pairs)):
        other = np.zeros_like(edges)
        for (i, j), backwards in zip(pairs, turned, strict=True):
            other[(j, i) if backwards else (i, j)] = True
        same = (colliders(other) == colliders(edges)).all() and other[told].all()
        if same and is_dag(other.astype(int)):
            yield other


@settings(max_examples=150)
@given(st.integers(0, 10**6), st.integers(3, 5), st.floats(0.3, 1), st.floats(0, 0.6))
def test_what_follows_is_what_all_graphs_that_look_the_same_have(seed, d, density, share):
    rng = np.random.default_rng(seed)
    place = rng.permutation(d)
    edges = np.triu(rng.random((d, d)) < density, 1)[np.ix_(place, place)]
    told = colliders(edges) | (edges & (rng.random((d, d)) < share))
    common = np.logical_and.reduce(list(alike(edges, told)))
    np.testing.assert_array_equal(meek_closure(told, edges), common)


def test_a_complete_graph_tells_nothing_by_itself():
    edges = np.triu(np.ones((4, 4)), 1)
    assert not meek_closure(np.zeros((4, 4)), edges).any()


def test_an_edge_is_never_turned_round():
    """The rules want b -> c, which the graph does not have."""
    edges = [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    told = [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(meek_closure(told, edges), np.array(told) == 1)


def test_what_is_told_of_other_pairs_does_not_count():
    assert not meek_closure(np.ones((3, 3)), np.zeros((3, 3))).any()


def test_cycles_are_refused():
    with pytest.raises(GraphError, match="cycle"):
        meek_closure(np.zeros((2, 2)), [[0, 1], [1, 0]])
