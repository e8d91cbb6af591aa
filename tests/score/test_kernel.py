import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from scoredag.score.kernel import GaussianKernel


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 150), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_bandwidth_is_the_median_over_all_pairs_of_rows(n, d, seed):
    X = np.random.default_rng(seed).normal(size=(n, d))
    assert GaussianKernel(X).bandwidth == pytest.approx(np.median(cdist(X, X)), rel=1e-9)


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
