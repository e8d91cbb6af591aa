"""The evidence of faint Gaussian processes from pairs of rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.data.standardise import standardise
from scoredag.regression import kernel_alignment as module
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.kernel_alignment import fit_alignment, kernel_alignment


def table(n=400, p=4, seed=0):
    """A product of the first two of p columns, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return standardise(X), standardise(X[:, 0] * X[:, 1] + rng.normal(size=n))


RELEVANCES = np.array([0.7, 1.1, 0.3, 0.0])


def kernel(X, relevances):
    distances = X[:, None] - X
    return np.exp(-0.5 * ((distances * relevances) ** 2).sum(axis=2))


@pytest.mark.parametrize("panel_rows", [64, 256, 1000])
def test_the_gain_is_that_of_the_whole_matrix(panel_rows, monkeypatch):
    monkeypatch.setattr(module, "_PANEL_ROWS", panel_rows)
    X, y = table()
    K = kernel(X, RELEVANCES) - np.eye(len(y))
    S, F = y @ K @ y, (K**2).sum()
    found = kernel_alignment(X, y, RELEVANCES)
    assert_allclose(found.gain, S**2 / (4 * F), rtol=1e-4)
    assert_allclose(found.amplitude, S / F, rtol=1e-4)


def test_derivatives_are_those_of_the_gain():
    X, y = table()
    found, step = kernel_alignment(X, y, RELEVANCES), 1e-2
    for k in range(4):
        at = [RELEVANCES + sign * step * np.eye(4)[k] for sign in (-1, 1)]
        below, above = (kernel_alignment(X, y, r).gain for r in at)
        assert_allclose(found.by_relevances[k], (above - below) / (2 * step), rtol=0.01, atol=0.05)


def test_small_amplitudes_have_the_evidence_of_the_gaussian_process():
    X, y = table()
    found = kernel_alignment(X, y, RELEVANCES)
    half_S = 2 * found.gain / found.amplitude
    evidence = -JointEvidence(X, y).value(np.log(1e-5), RELEVANCES)
    assert_allclose(evidence / 1e-5, half_S, rtol=0.01)


def test_noise_gains_a_quarter_of_a_nat():
    """Half of the square of a standard normal variable where that is positive."""
    X, y = table()
    rng = np.random.default_rng(1)
    relevances = np.full(4, 1.5)
    gains = [kernel_alignment(X, rng.permutation(y), relevances).gain for _ in range(200)]
    assert 0.1 < np.mean(gains) < 0.5


def test_a_response_that_opposes_the_kernel_gains_nothing():
    X = np.repeat(np.arange(50.0), 2)[:, None]
    found = kernel_alignment(X, np.tile([-1.0, 1.0], 50), np.array([2.0]))
    assert found.gain == found.amplitude == 0
    assert not found.by_relevances.any()


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_keeps_the_columns_of_the_function(seed):
    X, y = table(1500, 6, seed)
    fit = fit_alignment(X, y, np.full(6, 0.7))
    assert fit.relevances.nonzero()[0].tolist() == [0, 1]
    assert fit.gain > 50
