import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.exceptions import DataError
from scoredag.order import sort_by_precision


def test_equals_inverting_the_covariance_of_what_is_left():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6)) @ rng.normal(size=(6, 6))
    left, order = list(range(6)), []
    while left:
        precision = np.linalg.inv(np.atleast_2d(np.cov(X[:, left], rowvar=False)))
        order.insert(0, left.pop(int(np.argmin(precision.diagonal()))))
    assert_array_equal(sort_by_precision(X), order)


def test_a_chain_of_equal_noise_variances():
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=1000)]
    for _ in range(4):
        columns.append(0.8 * columns[-1] + rng.normal(size=1000))
    place = np.array([3, 0, 4, 1, 2])
    order = sort_by_precision(np.column_stack(columns)[:, place])
    assert_array_equal(place[order], np.arange(5))


def test_what_has_no_precision_matrix_is_refused():
    X = np.random.default_rng(0).normal(size=(5, 6))
    with pytest.raises(DataError, match="needs more than 6 rows"):
        sort_by_precision(X)
    with pytest.raises(DataError, match="not collinear"):
        sort_by_precision(np.column_stack([X.T[:, :2], X.T[:, 0]]))
    with pytest.raises(DataError, match="finite numbers"):
        sort_by_precision(np.where(X > 1, np.nan, X))
