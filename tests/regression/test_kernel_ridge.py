import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.regression.kernel_ridge import leave_one_out_residuals


def gaussian(A, B, bandwidth):
    return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / (2 * bandwidth**2))


def naive_errors(X, y, bandwidth, ridge, folds):
    """Fit to all rows but those of a fold, predict these, fold by fold."""
    target, errors = y - y.mean(), np.empty(len(y))
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        K = gaussian(X[rest], X[rest], bandwidth)
        coefficients = np.linalg.solve(K + ridge * np.eye(len(rest)), target[rest])
        errors[fold] = target[fold] - gaussian(X[fold], X[rest], bandwidth) @ coefficients
    return errors


def curve(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) * X[:, 1] + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize("ridge", [0.01, 0.3, 10.0])
def test_equals_one_regression_for_each_row_left_out(ridge):
    X, y = curve(40)
    ours = leave_one_out_residuals(X, y, centres=X, bandwidth=1.3, ridges=[ridge])
    folds = np.arange(40)[:, None]
    assert_allclose(ours, naive_errors(X, y, 1.3, ridge, folds), rtol=1e-4, atol=1e-6)


def test_mean_squared_error_is_about_that_of_five_folds():
    X, y = curve(300)
    ours = leave_one_out_residuals(X, y, centres=X, bandwidth=1.0, ridges=[0.1])
    folds = np.array_split(np.random.default_rng(1).permutation(300), 5)
    assert (ours**2).mean() == pytest.approx(
        (naive_errors(X, y, 1.0, 0.1, folds) ** 2).mean(), rel=0.15
    )


def test_fewer_centres_come_close():
    X, y = curve(400)
    every = leave_one_out_residuals(X, y, centres=X, bandwidth=1.5, ridges=[0.3])
    some = leave_one_out_residuals(X, y, centres=X[::3], bandwidth=1.5, ridges=[0.3])
    assert np.corrcoef(every, some)[0, 1] > 0.98


def test_the_ridge_with_the_smallest_error_is_taken():
    X, y = curve(100)
    alone = [
        leave_one_out_residuals(X, y, centres=X, bandwidth=1.0, ridges=[ridge])
        for ridge in (1e-3, 0.1, 100.0)
    ]
    best = min(alone, key=lambda errors: (errors**2).sum())
    chosen = leave_one_out_residuals(X, y, centres=X, bandwidth=1.0, ridges=[1e-3, 0.1, 100.0])
    assert_allclose(chosen, best, rtol=1e-6)


def test_scales_with_the_column():
    X, y = curve(60)
    ours, scaled = (
        leave_one_out_residuals(X, c * y + shift, centres=X, bandwidth=1.0, ridges=[0.1, 1.0])
        for c, shift in ((1.0, 0.0), (1e3, 7.0))
    )
    assert_allclose(scaled, 1e3 * ours, rtol=1e-8, atol=1e-8)


def test_without_predictors_the_mean_predicts():
    y = curve(50)[1]
    none = np.empty((50, 0))
    errors = leave_one_out_residuals(none, y, centres=none[:1], bandwidth=1.0, ridges=[1e-6])
    assert_allclose(errors, (y - y.mean()) / (1 - 1 / 50), rtol=1e-4)


def test_equal_rows_are_no_trouble():
    X, y = curve(30)
    X[10:20] = X[0]
    errors = leave_one_out_residuals(X, y, centres=X, bandwidth=1.0, ridges=[0.01])
    assert np.isfinite(errors).all()
