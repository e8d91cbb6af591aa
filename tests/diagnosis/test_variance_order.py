import numpy as np
import pytest

from scoredag.diagnosis import about_variance_order

NAMES = [f"x{k}" for k in range(7)]
X = np.random.default_rng(0).normal(size=(500, 7)) * np.arange(1, 8)
CHAIN = np.diag(np.ones(6), k=1)


@pytest.mark.parametrize(("adjacency", "towards"), [(CHAIN, "higher"), (CHAIN.T, "lower")])
def test_edges_along_the_variances_are_told(adjacency, towards):
    told = about_variance_order(X, adjacency, NAMES)
    assert told.startswith(
        f"6 of 6 edges point from a column to one of {towards} variance "
        "(lowest 'x0', highest 'x6'): "
    )
    assert "VarSort" in told


def test_one_exception_in_twenty_is_still_told():
    A = np.triu(np.ones((7, 7)), k=1)
    A[0, 6], A[6, 0] = 0, 1
    assert about_variance_order(X, A, NAMES).startswith("20 of 21")


@pytest.mark.parametrize("adjacency", [CHAIN, CHAIN.T])
def test_standardised_columns_are_silent(adjacency):
    assert about_variance_order((X - X.mean(axis=0)) / X.std(axis=0), adjacency, NAMES) is None


@pytest.mark.parametrize("edges", [0, 4])
def test_few_edges_are_silent(edges):
    A = np.diag((np.arange(6) < edges).astype(float), k=1)
    assert about_variance_order(X, A, NAMES) is None


def test_mixed_directions_are_silent():
    A = CHAIN.copy()
    A[5, 6], A[6, 5] = 0, 1
    assert about_variance_order(X, A, NAMES) is None
