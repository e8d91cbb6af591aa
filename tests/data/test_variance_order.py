import warnings

import numpy as np
import pytest

from scoredag.data import warn_if_sorted_by_variance
from scoredag.exceptions import DataWarning

NAMES = [f"x{k}" for k in range(7)]
X = np.random.default_rng(0).normal(size=(500, 7)) * np.arange(1, 8)
CHAIN = np.diag(np.ones(6), k=1)


def test_edges_towards_higher_variance_warn():
    with pytest.warns(DataWarning, match="6 of 6 edges .* higher variance .*'x0'.*'x6'") as caught:
        warn_if_sorted_by_variance(X, CHAIN, NAMES)
    assert caught[0].filename == __file__
    assert "VarSort" in str(caught[0].message)


def test_edges_towards_lower_variance_warn():
    with pytest.warns(DataWarning, match="6 of 6 edges .* lower variance"):
        warn_if_sorted_by_variance(X, CHAIN.T, NAMES)


def test_one_exception_in_twenty_still_warns():
    A = np.triu(np.ones((7, 7)), k=1)
    A[0, 6], A[6, 0] = 0, 1
    with pytest.warns(DataWarning, match="20 of 21"):
        warn_if_sorted_by_variance(X, A, NAMES)


@pytest.mark.parametrize("adjacency", [CHAIN, CHAIN.T])
def test_standardised_columns_are_silent(adjacency):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_sorted_by_variance((X - X.mean(axis=0)) / X.std(axis=0), adjacency, NAMES)


@pytest.mark.parametrize("edges", [0, 4])
def test_few_edges_are_silent(edges):
    A = np.diag((np.arange(6) < edges).astype(float), k=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_sorted_by_variance(X, A, NAMES)


def test_mixed_directions_are_silent():
    A = CHAIN.copy()
    A[5, 6], A[6, 5] = 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_sorted_by_variance(X, A, NAMES)
