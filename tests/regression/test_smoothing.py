"""Derivatives against finite differences, criteria against their definitions, and the optimum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.plugins import shelf
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.newton import smooth
from scoredag.regression.penalised import PenalisedProblem

CRITERIA = shelf("scoredag.regression.smoothing")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    sizes, n = [5, 3, 1, 6], 120
    Z = rng.normal(size=(n, sum(sizes)))
    Z -= Z.mean(axis=0)
    y = Z[:, 0] - 2 * Z[:, 1] + 0.3 * Z[:, 6] + rng.normal(size=n)
    y -= y.mean()
    penalty = np.concatenate([np.r_[0.0, np.cumprod(np.full(s - 1, 3.0))] for s in sizes])
    return Z, y, penalty, np.cumsum([0, *sizes[:-1]])


@pytest.fixture
def problem(data):
    Z, y, penalty, starts = data
    return PenalisedProblem(Z.T @ Z, Z.T @ y, float(y @ y), len(y), penalty, starts)


def test_solution_minimises_the_penalised_sum_of_squares(data, problem):
    Z, y, penalty, _ = data
    solution = problem.solve(np.array([1.0, 2.0, 0.0, -1.0]))
    S = np.diag(np.exp([1.0, 2.0, 0.0, -1.0])[problem.term_of] * penalty)
    beta = np.linalg.solve(Z.T @ Z + S, Z.T @ y)
    F = np.linalg.solve(Z.T @ Z + S, Z.T @ Z)
    assert_allclose(solution.beta, beta)
    assert solution.residual_square == pytest.approx(((y - Z @ beta) ** 2).sum())
    assert_allclose(solution.edf, np.add.reduceat(np.diag(F), problem.starts))
    assert solution.residual_df == pytest.approx(len(y) - 1 - np.trace(F))
    assert solution.log_det == pytest.approx(np.linalg.slogdet(Z.T @ Z + S)[1])


@pytest.mark.parametrize("name", list(CRITERIA))
def test_derivatives_equal_finite_differences(name, problem):
    criterion = CRITERIA[name]
    here, h = np.array([0.3, 1.0, 0.0, -0.5]), 1e-5
    _, gradient, hessian = criterion(problem.solve(here))
    steps = h * np.eye(4)
    up = [criterion(problem.solve(here + step)) for step in steps]
    down = [criterion(problem.solve(here - step)) for step in steps]
    numeric = [(u[0] - v[0]) / (2 * h) for u, v in zip(up, down, strict=True)]
    assert_allclose(gradient, numeric, atol=1e-6 * np.abs(gradient).max())
    numeric = [(u[1] - v[1]) / (2 * h) for u, v in zip(up, down, strict=True)]
    assert_allclose(hessian, numeric, atol=1e-6 * np.abs(hessian).max())


def test_gcv_is_generalised_cross_validation(problem):
    solution = problem.solve(np.zeros(4))
    score = solution.residual_square / solution.residual_df**2
    assert CRITERIA["gcv"](solution)[0] == pytest.approx(problem.n_rows * np.log(score))


def test_reml_is_the_marginal_likelihood(data, problem):
    """With unpenalised directions projected out, REML is the likelihood of y under its prior."""
    Z, y, penalty, _ = data

    def minus_twice_log_likelihood(log_lambda):
        free = penalty == 0
        fixed = np.column_stack([np.ones(len(y)), Z[:, free]])
        basis = np.linalg.qr(fixed, mode="complete")[0][:, fixed.shape[1] :]
        weights = np.exp(log_lambda)[problem.term_of][~free] * penalty[~free]
        K = Z[:, ~free] / weights @ Z[:, ~free].T + np.eye(len(y))
        V, r = basis.T @ K @ basis, basis.T @ y
        profiled = len(r) * np.log(r @ np.linalg.solve(V, r))
        return profiled + np.linalg.slogdet(V)[1]

    points = [np.array([0.0, 0.0, 0.0, 0.0]), np.array([1.0, -2.0, 0.0, 3.0])]
    ours = [CRITERIA["reml"](problem.solve(point))[0] for point in points]
    theirs = [minus_twice_log_likelihood(point) for point in points]
    assert ours[0] - ours[1] == pytest.approx(theirs[0] - theirs[1])


@pytest.mark.parametrize("name", list(CRITERIA))
def test_no_point_nearby_is_better_than_the_optimum(name, problem):
    criterion = CRITERIA[name]
    best = smooth(problem, criterion)
    value = criterion(best)[0]
    for step in np.vstack([np.eye(4), -np.eye(4)]):
        nearby = np.clip(best.log_lambda + 0.2 * step, None, np.log(1e8))
        assert criterion(problem.solve(nearby))[0] > value - 1e-4


def test_a_linear_effect_is_fitted_by_a_line():
    rng = np.random.default_rng(1)
    x, noise = rng.normal(size=(2, 400))
    design = AdditiveDesign.of(np.column_stack([x, 3 * x + noise]), [0], cubic, 10)
    assert design.regress(1, [0], CRITERIA["reml"]).edf[0] < 1.5


@pytest.mark.parametrize("spread", [0.5, 2.0, 3.0])
def test_long_tails_do_not_stop_the_search_short(spread):
    """Penalties of a heavy-tailed predictor differ by ten orders of magnitude and more."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        z = rng.normal(size=500)
        y = np.sin(6 * np.argsort(np.argsort(z)) / 500) + 0.5 * rng.normal(size=500)
        design = AdditiveDesign.of(np.column_stack([np.exp(spread * z), y]), [0], cubic, 10)
        fit = design.regress(1, [0], CRITERIA["reml"])
        reached = CRITERIA["reml"](fit.solution)[0]
        problem = fit.solution.problem
        grid = np.arange(-30, 18, 0.5)[:, None]
        best = min(CRITERIA["reml"](problem.solve(point))[0] for point in grid)
        assert reached < best + 1
        assert fit.p_values()[0] < 1e-3


def test_collinear_columns_do_not_fail(data):
    Z, y, penalty, starts = data
    Z = Z.copy()
    Z[:, 5] = Z[:, 0]  # two unpenalised columns that are equal
    problem = PenalisedProblem(Z.T @ Z, Z.T @ y, float(y @ y), len(y), penalty, starts)
    solution = smooth(problem, CRITERIA["reml"])
    assert np.isfinite(solution.beta).all()
    assert np.abs(solution.beta).max() < 10


@pytest.mark.parametrize("name", list(CRITERIA))
def test_an_exact_fit_has_a_positive_noise_variance(name, data):
    """Inner products leave rounding errors of either sign where nothing is left to explain."""
    Z, _, penalty, starts = data
    for seed in range(20):
        y = Z @ np.random.default_rng(seed).normal(size=Z.shape[1])
        problem = PenalisedProblem(Z.T @ Z, Z.T @ y, float(y @ y), len(y), penalty, starts)
        solution = smooth(problem, CRITERIA[name])
        assert solution.residual_square > 0
        assert solution.penalised_square > 0
