"""Neighbourhoods: neighbours, then theirs; and what a screen may return."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from scoredag.screening import (
    join_dependent,
    nearness,
    neighbourhood,
    strongest_candidates,
    symmetric_strength,
)

# 0 - 1 - 2 - 3
CHAIN = np.diag([3.0, 2.0, 1.0], 1) + np.diag([3.0, 2.0, 1.0], -1)


def random_strength(rng, d, share=0.3):
    strength = rng.random((d, d)) * (rng.random((d, d)) < share)
    return symmetric_strength(strength, d)


def test_the_markov_blanket_of_a_perfect_screen():
    # 0 -> 2 <- 1, 2 -> 3, 4 -> 3: the blanket of 2 is all of it, that of 0 is {1, 2}.
    adjacency = np.zeros((6, 6))
    adjacency[[0, 1, 2, 4], [2, 2, 3, 3]] = 1
    strength = symmetric_strength(adjacency, 6)
    assert_array_equal(neighbourhood(strength, 2, np.arange(6), 9), [0, 1, 3, 4])
    assert set(neighbourhood(strength, 0, np.arange(6), 9)) >= {1, 2}
    assert_array_equal(neighbourhood(strength, 0, np.array([0, 1, 3]), 9), [])
    assert_array_equal(neighbourhood(strength, 5, np.arange(6), 9), [])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 6))
def test_removing_a_far_column_changes_no_neighbourhood(seed, d, most):
    """So the local field need not compute again what did not contain the removed column."""
    rng = np.random.default_rng(seed)
    strength = random_strength(rng, d)
    left = np.flatnonzero(rng.random(d) < 0.8)
    for column in left:
        near = neighbourhood(strength, column, left, most)
        assert len(near) <= most
        assert column not in near
        for other in np.setdiff1d(left, [column, *near]):
            rest = left[left != other]
            assert_array_equal(neighbourhood(strength, column, rest, most), near)


def test_neighbours_come_before_their_neighbours():
    strength = symmetric_strength([[0, 0.1, 0], [0, 0, 9], [0, 0, 0]], 3)
    assert_array_equal(neighbourhood(strength, 0, np.arange(3), 1), [1])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 9), st.integers(1, 4))
def test_candidates_are_the_strongest_neighbours(seed, d, most):
    rng = np.random.default_rng(seed)
    strength = random_strength(rng, d, 0.6)
    candidates = rng.random((d, d)) < 0.5
    chosen = strongest_candidates(strength, candidates, most)
    for j in range(d):
        possible = np.flatnonzero(candidates[:, j] & (strength[:, j] > 0))
        expected = possible[np.argsort(-strength[possible, j])][:most]
        assert_array_equal(np.flatnonzero(chosen[:, j]), np.sort(expected))


@pytest.mark.parametrize(
    ("strength", "words"),
    [
        (np.ones((2, 3)), r"shape \(3, 3\), at least 0; got shape \(2, 3\)"),
        (-np.ones((3, 3)), "at least 0; got -1"),
        (np.full((3, 3), np.nan), "at least 0"),
        ([["a"] * 3] * 3, "at least 0"),
    ],
)
def test_wrong_strengths_are_refused(strength, words):
    with pytest.raises(ValueError, match=words):
        symmetric_strength(strength, 3)


def test_near_columns_are_neighbours_and_theirs_in_this_order():
    near = nearness(CHAIN, most=8)
    assert_array_equal(near, near.T)
    assert_array_equal(near > 0, (CHAIN > 0) | (CHAIN @ CHAIN > 0) & ~np.eye(4, dtype=bool))
    assert near[CHAIN > 0].min() > near[(near > 0) & (CHAIN == 0)].max()


def test_no_strength_is_no_nearness():
    assert not nearness(np.zeros((3, 3)), most=8).any()


def test_dependent_columns_join_behind_all_others():
    rng = np.random.default_rng(0)
    dependence = rng.uniform(0.1, 1, size=(6, 6))
    dependence = dependence + dependence.T
    near = np.zeros((6, 6))
    near[0, 1] = near[1, 0] = 2.0
    joined = join_dependent(near, dependence, 2)
    assert_array_equal(joined, joined.T)
    assert not joined.diagonal().any()
    assert joined[0, 1] == 2.0
    assert (joined > 0).sum(axis=0).min() >= 2
    ranks = np.argsort(-(dependence - np.diag(dependence.diagonal())), axis=0)[:2]
    assert all(joined[k, j] > 0 for j in range(6) for k in ranks[:, j])
    weak = joined.copy()
    weak[0, 1] = weak[1, 0] = 0.0
    assert weak.max() < 2.0
