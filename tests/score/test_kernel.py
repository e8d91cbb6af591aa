import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from scoredag.exceptions import DataError
from scoredag.score.kernel import GaussianKernel


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 150), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_bandwidth_is_the_median_over_all_pairs_of_rows(n, d, seed):
    X = np.random.default_rng(seed).normal(size=(n, d))
    assert GaussianKernel(X).bandwidth == pytest.approx(np.median(cdist(X, X)), rel=1e-9)


# Tables on which a sample of the distances says little of their median: rows in an order, few
# values, two clusters of just half of the rows, one outlier.
AWKWARD = {
    "sorted": lambda rng: np.sort(rng.normal(size=(700, 1)), axis=0),
    "walk": lambda rng: rng.normal(size=(700, 2)).cumsum(axis=0),
    "ties": lambda rng: rng.integers(0, 3, size=(700, 2)).astype(float),
    "clusters": lambda rng: np.repeat([[0.0], [100.0]], 350, axis=0) + rng.normal(size=(700, 3)),
    "outlier": lambda rng: np.append(rng.normal(size=(700, 2)), [[1e7, 1e7]], axis=0),
    "waves": lambda rng: np.sin(2 * np.pi * np.arange(700)[:, None] / 35) + np.arange(1, 3),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_bandwidth_is_exact_whatever_the_sample_says(name):
    X = AWKWARD[name](np.random.default_rng(0))
    assert GaussianKernel(X).bandwidth == pytest.approx(np.median(cdist(X, X)), rel=1e-7)


def test_kernel_of_an_outlier_is_as_good_as_its_distances():
    X = np.array([[0.0], [0.0], [1.0], [2.0], [2.0], [1e12]])
    kernel = GaussianKernel(X)
    expected = np.exp(-cdist(X, X, "sqeuclidean") / (2 * kernel.bandwidth**2))
    np.testing.assert_allclose(kernel.multiply(np.eye(6)), expected, atol=1e-12)


def test_bandwidth_follows_removals():
    X = np.random.default_rng(0).normal(size=(101, 5))
    kernel = GaussianKernel(X)
    kernel.remove(3)
    rest = np.delete(X, 3, axis=1)
    assert kernel.bandwidth == pytest.approx(np.median(cdist(rest, rest)), rel=1e-12)


def test_multiply_and_solve_are_inverse_to_each_other():
    rng = np.random.default_rng(0)
    kernel = GaussianKernel(rng.normal(size=(70, 3)))
    B = rng.normal(size=(70, 2))
    product = kernel.multiply(B)
    np.testing.assert_allclose(kernel.solve(product + 0.1 * B, ridge=0.1), B, atol=1e-10)


@pytest.mark.parametrize("scale", [1e160, 1e154, 1e-160])
def test_values_that_cannot_be_squared_are_refused(scale):
    X = np.random.default_rng(0).normal(size=(50, 3)) * scale
    with pytest.raises(DataError, match="change the units"):
        GaussianKernel(X)


def test_an_outlier_beside_a_wide_column_that_is_removed():
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[:, 0] *= 1e8
    X[0, 1] = 1e8
    kernel = GaussianKernel(X)
    kernel.remove(0)
    assert kernel.bandwidth == pytest.approx(np.median(cdist(X[:, [1]], X[:, [1]])), rel=1e-6)


def test_three_rows_and_an_outlier():
    assert GaussianKernel(np.array([[0.0], [1.0], [1e12]])).bandwidth == pytest.approx(1.0)
