"""Against the paper's formulas, closed forms, and the rows of one against the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.exceptions import DataError, DataWarning
from scoredag.score import SteinField, stein_hessian_diagonal, stein_jacobian_row, stein_score
from tests.reference import naive_score


def relative_error(ours, naive):
    return np.abs(ours - naive).max() / np.abs(naive).max()


def table(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.exp(0.5 * rng.normal(size=d)) + 10 * rng.normal(size=d)
    X[:, 1:] += np.sin(2 * X[:, :-1])
    return X


@pytest.mark.parametrize("n", [99, 130, 200])
@pytest.mark.parametrize("d", [1, 2, 7, 20])
def test_equals_the_printed_formulas(n, d):
    X = table(n, d, seed=n + d)
    assert relative_error(stein_score(X), naive_score.score(X)) < 1e-8
    assert relative_error(stein_hessian_diagonal(X), naive_score.hessian_diagonal(X)) < 1e-8
    row = d // 2
    assert relative_error(stein_jacobian_row(X, row), naive_score.jacobian_row(X, row)) < 1e-8


@pytest.mark.parametrize("eta", [1e-5, 1e-1])
def test_equals_the_printed_formulas_for_other_ridges(eta):
    X = table(120, 4)
    ours, naive = stein_hessian_diagonal(X, eta), naive_score.hessian_diagonal(X, eta)
    assert relative_error(ours, naive) < 1e-8


def test_a_field_after_removals_equals_one_of_the_columns_left():
    X = table(150, 6)
    field = SteinField(X)
    for column in (4, 0, 5):
        field.remove(column)
    assert_array_equal(field.columns, [1, 2, 3])
    assert_allclose(np.ptp(field.X - X[:, [1, 2, 3]], axis=0), 0, atol=1e-12)  # but for a shift
    fresh = stein_hessian_diagonal(X[:, [1, 2, 3]])
    assert relative_error(field.jacobian_diagonal(), fresh) < 1e-8


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
@pytest.mark.parametrize("scale", [1e3, 1e6, 1e9])
def test_removing_a_column_on_a_huge_scale_leaves_no_rounding_behind(scale):
    X = table(100, 3)
    X[:, 1] *= scale
    field = SteinField(X)
    field.remove(1)
    fresh = stein_hessian_diagonal(X[:, [0, 2]])
    assert relative_error(field.jacobian_diagonal(), fresh) < 1e-8


def test_a_gaussian_sample_has_the_score_of_a_gaussian():
    X = np.random.default_rng(0).normal(size=(800, 2)) * [1.0, 2.0]
    inner = (np.abs(X / [1.0, 2.0]) < 1.5).all(axis=1)
    error = np.abs(stein_score(X) + X / [1.0, 4.0])[inner]
    assert (np.median(error, axis=0) < 0.15).all()
    assert_allclose(np.median(stein_hessian_diagonal(X), axis=0), [-1.0, -0.25], rtol=0.25)


def test_moments_are_those_of_the_diagonal():
    field = SteinField(table(80, 3))
    J = field.jacobian_diagonal()
    mean, variance = field.diagonal_moments()
    assert_allclose(mean, J.mean(axis=0))
    assert_allclose(variance, J.var(axis=0))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_shifts_change_nothing_and_permutations_permute(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, d))
    J = stein_hessian_diagonal(X)
    shifted = stein_hessian_diagonal(X + rng.normal(size=d) * 100)
    assert relative_error(shifted, J) < 1e-6
    columns, rows = rng.permutation(d), rng.permutation(60)
    assert relative_error(stein_hessian_diagonal(X[rows][:, columns]), J[rows][:, columns]) < 1e-6


def test_bandwidth_of_last_resort_where_most_rows_repeat():
    X = np.zeros((40, 2))
    X[:5] = np.random.default_rng(0).normal(size=(5, 2))
    with pytest.warns(DataWarning, match="half of all pairs of rows are equal"):
        J = stein_hessian_diagonal(X)
    assert np.isfinite(J).all()


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_zero_inflated_tables_have_a_bandwidth_and_finite_estimates():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 3)) * (rng.random(size=(150, 3)) < 0.35) + rng.normal(size=3)
        field = SteinField(X)
        for column in (0, 2):
            assert np.isfinite(field.jacobian_diagonal()).all()
            field.remove(column)
        assert np.isfinite(field.jacobian_diagonal()).all()


def test_removing_columns_leaves_no_false_distances_between_equal_rows():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(80, 30)), rng.integers(0, 2, size=80)])
    field = SteinField(X)
    for column in range(29):
        field.remove(column)
    with pytest.warns(DataWarning, match="half of all pairs of rows are equal"):
        field.remove(29)


@pytest.mark.parametrize("outlier", [1e4, 1e8, 1e12])
def test_an_outlier_costs_the_other_rows_no_digits(outlier):
    X = table(120, 3)
    X[7, 1] = outlier
    assert relative_error(stein_hessian_diagonal(X), naive_score.hessian_diagonal(X)) < 1e-8


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_gaps_are_refused(bad):
    X = table(30, 3)
    X[4, 2] = bad
    with pytest.raises(DataError, match="column 2 has NaN or infinity"):
        stein_score(X)


def test_equal_rows_are_refused():
    with pytest.raises(DataError, match="All rows are equal"):
        stein_score(np.ones((20, 2)))


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_a_ridge_too_small_for_double_precision_is_refused():
    X = np.linspace(0, 1, 200)[:, None]
    with pytest.raises(DataError, match="larger eta"):
        stein_score(X, eta=1e-18)


@pytest.mark.parametrize("eta", [0, -1.0, float("nan")])
def test_eta_must_be_positive(eta):
    with pytest.raises(ValueError, match="eta must be a positive number"):
        stein_score(np.eye(5), eta=eta)


def test_unknown_columns_and_the_last_one_are_refused():
    field = SteinField(table(30, 2))
    field.remove(0)
    with pytest.raises(ValueError, match="column 0 is not among the columns left"):
        field.remove(0)
    with pytest.raises(ValueError, match="column 1 is the last one"):
        field.remove(1)


def test_a_table_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"n rows by d columns; got shape \(5,\)"):
        stein_score(np.zeros(5))
    with pytest.raises(ValueError, match="at least 3 rows"):
        stein_score(np.zeros((2, 3)))
