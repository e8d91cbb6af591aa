"""The factorisation in steps equals LAPACK's in one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import cholesky

from scoredag.score import cholesky as steps
from scoredag.score import kernel, stein_hessian_diagonal


def positive_definite(n):
    B = np.random.default_rng(n).normal(size=(n, n))
    return B @ B.T + n * np.eye(n)


@pytest.mark.parametrize("n", [1, 2, 7, 16, 17, 40])
def test_it_is_the_cholesky_factor(n, monkeypatch):
    monkeypatch.setattr(steps, "_COLUMNS", 8)
    monkeypatch.setattr(steps, "_ROWS", 12)
    A = positive_definite(n)
    lower = np.where(np.tri(n, dtype=bool), A, np.nan)  # nothing else may be read
    assert steps.factorise_lower(lower)
    assert_allclose(np.tril(lower), cholesky(A, lower=True), rtol=1e-12)


@pytest.mark.parametrize("position", [0, 10, 19])
def test_a_matrix_without_one(position, monkeypatch):
    monkeypatch.setattr(steps, "_COLUMNS", 8)
    A = positive_definite(20)
    A[position, position] = -1.0
    assert not steps.factorise_lower(A)


def test_many_rows_give_what_few_rows_give(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 20))
    at_once = stein_hessian_diagonal(X)
    monkeypatch.setattr(kernel, "_MOST_ROWS_AT_ONCE", 100)
    monkeypatch.setattr(steps, "_COLUMNS", 64)
    assert_allclose(stein_hessian_diagonal(X), at_once, rtol=1e-6)
