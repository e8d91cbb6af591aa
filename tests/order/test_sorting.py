import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LinearRegression

from scoredag.exceptions import DataError
from scoredag.order import sort_by_r2, sort_by_variance

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 5)) @ RNG.normal(size=(5, 5)) + 3


def test_variance():
    assert_array_equal(sort_by_variance(X), np.argsort(X.var(axis=0)))
    assert_array_equal(sort_by_variance(X, reverse=True), np.argsort(-X.var(axis=0)))


def test_r2_equals_that_of_a_regression():
    r2 = [
        LinearRegression()
        .fit(np.delete(X, j, axis=1), X[:, j])
        .score(np.delete(X, j, axis=1), X[:, j])
        for j in range(5)
    ]
    assert_array_equal(sort_by_r2(X), np.argsort(r2))
    assert_array_equal(sort_by_r2(X * [1, 1e3, 1e-3, 5, 7]), np.argsort(r2))
    assert_array_equal(sort_by_r2(X, reverse=True), np.argsort(r2)[::-1])


def test_r2_of_one_column_and_of_collinear_ones_does_not_fail():
    assert_array_equal(sort_by_r2(X[:, :1]), [0])
    doubled = np.column_stack([X[:, 0], 2 * X[:, 0], X[:, 1]])
    assert sort_by_r2(doubled)[0] == 2


@pytest.mark.parametrize("sort", [sort_by_r2, sort_by_variance])
def test_gaps_are_refused(sort):
    with pytest.raises(DataError, match="finite numbers"):
        sort(np.where(X > 3, np.nan, X))
