import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.data.standardise import standardise
from scoredag.regression.free_noise import fit_noise
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.gp_fit import GPFit, fit_gp
from scoredag.regression.log_scale import scale_features


def fitted(x, y):
    X = standardise(np.column_stack([x, y]))
    fit = fit_gp(X, 1, np.array([0.7, 0.0]))
    return X, fit, [scale_features(X[:, 0])]


def pair(seed, n=400, slope=0.0, draw=None):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    e = rng.normal(size=n) if draw is None else draw(rng, n)
    return x, np.sin(2 * x) + 0.4 * np.exp(slope * x) * e


def test_normal_noise_of_constant_scale_is_the_limit():
    X, fit, features = fitted(*pair(0))
    noise = fit_noise([X], 1, fit, features)
    evidence = JointEvidence(X[:, :1], X[:, 1]).value(fit.log_amplitude, fit.relevances[:1])
    assert not noise.log_variance.any()
    # But for single precision: see "Single precision" in docs/decisions/0005.
    assert noise.loss == pytest.approx(evidence - noise.density_gain, abs=0.05)
    assert noise.density_gain < 3
    assert_allclose(noise.residuals.std(), 1, atol=0.1)


def test_leave_one_out_residuals_equal_refits_without_each_row():
    X, fit, _ = fitted(*pair(1, n=60))
    found = JointEvidence(X[:, :1], X[:, 1]).leave_one_out(fit.log_amplitude, fit.relevances[:1])
    K = np.exp(fit.log_amplitude - 0.5 * (fit.relevances[0] * (X[:, :1] - X[:, 0])) ** 2)
    M = K + np.eye(60)
    for i in (0, 17, 59):
        rest = np.delete(np.arange(60), i)
        solved = np.linalg.solve(M[np.ix_(rest, rest)], np.c_[X[rest, 1], K[rest, i]])
        residual = X[i, 1] - K[i, rest] @ solved[:, 0]
        variance = M[i, i] - K[i, rest] @ solved[:, 1]
        assert found.residuals[i] == pytest.approx(residual / np.sqrt(variance))
    assert 0 < found.share < 1


def test_log_variance_in_the_evidence_equals_a_dense_computation():
    rng = np.random.default_rng(2)
    X, y, w = rng.normal(size=(40, 2)), rng.normal(size=40), rng.normal(size=40)
    r = np.array([0.5, 1.2])
    apart = (X[:, None] - X[None]) * r
    M = np.exp(0.3 - 0.5 * (apart**2).sum(axis=2)) + np.diag(np.exp(w))
    expected = 40, y @ np.linalg.solve(M, y), 0.5 * np.linalg.slogdet(M)[1]
    assert_allclose(JointEvidence(X, y, w).terms(0.3, r), expected)
    step = 1e-6
    slope = JointEvidence(X, y, w).slope(0.3, r)
    ends = [JointEvidence(X, y, w).value(0.3, r + s * step * np.array([1, 0])) for s in (1, -1)]
    assert slope.by_relevances[0] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4)


def test_scale_that_varies_lowers_the_loss():
    X, fit, features = fitted(*pair(3, slope=0.8))
    noise = fit_noise([X], 1, fit, features)
    constant = JointEvidence(X[:, :1], X[:, 1]).value(fit.log_amplitude, fit.relevances[:1])
    assert noise.loss < constant - 30
    assert np.corrcoef(noise.log_variance, X[:, 0])[0, 1] > 0.9
    squares = noise.residuals**2
    assert abs(np.corrcoef(squares, X[:, 0])[0, 1]) < 0.1


def test_uniform_noise_is_likelier_than_normal_noise():
    X, fit, features = fitted(*pair(4, draw=lambda rng, n: rng.uniform(-1.7, 1.7, size=n)))
    assert fit_noise([X], 1, fit, features).density_gain > 20


def test_blocks_share_the_variance():
    X, fit, features = fitted(*pair(5))
    whole, halves = (fit_noise(b, 1, fit, features) for b in ([X], [X[:200], X[200:]]))
    assert halves.loss == pytest.approx(whole.loss, rel=0.1)
    assert len(halves.residuals) == 400


def test_noise_without_a_function_has_only_a_scale():
    rng = np.random.default_rng(6)
    x, e = rng.normal(size=(2, 300))
    X = np.column_stack([x, standardise(np.exp(x) * e)])
    fit = GPFit(frozenset({0}), 0.0, 0.0, np.zeros(2), scale_parents=frozenset({0}))
    noise = fit_noise([X], 1, fit, [scale_features(x)])
    assert noise.loss < -50
    assert_allclose(noise.residuals.std(), 1, atol=0.05)
