"""The lazy leaf search finds the leaves of the full one, and computes less."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from benchmarks.search import random_constraints
from scoredag.exceptions import DataError
from scoredag.order import lazy_leaves, peel
from scoredag.order.lazy_leaves import FEWEST_COLUMNS, RELATED, SMALLEST, update_smallest
from scoredag.order.peel import find_leaves
from scoredag.score import SteinField
from scoredag.simulate import paper_dataset


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.integers(0, 30))
def test_the_smallest_is_found_if_old_values_are_no_larger_than_new_ones(seed, d, n_related):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=d)
    known = truth - rng.exponential(size=d) * rng.integers(0, 2, size=d)
    eligible = np.flatnonzero(rng.random(d) < 0.7)
    if not len(eligible):
        eligible = np.array([0])
    related = rng.choice(d, size=min(d, n_related), replace=False)
    values, current = update_smallest(lambda some: truth[some], known, eligible, related)
    assert current[related].all()
    assert_array_equal(values[current], truth[current])
    assert_array_equal(values[~current], known[~current])
    assert values[eligible].min() == truth[eligible].min()


def test_columns_far_from_the_smallest_are_not_computed():
    known = np.arange(500.0)
    _, current = update_smallest(lambda some: known[some], known, np.arange(500), np.array([450]))
    assert_array_equal(np.flatnonzero(current), [*range(SMALLEST), 450])


class Counting(SteinField):
    computed = 0

    def diagonal_moments(self, columns=None):
        Counting.computed += len(self.columns if columns is None else columns)
        return super().diagonal_moments(columns)


def full(field):
    """The criterion "variance" of all columns: without the argument ``columns``."""
    return field.diagonal_moments()[1]


@pytest.fixture(scope="module")
def X():
    return paper_dataset(150, "ER1", seed=1000, n=150).X


def test_the_order_is_that_of_the_full_search(X):
    Counting.computed = 0
    lazy = find_leaves(X, score_estimator=Counting)
    assert Counting.computed < 0.8 * 150 * 151 / 2
    every = find_leaves(X, criterion=full)
    assert_array_equal([leaf.column for leaf in lazy], [leaf.column for leaf in every])
    for ours, theirs in zip(lazy, every, strict=True):
        current = np.ones(len(ours.columns), bool) if ours.current is None else ours.current
        assert current[ours.columns == ours.column].all()
        assert_allclose(ours.values[current], theirs.values[current], rtol=1e-6)
    sizes = [leaf.current.sum() for leaf in lazy if leaf.current is not None]
    assert len(sizes) == 150 - FEWEST_COLUMNS - 1  # all but the first step
    assert max(sizes) <= 2 * SMALLEST + RELATED


def test_stale_values_are_the_last_known_ones(X):
    leaves = find_leaves(X)
    first, second = leaves[:2]
    stale = second.columns[~second.current]
    assert len(stale) > 50
    assert_array_equal(second.values[~second.current], first.values[np.isin(first.columns, stale)])


def test_few_columns_are_all_computed_with_the_same_bits():
    X = paper_dataset(12, "ER4", seed=1000, n=100).X
    for ours, theirs in zip(find_leaves(X), find_leaves(X, criterion=full), strict=True):
        assert ours.current is None
        assert_array_equal(ours.values, theirs.values)


def test_knowledge_is_obeyed(X):
    constraints = random_constraints(150, np.random.default_rng(0))
    assert constraints.is_legal(peel(X, knowledge=constraints))


def test_one_column_too_few_is_full_and_one_more_is_lazy(monkeypatch):
    X = paper_dataset(9, "ER1", seed=1000, n=80).X
    module = sys.modules["scoredag.order.peel"]  # `scoredag.order.peel` is the function
    for fewest in (8, 9):
        monkeypatch.setattr(module, "FEWEST_COLUMNS", fewest)
        leaves = find_leaves(X)
        assert all(leaf.current is None for leaf in leaves)  # the first step is always full
    monkeypatch.setattr(module, "FEWEST_COLUMNS", 7)
    assert [leaf.current is None for leaf in find_leaves(X)] == [True, False] + [True] * 6


def test_fields_and_criteria_without_the_option_are_searched_in_full(X):
    class Plain:
        def __init__(self, X):
            self._field = SteinField(X)
            self.remove = self._field.remove

        @property
        def columns(self):
            return self._field.columns

        def diagonal_moments(self):
            means = self._field.X.mean(axis=0)
            return means, means**2

    leaves = find_leaves(X[:60], score_estimator=Plain)
    assert all(leaf.current is None for leaf in leaves)


def test_nan_is_refused_by_the_column(X):
    def broken(field, columns=None):
        values = np.array(field.columns if columns is None else columns, dtype=float)
        if columns is not None:
            values[values == 2] = np.nan
        return values

    with pytest.raises(DataError, match=r"NaN for columns \[2\]"):
        peel(X, criterion=broken)


def test_related_columns_are_the_most_dependent_ones():
    dependence = np.random.default_rng(0).random((40, 40))
    left = np.arange(1, 40)
    related = lazy_leaves.related_columns(dependence, 0, left)
    assert len(related) == RELATED
    rest = np.setdiff1d(left, related)
    assert dependence[0, related].min() >= dependence[0, rest].max()
