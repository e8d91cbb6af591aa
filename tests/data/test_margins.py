import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.data.margins import heavy_tailed, normal_scores

ORDINARY = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "laplace": lambda rng, n: rng.laplace(size=n),
    "gumbel": lambda rng, n: rng.gumbel(size=n),
    "exponential": lambda rng, n: rng.exponential(size=n),
}
HEAVY = {
    "t2": lambda rng, n: rng.standard_t(2, size=n),
    "lognormal": lambda rng, n: rng.lognormal(sigma=1.5, size=n),
    "outlier": lambda rng, n: np.append(rng.normal(size=n - 1), 1000.0),
}


@pytest.mark.parametrize("n", [200, 1000, 5000])
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_columns_are_left_alone(name, n):
    columns = [ORDINARY[name](np.random.default_rng(seed), n) for seed in range(20)]
    assert heavy_tailed(np.column_stack(columns)).sum() <= 2


@pytest.mark.parametrize("n", [200, 1000, 5000])
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_tails_and_outliers_are_found(name, n):
    columns = [HEAVY[name](np.random.default_rng(seed), n) for seed in range(20)]
    assert heavy_tailed(np.column_stack(columns)).sum() >= 18


def test_columns_are_judged_one_by_one():
    rng = np.random.default_rng(0)
    X = np.column_stack([make(rng, 500) for make in (*ORDINARY.values(), *HEAVY.values())])
    assert_array_equal(heavy_tailed(X), [False] * 5 + [True] * 3)


def test_one_of_two_values_has_no_tails():
    rare = np.zeros((200, 2))
    rare[:5] = 1.0
    rare[5, 1] = 0.5
    assert_array_equal(heavy_tailed(rare), [False, True])


@given(st.integers(0, 1000), st.floats(-6, 6), st.sampled_from([-1.0, 1.0]), st.floats(-1e3, 1e3))
def test_units_do_not_matter(seed, exponent, sign, shift):
    rng = np.random.default_rng(seed)
    X = np.column_stack([make(rng, 300) for make in (*ORDINARY.values(), *HEAVY.values())])
    moved = sign * 10.0**exponent * (X + shift)
    assert_array_equal(heavy_tailed(moved), heavy_tailed(X))


@pytest.mark.parametrize("change", [np.exp, np.cbrt, np.arctan, lambda x: 3 * x - 5])
def test_scores_are_those_of_any_monotone_change(change):
    X = np.random.default_rng(0).normal(size=(101, 3))
    assert_array_equal(normal_scores(change(X)), normal_scores(X))
    assert_allclose(normal_scores(-change(X)), -normal_scores(X), atol=1e-12)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=40))
def test_equal_values_get_equal_scores_and_larger_ones_larger(values):
    x = np.array(values, dtype=float)
    scores = normal_scores(x[:, None])[:, 0]
    assert np.isfinite(scores).all()
    assert_array_equal(np.sign(scores[:, None] - scores), np.sign(x[:, None] - x))


def test_scores_look_normal():
    scores = normal_scores(np.random.default_rng(0).lognormal(size=(2000, 1)))
    assert_allclose(scores.mean(), 0.0, atol=1e-9)
    assert_allclose(scores.std(), 1.0, atol=0.01)
    assert abs(scores).max() < 4
