"""Heavy tails that a function makes stay; those of noise and of unseen causes go."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.data.margins import heavy_tailed
from scoredag.order.rank_transform import better_by_rank
from tests.some_slow import some_slow


def tables(n, rng):
    """Two columns each, the second one with heavy tails."""
    x, e = rng.normal(size=(2, n))
    wave = np.sin(2 * x)
    skewed = rng.exponential(size=n)
    with_outlier = wave + 0.3 * e
    with_outlier[n // 2] = 1e6
    return {
        "cube": (np.column_stack([x, x**3 + 0.5 * e]), False),
        "exponential": (np.column_stack([x, np.exp(1.5 * x) + e]), False),
        "rounded cube": (np.column_stack([x, (x**3 + 0.5 * e).round(1)]), False),
        "cube, skewed noise": (np.column_stack([x, x**3 + 2 * skewed]), False),
        "product": (np.column_stack([x, np.exp(2 * wave + e)]), True),
        "cause": (np.column_stack([np.sin(x) + 0.3 * e, np.exp(2 * x)]), True),
        "outlier": (np.column_stack([x, with_outlier]), True),
        "alone": (np.column_stack([e, rng.standard_t(2, size=n)]), True),
    }


@pytest.mark.parametrize("kind", tables(10, np.random.default_rng(0)))
@pytest.mark.parametrize("seed", some_slow(range(3), 1))
def test_the_likelier_one_is_taken(kind, seed):
    X, by_rank = tables(300, np.random.default_rng(seed))[kind]
    chosen = better_by_rank(X, np.array([False, True]))
    assert_array_equal(chosen, [False, by_rank])


def test_an_outlier_counts_even_if_its_row_is_not_drawn():
    X, _ = tables(3000, np.random.default_rng(0))["outlier"]
    assert_array_equal(better_by_rank(X, heavy_tailed(X), rows=100), [False, True])


def test_columns_with_heavy_tails_do_not_hide_what_explains_another():
    """Predictors enter by rank, whatever becomes of them."""
    rng = np.random.default_rng(0)
    x, e, f = rng.normal(size=(3, 300))
    cause = np.exp(2 * x)
    X = np.column_stack([cause, x**3 + 0.5 * e, np.cos(x) + 0.3 * f])
    assert_array_equal(better_by_rank(X, np.array([True, True, False])), [True, False, False])


def test_nothing_is_drawn_where_nothing_is_in_question():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    state = rng.bit_generator.state
    assert_array_equal(better_by_rank(X, np.zeros(2, dtype=bool), rng=rng), [False, False])
    assert rng.bit_generator.state == state


def test_many_equal_values_go_by_rank():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    mostly_zero = np.where(rng.random(300) < 0.7, 0.0, np.exp(3 * x))
    X = np.column_stack([x, mostly_zero])
    assert_array_equal(better_by_rank(X, heavy_tailed(X)), [False, True])
