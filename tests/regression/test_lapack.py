"""LAPACK in place: against NumPy, on parts of matrices, and beside other threads."""

import threading
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.regression.lapack import routines

SIZES = (1, 2, 15, 63, 64, 65, 200)
TOLERANCE = {np.float32: 1e-5, np.float64: 1e-12}


def positive_definite(n, dtype, seed=0):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return np.asfortranarray((A @ A.T / n + np.eye(n)).astype(dtype))


def lower_only(M):
    """The lower triangle; the upper one is not to be read."""
    M = M.copy(order="F")
    M[np.triu_indices(len(M), 1)] = np.nan
    return M


def symmetric(M):
    return np.tril(M) + np.tril(M, -1).T


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", SIZES)
def test_factor_inverse_and_solutions_are_those_of_numpy(n, dtype):
    M, run = positive_definite(n, dtype), routines(dtype)
    L, near = lower_only(M), {"rtol": 0, "atol": TOLERANCE[dtype]}
    assert run.factorise(L)
    assert_allclose(np.tril(L), np.linalg.cholesky(M.astype(float)), **near)
    b = np.arange(n, dtype=dtype) / n
    for transposed, factor in ((False, np.tril(L)), (True, np.tril(L).T)):
        x = b.copy()
        run.solve_factor(L, x, transposed)
        assert_allclose(factor @ x, b, **near)
    diagonal = run.inverse_diagonal(L.copy(order="F"))
    assert_allclose(diagonal, np.linalg.inv(M.astype(float)).diagonal(), **near)
    run.invert_from_factor(L)
    assert_allclose(symmetric(L) @ M, np.eye(n), **near)
    assert np.isnan(L[np.triu_indices(n, 1)]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_those_of_numpy(dtype):
    M, run = positive_definite(40, dtype), routines(dtype)
    B = np.asfortranarray(np.random.default_rng(1).normal(size=(40, 3)).astype(dtype))
    near = {"rtol": 0, "atol": TOLERANCE[dtype]}
    assert_allclose(run.times(lower_only(M), B), M @ B, **near)
    changed, b = lower_only(M), B[:, 0].copy()
    run.add_outer(changed, -0.5, b)
    assert_allclose(np.tril(changed), np.tril(M - 0.5 * np.outer(b, b)), **near)


def test_part_of_a_matrix_is_worked_on_in_place():
    whole = np.full((90, 90), np.nan, order="F")
    M = positive_definite(70, np.float64)
    part = whole[10:80, 5:75]
    part[...] = M
    assert routines(np.float64).factorise(part)
    assert_allclose(np.tril(part), np.linalg.cholesky(M))
    outside = np.ones((90, 90), dtype=bool)
    outside[10:80, 5:75] = False
    assert np.isnan(whole[outside]).all()


def test_matrix_that_is_not_positive_definite_is_told():
    assert not routines(np.float64).factorise(np.asfortranarray([[1.0, 2.0], [2.0, 1.0]]))


def test_other_threads_run_python_meanwhile():
    M, rounds = positive_definite(2500, np.float64), 0
    work = threading.Thread(target=routines(np.float64).factorise, args=(M,))
    work.start()
    while work.is_alive():
        time.sleep(0.0005)
        rounds += 1
    assert rounds > 10  # one or two while the call holds the lock


def test_threads_give_the_same_bits():
    M = positive_definite(120, np.float64)

    def inverse():
        L = M.copy(order="F")
        routines(np.float64).factorise(L)
        routines(np.float64).invert_from_factor(L)
        return L

    found = {}
    threads = [threading.Thread(target=lambda k=k: found.update({k: inverse()})) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(6):
        assert_array_equal(found[k], inverse())
