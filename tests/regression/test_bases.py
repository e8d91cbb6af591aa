"""Spline bases: what they span, what they penalise, and what they do with few values."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.interpolate import CubicSpline

from scoredag.plugins import shelf
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.bases.line import line
from scoredag.regression.bases.thin_plate import thin_plate
from scoredag.regression.basis import weights_with_edf
from scoredag.regression.smoothing.reml import reml

X = np.sort(np.random.default_rng(0).gamma(2.0, size=200))
BASES = {name: b for name, b in shelf("scoredag.regression.bases").items() if name != "line"}


def design_of(x, make_basis, size):
    return AdditiveDesign.of(np.column_stack([x, x]), [0], make_basis, size)


@pytest.mark.parametrize("name", list(BASES))
@pytest.mark.parametrize("size", [3, 7, 10])
def test_columns_are_centred_orthonormal_and_contain_the_line(name, size):
    basis = design_of(X, BASES[name], size).bases[0]
    Z = basis.columns(X - X.mean())
    assert Z.shape == (200, size - 1)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-8)
    assert_allclose(Z.T @ Z, np.eye(size - 1), atol=1e-6)
    line = (X - X.mean()) / np.linalg.norm(X - X.mean())
    assert_allclose(np.abs(Z[:, 0] @ line), 1, atol=1e-6)  # the first column is the line
    assert basis.penalty[0] == 0
    assert basis.penalty[1] == pytest.approx(1)


@pytest.mark.parametrize("name", list(BASES))
def test_the_penalty_is_the_integrated_squared_curvature(name):
    raw = BASES[name](X, 8)
    # Thin-plate bases are scaled to unit spread inside; compare shapes, so up to one factor.
    fine = np.linspace(X[0], X[-1], 20001)
    values = raw.evaluate(fine)
    curvature = np.diff(values, n=2, axis=0) / (fine[1] - fine[0]) ** 2
    integral = curvature.T @ curvature * (fine[1] - fine[0])
    factor = np.trace(integral) / np.trace(raw.penalty)
    assert_allclose(integral / factor, raw.penalty, atol=2e-3 * np.abs(raw.penalty).max())


def test_cubic_is_the_natural_interpolating_spline_and_its_straight_continuation():
    raw = cubic(X, 6)
    knots = np.quantile(X, np.linspace(0, 1, 6))
    values = np.random.default_rng(1).normal(size=6)
    spline = CubicSpline(knots, values, bc_type="natural")
    assert_allclose(raw.evaluate(X) @ values, spline(X), atol=1e-10)
    beyond = np.array([knots[-1], knots[-1] + 1, knots[-1] + 2])
    assert_allclose(np.diff(raw.evaluate(beyond) @ values), spline(knots[-1], 1), atol=1e-8)
    before = np.array([knots[0] - 2, knots[0] - 1, knots[0]])
    assert_allclose(np.diff(raw.evaluate(before) @ values), spline(knots[0], 1), atol=1e-8)


def test_thin_plate_spans_the_leading_eigenvectors():
    """At the sample, the basis must equal U_k D_k restricted to bending functions (Wood 2003)."""
    z = (X - X.mean()) / X.std()
    E = np.abs(z[:, None] - z[None, :]) ** 3 / 12
    eigenvalues, U = np.linalg.eigh(E)
    leading = U[:, np.argsort(-np.abs(eigenvalues))[:8]]
    bending = thin_plate(X, 8).evaluate(X)[:, :-1]
    assert_allclose(leading @ (leading.T @ bending), bending, atol=1e-8 * np.abs(bending).max())


@pytest.mark.parametrize("name", list(BASES))
@pytest.mark.parametrize("values", [2, 3, 5, 12])
def test_few_distinct_values_leave_fewer_coefficients(name, values):
    x = np.random.default_rng(0).integers(0, values, size=300).astype(float)
    design = design_of(x, BASES[name], 10)
    assert design.gram.shape[0] == min(values, 10) - 1
    assert_allclose(design.gram, np.eye(len(design.gram)), atol=1e-6)


@pytest.mark.parametrize("name", list(BASES))
@pytest.mark.parametrize("x", [np.append(X, 1e3), np.exp(3 * np.log(X)), np.append(X, X + 1e3)])
def test_long_tails_and_clusters_keep_their_coefficients(name, x):
    basis = design_of(x, BASES[name], 10).bases[0]
    assert len(basis.penalty) >= 7
    Z, line = basis.columns(x - x.mean()), x - x.mean()
    assert_allclose(Z @ (Z.T @ line), line, atol=1e-4 * np.abs(line).max())


@pytest.mark.parametrize("name", list(BASES))
def test_values_that_differ_by_rounding_are_one_value(name):
    steps = np.random.default_rng(0).integers(0, 12, size=300)
    x = steps * 0.1
    rounded = np.where(np.arange(300) % 2, x, steps / 10)
    assert len(np.unique(rounded)) > len(np.unique(np.round(rounded, 9)))
    other = design_of(rounded, BASES[name], 10).bases[0].penalty
    assert_allclose(
        other, design_of(np.round(rounded, 9), BASES[name], 10).bases[0].penalty, rtol=1e-3
    )


@pytest.mark.parametrize("name", list(BASES))
def test_bases_survive_pickling(name):
    raw = BASES[name](X, 10)
    again = pickle.loads(pickle.dumps(raw))
    assert_allclose(again.evaluate(X), raw.evaluate(X))


def test_thin_plate_with_more_values_than_knots():
    x = np.random.default_rng(0).normal(size=5000)
    Z = design_of(x, thin_plate, 10).bases[0].columns(x - x.mean())
    assert_allclose(Z.T @ Z, np.eye(9), atol=1e-6)


def test_a_line_makes_it_least_squares():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X[:, 2] += 0.4 * X[:, 0]
    design = AdditiveDesign.of(X, [0, 1], line, 10)
    p = design.regress(2, [0, 1], reml).p_values()
    A = np.column_stack([np.ones(60), X[:, :2]])
    coefficients, (rss,), *_ = np.linalg.lstsq(A, X[:, 2], rcond=None)
    errors = np.sqrt(rss / 57 * np.linalg.inv(A.T @ A).diagonal())
    assert_allclose(p, 2 * stats.t.sf(np.abs(coefficients / errors), 57)[1:])


@pytest.mark.parametrize("edf", [1.5, 4.0, 8.5])
def test_weights_leave_the_degrees_of_freedom_that_are_asked_for(edf):
    penalty = design_of(X, cubic, 10).bases[0].penalty
    assert (1 / (1 + weights_with_edf(penalty, edf))).sum() == pytest.approx(edf)


def test_weights_beyond_what_there_is():
    assert_allclose(weights_with_edf(np.array([0.0, 1.0]), edf=5.0), 0)
    with pytest.raises(ValueError, match="edf must be more than 1"):
        weights_with_edf(np.array([0.0, 1.0]), edf=1.0)


def test_padding_changes_no_regression():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), rng.integers(0, 4, 200), rng.normal(size=200)])
    design = AdditiveDesign.of(X, [0, 1], cubic, 10)
    gram, cross, weights = design.padded(edf=4.0)
    assert weights.shape == (2, 9)
    padded = np.linalg.solve(gram + np.diag(weights.ravel()), cross[:, 2])
    real = np.r_[0:9, 9:12]
    plain = design.gram + np.diag(weights.ravel()[real])
    assert_allclose(padded[real], np.linalg.solve(plain, design.cross[:, 2]))
    assert_allclose(padded[12:], 0)
