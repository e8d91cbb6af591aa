from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import Knowledge
from scoredag.data.standardise import standardise
from scoredag.order import greedy_additive, lingam_order, peel
from scoredag.order.starts import mostly_linear, start_orders
from scoredag.settings import SEARCH


def chain(seed, n=500, function=lambda x: x):
    """2 -> 0 -> 1, with uniform noise."""
    x, e, f = np.random.default_rng(seed).uniform(-1, 1, size=(3, n))
    y = function(x) + 0.5 * e
    return np.column_stack([y, function(y) + 0.5 * f, x])


def rules(**known):
    return Knowledge(**known).resolve(["x0", "x1", "x2"])


@pytest.mark.parametrize("seed", range(5))
def test_lingam_finds_a_linear_order(seed):
    assert lingam_order(chain(seed)).tolist() == [2, 0, 1]


def test_lingam_does_not_depend_on_units_or_on_the_order_of_columns():
    X = chain(0)
    assert_array_equal(lingam_order(X * [1e6, 1e-6, -3] + 5), lingam_order(X))
    permutation = [2, 0, 1]
    found = lingam_order(X[:, permutation])
    assert [permutation[k] for k in found] == [2, 0, 1]


def test_lingam_obeys_knowledge():
    order = lingam_order(chain(0), knowledge=rules(required=["x1 -> x2"])).tolist()
    assert order.index(1) < order.index(2)


def test_lingam_accepts_columns_that_are_computed_from_others():
    X = chain(0)
    order = lingam_order(np.column_stack([X, X[:, 0] + X[:, 1]]))
    assert sorted(order.tolist()) == [0, 1, 2, 3]


def test_linear_data_start_at_the_linear_order():
    X = standardise(chain(1))
    first, second = start_orders(X, rules(), np.random.default_rng(0))
    assert_array_equal(first, lingam_order(X))
    assert_array_equal(second, greedy_additive(X).order)


@pytest.mark.parametrize("noise", ["free", "normal"])
def test_other_data_start_at_scores_order(noise):
    X = standardise(chain(2, function=lambda x: np.sin(4 * x)))
    first, _ = start_orders(X, rules(), np.random.default_rng(0), noise=noise)
    assert_array_equal(first, peel(X))


def test_normal_noise_never_starts_at_the_linear_order():
    X = standardise(chain(3))
    first, _ = start_orders(X, rules(), np.random.default_rng(0), noise="normal")
    assert_array_equal(first, peel(X))


def test_columns_without_any_parents_do_not_count_as_linear():
    X = standardise(np.random.default_rng(4).normal(size=(300, 3)))
    assert not mostly_linear(X, np.arange(3))
    assert not mostly_linear(X[:, :1], np.arange(1))


@pytest.mark.parametrize(("bent", "expected"), [(0, True), (1, True), (2, False)])
def test_few_bent_effects_among_lines(bent, expected):
    """Ten columns are functions of the first one, and one in ten of them may be bent."""
    rng = np.random.default_rng(5)
    x, e = rng.normal(size=400), rng.normal(size=(400, 10))
    effects = 2 * x[:, None] + e
    effects[:, 10 - bent :] = 2 * x[:, None] ** 2 + e[:, 10 - bent :]
    X = standardise(np.column_stack([x, effects]))
    settings = replace(SEARCH, screening_level=1e-6)
    candidates = np.zeros((11, 11), dtype=bool)
    candidates[0, 1:] = True
    assert mostly_linear(X, np.arange(11), settings, candidates) == expected
