"""The distribution against simulation and known cases, and the test's level under the null."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scoredag.regression.significance import _ratio_tail, term_p_values


@pytest.mark.parametrize(("k", "nu"), [(1, 0.02), (1, 0.5), (2, 0.3), (4, 0.9), (8, 0.5)])
@pytest.mark.parametrize("T", [1.0, 6.0, 15.0])
def test_tail_equals_simulation(k, nu, T):
    rng = np.random.default_rng(0)
    draws, df = 400_000, 60
    root = np.sqrt(1 - nu**2)
    mixture = (1 + nu + root) / 2 * rng.chisquare(1, draws)
    mixture += (1 + nu - root) / 2 * rng.chisquare(1, draws)
    if k > 1:
        mixture += rng.chisquare(k - 1, draws)
    simulated = np.mean(mixture > T * rng.chisquare(df, draws) / df)
    ours = _ratio_tail(np.array([T]), np.array([k]), np.array([nu]), df)[0]
    assert ours == pytest.approx(simulated, abs=4 * np.sqrt(simulated / draws) + 2e-4)


@pytest.mark.parametrize("r", [1, 3, 5])
def test_whole_degrees_of_freedom_are_an_f_test(r):
    rng = np.random.default_rng(r)
    b, variances = rng.normal(size=5), np.sort(rng.uniform(0.1, 1, size=5))[::-1]
    p = term_p_values(b[None], np.diag(variances)[None], np.array([float(r)]), 50.0)[0]
    T = (b[:r] ** 2 / variances[:r]).sum()
    assert p == pytest.approx(stats.f.sf(T / r, r, 50))


def test_fractional_statistic_is_woods():
    """r = 2.3: directions 2 and 3 are weighted by [[1, rho], [rho, nu]], over both signs of rho."""
    b, variances = np.array([1.5, 2.0, -0.7, 0.4]), np.array([2.0, 1.0, 0.5, 0.1])
    z, k, nu = b / np.sqrt(variances), 2, 0.3
    rho = np.sqrt(nu * (1 - nu) / 2)
    tails = []
    for sign in (1, -1):
        B = np.array([[1, sign * rho], [sign * rho, nu]])
        T = z[0] ** 2 + z[1:3] @ B @ z[1:3]
        tails.append(_ratio_tail(np.array([T]), np.array([k]), np.array([nu]), 70.0)[0])
    p = term_p_values(b[None], np.diag(variances)[None], np.array([2.3]), 70.0)[0]
    assert abs(tails[0] - tails[1]) > 0.01
    assert p == pytest.approx(np.mean(tails))


def test_p_values_are_continuous_in_the_degrees_of_freedom():
    b, V = np.array([[2.0, 1.0, 0.5]]), np.diag([1.0, 0.5, 0.25])[None]
    for r in (1.0, 2.0):
        near = [term_p_values(b, V, np.array([r + e]), 40.0)[0] for e in (0.0, 1e-7, 1e-5)]
        assert_allclose(near, near[0], rtol=0.02)


def test_tiny_p_values_keep_their_relative_accuracy():
    """Between the tails of chi2(1) and of c+ chi2(2), far beyond where 1 - cdf is zero."""
    b, V = np.array([[60.0, 0.0, 0.0]]), np.diag([4.0, 2.0, 1.0])[None]
    p = term_p_values(b, V, np.array([1.5]), 1000.0)[0]
    largest_weight = (1.5 + np.sqrt(0.75)) / 2
    assert stats.f.sf(900, 1, 1000) < p < stats.f.sf(900 / largest_weight / 2, 2, 1000) < 1e-100


def test_eigenvector_signs_do_not_matter():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(4, 4))
    V = A @ A.T
    b = rng.normal(size=4)
    flip = np.diag([1, -1, 1, -1])
    r = np.array([2.4])
    ours = term_p_values(b[None], V[None], r, 80.0)
    assert_allclose(term_p_values((flip @ b)[None], (flip @ V @ flip)[None], r, 80.0), ours)
