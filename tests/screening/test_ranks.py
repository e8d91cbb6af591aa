"""Dependence of ranks: against correlations of polynomials, one pair at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Legendre
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.screening import rank_dependence, rank_features


def pair(x, y, degree):
    """Squared correlations of Legendre polynomials of two rankings, summed."""
    n = len(x)
    u, v = (2 * (np.argsort(np.argsort(z)) + 0.5) / n - 1 for z in (x, y))
    total = 0.0
    for a in range(1, degree + 1):
        for b in range(1, degree + 1):
            total += np.corrcoef(Legendre.basis(a)(u), Legendre.basis(b)(v))[0, 1] ** 2
    return total


def test_dependence_is_that_of_each_pair():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    X[:, 1] += np.sin(2 * X[:, 0])
    dependence = rank_dependence(X, 3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        # Of ranks without ties the polynomials are orthogonal but for the finite sample.
        assert dependence[i, j] == pytest.approx(pair(X[:, i], X[:, j], 3), rel=0.02)
        assert dependence[j, i] == pytest.approx(dependence[i, j], rel=1e-12)
    assert_array_equal(dependence.diagonal(), 0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(30, 200), st.integers(1, 4))
def test_features_are_orthonormal_and_know_ranks_only(seed, n, degree):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    features = rank_features(X, degree)
    for j in range(3):
        assert_allclose(features[:, j].T @ features[:, j] / n, np.eye(degree), atol=1e-9)
    assert_allclose(features.mean(axis=0), 0, atol=1e-9)
    assert_array_equal(
        rank_features(np.column_stack([X[:, 0] * 3 - 7, X[:, 1:] ** 3]), degree), features
    )


def test_a_column_of_few_values_has_few_features():
    rng = np.random.default_rng(0)
    X = rng.integers(0, [2, 3], size=(300, 2)).astype(float)
    features = rank_features(X)
    assert_array_equal((features**2).mean(axis=0).round(6), [[1, 0, 0, 0], [1, 1, 0, 0]])
    # Pearson's phi^2 of the 2 x 3 table, all of it.
    table = np.array([[((X[:, 0] == a) & (X[:, 1] == b)).mean() for b in range(3)] for a in (0, 1)])
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    phi = ((table - expected) ** 2 / expected).sum()
    assert rank_dependence(X)[0, 1] == pytest.approx(phi, rel=1e-9)


def test_independent_columns_have_the_chi_square_mean():
    X = np.random.default_rng(0).normal(size=(1000, 40))
    upper = rank_dependence(X)[np.triu_indices(40, 1)]
    assert 1000 * upper.mean() == pytest.approx(16, abs=0.6)  # standard error 0.2


def test_of_many_rows_some_serve():
    X = np.random.default_rng(0).normal(size=(9000, 2))
    assert rank_features(X).shape == (4000, 2, 4)
