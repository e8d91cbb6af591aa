"""Columns that only all rows show to be causes."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import Knowledge
from scoredag.data.standardise import standardise
from scoredag.order.isolated import place_isolated
from scoredag.regression.gp_fit import GPFit

NAMES = ["effect", "cause", "parent"]


def faint(n=4000, seed=0, noise="uniform"):
    """1 has a faint effect on 0, 2 a strong one."""
    rng = np.random.default_rng(seed)
    cause, parent = rng.uniform(-1, 1, size=(2, n))
    e = rng.uniform(-1, 1, size=n) if noise == "uniform" else 0.6 * rng.normal(size=n)
    return standardise(np.column_stack([0.1 * cause + np.sin(3 * parent) + 0.3 * e, cause, parent]))


FITS = [GPFit(frozenset({2}), -50.0, 0.0, np.zeros(3)), GPFit.null(3), GPFit.null(3)]


def placed(X, order=(2, 0, 1), fits=FITS, **rules):
    return place_isolated(order, fits, X, Knowledge(**rules).resolve(NAMES[: len(order)]))


@pytest.mark.parametrize("noise", ["uniform", "normal"])
@pytest.mark.parametrize("seed", range(3))
def test_a_faint_cause_comes_first(noise, seed):
    assert_array_equal(placed(faint(seed=seed, noise=noise)), [1, 2, 0])


@pytest.mark.parametrize("seed", range(3))
def test_a_faint_effect_stays_last(seed):
    rng = np.random.default_rng(seed)
    cause = rng.uniform(-1, 1, size=4000)
    child = np.exp(cause) + 0.1 * rng.normal(size=4000)
    effect = 0.15 * cause + rng.uniform(-1, 1, size=4000)
    X = standardise(np.column_stack([child, effect, cause]))
    fits = [GPFit(frozenset({2}), -50.0, 0.0, np.zeros(3)), GPFit.null(3), GPFit.null(3)]
    assert_array_equal(placed(X, fits=fits), [2, 0, 1])


def test_an_independent_column_stays_where_it_is():
    moved = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = faint(1000, seed)
        X[:, 1] = rng.permutation(X[:, 1])
        moved += placed(X)[0] == 1
    assert moved <= 3  # the level is 0.01


def test_columns_that_are_not_isolated_keep_their_places():
    fits = [FITS[0], GPFit(frozenset({0}), -9.0, 0.0, np.zeros(3)), FITS[2]]
    assert_array_equal(placed(faint(), fits=fits), [2, 0, 1])


@pytest.mark.parametrize(
    "rules",
    [
        {"forbidden": ["cause -> effect"]},
        {"tiers": [["parent", "effect"], ["cause"]]},
        {"required": ["parent -> cause"]},
    ],
)
def test_rules_are_obeyed(rules):
    assert placed(faint(), **rules)[-1] == 1
