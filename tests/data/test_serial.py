"""Serial dependence of rows is found; independent and sorted rows are not taken for it."""

import numpy as np
import pytest
from scipy.signal import lfilter

from scoredag.data.serial import dependent_given, evenly_spaced, serially_dependent, sort_keys


def autoregressive(rng, n, d, coefficient):
    return lfilter([1.0], [1.0, -coefficient], rng.normal(size=(n, d)), axis=0)


@pytest.mark.parametrize("coefficient", [1.0, 0.9, 0.5])
@pytest.mark.parametrize("n", [200, 1000])
def test_time_series_are_found(coefficient, n):
    for seed in range(10):
        X = autoregressive(np.random.default_rng(seed), n, 3, coefficient)
        assert serially_dependent(X).all()
        assert serially_dependent(np.exp(X / X.std())).all()
        assert not serially_dependent(np.random.default_rng(seed).permutation(X)).any()


def test_a_slow_drift_below_much_noise():
    X = np.random.default_rng(0).normal(size=(1000, 2))
    X[:, 1] += 0.3 * np.linspace(-1.7, 1.7, 1000)
    assert np.corrcoef(X[1:, 1], X[:-1, 1])[0, 1] < 0.15
    assert serially_dependent(X).tolist() == [False, True]


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, shape: rng.normal(size=shape),
        lambda rng, shape: rng.standard_cauchy(size=shape),
        lambda rng, shape: rng.poisson(1, size=shape).astype(float),
        lambda rng, shape: (rng.random(shape) < 0.5).astype(float),
        lambda rng, shape: (rng.random(shape) < 0.03).astype(float),
    ],
)
def test_independent_rows_are_not_named(draw):
    rng = np.random.default_rng(0)
    named = 0
    for n in (50, 200, 2000):
        for _ in range(20):
            X = draw(rng, (n, 20))
            X = X[:, np.ptp(X, axis=0) > 0]
            assert sort_keys(X) == []
            named += serially_dependent(X).any()
    assert named == 0


def test_rare_values_beside_each_other_are_not_named():
    X = np.random.default_rng(0).normal(size=(2000, 2))
    X[:, 1] = 0
    X[700:705, 1] = 1
    assert not serially_dependent(X).any()


@pytest.mark.parametrize("direction", [1, -1])
def test_sort_keys(direction):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(200, 2)), rng.integers(0, 3, size=200)])
    assert sort_keys(direction * X[np.argsort(X[:, 1])]) == [1]
    assert sort_keys(direction * X[np.lexsort([X[:, 0], X[:, 2]])]) == [2, 0]
    assert sort_keys(direction * X[np.argsort(X[:, 2], kind="stable")]) == [2]


@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("function", [lambda x: 2 * x, np.tanh, np.square, np.exp])
def test_a_column_that_follows_the_sort_key_is_explained_by_it(function, noise):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = np.sort(rng.normal(size=300))
        X = np.column_stack([x, function(x) + noise * rng.normal(size=300)])
        assert serially_dependent(X).all()
        assert not dependent_given(X, [0]).any()


def test_a_walk_beside_a_time_stamp_is_not_explained_by_it():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        time = np.sort(rng.uniform(size=300))
        X = np.column_stack([time, rng.normal(size=(300, 2)).cumsum(axis=0)])
        assert dependent_given(X, [0]).tolist() == [False, True, True]


def test_a_function_of_the_sort_key_without_noise():
    x = np.sort(np.random.default_rng(0).normal(size=200))
    assert not dependent_given(np.column_stack([x, 3 * x + 1]), [0]).any()


def test_even_spacing():
    assert evenly_spaced(np.arange(100.0)[::-1])
    assert evenly_spaced(1.7e9 + 3600 * np.arange(100))
    assert evenly_spaced(np.cumsum(np.full(500, 0.1)))
    assert not evenly_spaced(np.sort(np.random.default_rng(0).normal(size=100)))
    assert not evenly_spaced(np.zeros(10))
