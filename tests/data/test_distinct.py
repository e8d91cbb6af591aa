"""Copies of rows are found, and rows of discrete columns that coincide are kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.data.distinct import distinct_rows, without_copies
from scoredag.exceptions import DataError, DataWarning


def correlated(rng, n, d, share):
    """Normal columns, a share of whose variance is common to all."""
    return np.sqrt(share) * rng.normal(size=(n, 1)) + np.sqrt(1 - share) * rng.normal(size=(n, d))


def rounded(X, levels):
    low, high = X.min(axis=0), X.max(axis=0)
    return np.round((X - low) / (high - low) * (levels - 1))


def resampled(X, rng):
    return X[rng.integers(len(X), size=len(X))]


def with_repeats(X, share, rng):
    rows = rng.permutation(len(X))
    repeats = int(share * len(X))
    X = X.copy()
    X[rows[:repeats]] = X[rows[-repeats:]]
    return X


COPIES = {
    "resampled": lambda rng, n, d: resampled(correlated(rng, n, d, 0.8), rng),
    "resampled, 30 levels": lambda rng, n, d: resampled(
        rounded(rng.normal(size=(n, d + 3)), 30), rng
    ),
    "5% repeated": lambda rng, n, d: with_repeats(rng.normal(size=(n, d)), 0.05, rng),
    "1% repeated": lambda rng, n, d: with_repeats(rng.normal(size=(n, d)), 0.01, rng),
    "twice": lambda rng, n, d: np.tile(rng.normal(size=(n // 2, d)), (2, 1)),
    "ten times": lambda rng, n, d: np.tile(rng.normal(size=(n // 10, d)), (10, 1)),
    "one measurement beside five levels": lambda rng, n, d: resampled(
        np.column_stack([rng.normal(size=n), rounded(correlated(rng, n, d, 0.5), 5)]), rng
    ),
}


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize(("n", "d"), [(200, 2), (200, 10), (2000, 5)])
@pytest.mark.parametrize("seed", range(3))
def test_copies_are_found(kind, n, d, seed):
    X = COPIES[kind](np.random.default_rng(seed), n, d)
    kept = distinct_rows(X)
    assert len(kept) == len(np.unique(X, axis=0)) < len(X)
    assert (np.diff(kept) > 0).all()
    assert len(np.unique(X[kept], axis=0)) == len(kept)


def total(rng, n, d):
    parts = rng.poisson(3, size=(n, 2))
    return np.column_stack([parts, parts.sum(axis=1)])


def product(rng, n, d):
    factors = 1 + rng.poisson(3, size=(n, 2))
    return np.column_stack([factors, factors.prod(axis=1)])


DISCRETE = {
    "binary": lambda rng, n, d: rng.random((n, d)) < 0.5,
    "rare": lambda rng, n, d: rng.random((n, d)) < 0.05,
    "dependent binary": lambda rng, n, d: correlated(rng, n, d, 0.9) > 0,
    "Poisson": lambda rng, n, d: rng.poisson(2, size=(n, d)),
    "dependent Poisson": lambda rng, n, d: rng.poisson(
        np.exp(1 + rng.normal(size=(n, 1))), size=(n, d)
    ),
    "five levels": lambda rng, n, d: rounded(correlated(rng, n, d, 0.5), 5),
    "five levels, nearly equal": lambda rng, n, d: rounded(correlated(rng, n, d, 0.99), 5),
    "30 levels, nearly equal": lambda rng, n, d: rounded(correlated(rng, n, d, 0.99), 30),
    "mostly zero": lambda rng, n, d: np.where(rng.random((n, d)) < 0.7, 0, rng.normal(size=(n, d))),
    "zero together": lambda rng, n, d: np.where(
        rng.random((n, 1)) < 0.3, 0, rng.normal(size=(n, d))
    ),
    "censored": lambda rng, n, d: np.maximum(correlated(rng, n, d, 0.9), 0),
    "four digits beside rare": lambda rng, n, d: np.column_stack(
        [rng.normal(size=n).round(4), rng.random((n, d)) < 0.05]
    ),
    "two digits beside five levels": lambda rng, n, d: np.column_stack(
        [rng.normal(size=n).round(2), rounded(correlated(rng, n, d, 0.5), 5)]
    ),
    "total": total,
    "product": product,
    "twins": lambda rng, n, d: rng.poisson(3, size=(n, 1)) * np.ones((1, d)),
}


@pytest.mark.parametrize("kind", DISCRETE)
@pytest.mark.parametrize(("n", "d"), [(60, 3), (200, 2), (200, 8), (2000, 3), (2000, 10)])
@pytest.mark.parametrize("seed", range(3))
def test_discrete_rows_are_kept(kind, n, d, seed):
    X = DISCRETE[kind](np.random.default_rng(seed), n, d)
    assert distinct_rows(X).tolist() == list(range(n))


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(10, 200), d=st.integers(2, 8))
def test_the_order_of_columns_and_units_change_nothing(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rounded(resampled(rng.normal(size=(n, d)), rng), 60)
    expected = distinct_rows(X).tolist()
    assert distinct_rows(8 * X[:, rng.permutation(d)] - 16).tolist() == expected


def test_negative_zero_is_zero():
    X = np.random.default_rng(0).normal(size=(50, 3))
    X[:, 0] = np.where(X[:, 0] > 0, X[:, 0], 0.0)
    copy = np.where(X == 0, -0.0, X)
    assert distinct_rows(np.vstack([X, copy])).tolist() == list(range(50))


def test_merging_is_told_and_happens_once():
    X = np.random.default_rng(0).normal(size=(100, 3))
    with pytest.warns(DataWarning, match="1 of 101 rows is a copy of another row") as told:
        merged = without_copies(np.vstack([X, X[:1]]))
    assert "uses the 100 distinct rows" in str(told[0].message)
    assert np.array_equal(merged, X)
    assert without_copies(merged) is merged


def test_too_few_distinct_rows():
    X = np.random.default_rng(0).normal(size=(9, 3))
    with pytest.raises(DataError, match=r"18 of 27 rows are copies .* at least 10 distinct rows"):
        without_copies(np.tile(X, (3, 1)))
