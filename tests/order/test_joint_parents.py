"""Columns that the search explains hardly or not at all, looked at again on many rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import Knowledge
from scoredag.data.standardise import standardise
from scoredag.order.joint_parents import find_joint_parents
from scoredag.regression.gp_fit import GPFit

NAMES = [*"yabcdef", "child"]
PARENTS = [1, 2, 3, 4, 5, 6]
NULL = GPFit.null(8)
CHILD = GPFit(frozenset({0}), -500.0, 0.0, np.zeros(8))


def joint(n=2000, seed=0):
    """The first column is a joint function of the next six, the last one a function of it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 8))
    X[:, 0] = np.sin(X[:, PARENTS].sum(axis=1)) + 0.3 * X[:, 0]
    X[:, 7] = np.sin(2 * X[:, 0]) + 0.1 * X[:, 7]
    return standardise(X)


def looked(X, order=(0, 7, 1, 2, 3, 4, 5, 6), fits=(*[NULL] * 7, CHILD), rules=None, **options):
    constraints = Knowledge(**(rules or {})).resolve(NAMES[: X.shape[1]])
    return find_joint_parents(order, fits, X, constraints, **options)


@pytest.mark.parametrize("seed", range(3))
def test_a_joint_function_is_found_and_comes_behind_its_parents(seed):
    order, found = looked(joint(seed=seed))
    assert {v: sorted(fit.parents) for v, fit in found.items()} == {0: PARENTS}
    assert found[0].loss < -25
    assert_array_equal(order, [*PARENTS, 0, 7])


def test_clear_fits_stay_and_faint_ones_are_replaced():
    faint = GPFit(frozenset({1}), -9.0, 0.0, np.zeros(8))
    fits = (faint, *[NULL] * 6, CHILD)
    assert sorted(looked(joint(), fits=fits)[1][0].parents) == PARENTS
    # The same fit on 5 rows would have 3,600 nats on these.
    assert 0 not in looked(joint(), fits=fits, fit_rows=5)[1]
    known = GPFit(frozenset({1}), -900.0, 0.0, np.zeros(8))
    assert 0 not in looked(joint(), (1, 0, 7, 2, 3, 4, 5, 6), (known, *[NULL] * 6, CHILD))[1]


@pytest.mark.parametrize(
    ("noise", "options"),
    [
        ("normal", {}),
        ("exponential", {}),
        ("standard_t", {"df": 3}),
        ("integers", {"low": 0, "high": 3}),
    ],
)
def test_independent_columns_get_no_parents(noise, options):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = standardise(getattr(rng, noise)(**options, size=(1500, 8)))
        order, found = looked(X, range(8), [NULL] * 8)
        assert not found
        assert_array_equal(order, range(8))


def test_an_additive_relation_is_left_to_others():
    """It has no direction: the search has not weighed it."""
    X = joint()
    X[:, 0] = 0.2 * X[:, PARENTS].sum(axis=1) + np.random.default_rng(1).normal(size=len(X))
    X[:, 7] = np.random.default_rng(2).normal(size=len(X))
    assert not looked(standardise(X), range(8), [NULL] * 8)[1]


@pytest.mark.parametrize(
    "rules",
    [{"roots": ["y"]}, {"forbidden": ["a -> y"]}, {"tiers": [["y"], [*"abcdef", "child"]]}],
)
def test_rules_are_obeyed(rules):
    order, found = looked(joint(), (0, 7, 1, 2, 3, 4, 5, 6), rules=rules)
    assert 0 not in found or 1 not in found[0].parents
    places = {v: place for place, v in enumerate(order.tolist())}
    assert "tiers" not in rules or places[0] == 0
    assert all(places[k] < places[v] for v, fit in found.items() for k in fit.parents)


def test_a_required_child_stays_behind():
    order, _ = looked(joint(), range(8), [NULL] * 8, rules={"required": ["y -> child"]})
    assert_array_equal(order, [*PARENTS, 0, 7])


def test_only_candidates_become_parents():
    candidates = ~np.eye(8, dtype=bool)
    candidates[3, 0] = False
    found = looked(joint(), candidates=candidates)[1]
    assert all(candidates[k, v] for v, fit in found.items() for k in fit.parents)


def test_a_column_by_rank_has_a_fit_by_rank():
    by_rank = np.arange(8) == 0
    assert looked(joint(), by_rank=by_rank)[1][0].post_nonlinear
    assert not looked(joint())[1][0].post_nonlinear


def test_the_loss_counts_from_that_of_the_column_without_parents():
    null = GPFit(frozenset(), -40.0, 0.0, np.zeros(8))
    fits, null_losses = (null, *[NULL] * 6, CHILD), [-40.0, *[0.0] * 7]
    lower = looked(joint(), fits=fits, null_losses=null_losses)[1][0].loss
    assert lower == looked(joint())[1][0].loss - 40


def test_the_same_bits_for_any_number_of_jobs():
    one, two = (looked(joint(), n_jobs=n_jobs) for n_jobs in (1, 2))
    assert_array_equal(one[0], two[0])
    assert_array_equal(one[1][0].relevances, two[1][0].relevances)


def with_an_additive_effect(strength, n=4000, seed=0):
    """The first column is a joint function of the next six and a line in the last one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 8))
    X[:, 0] = np.sin(X[:, PARENTS].sum(axis=1)) + strength * X[:, 7] + 0.3 * X[:, 0]
    return standardise(X)


@pytest.mark.parametrize("strength", [0.1, 0.2, 0.4])
def test_parents_of_the_fit_before_stay_before_the_column(strength):
    X = with_an_additive_effect(strength)
    line = GPFit(frozenset({7}), -20.0, 0.0, np.zeros(8))
    order, found = looked(X, (7, *PARENTS, 0), (line, *[NULL] * 7))
    assert not found  # the edge test has no model of such a sum
    assert_array_equal(order, [7, *PARENTS, 0])
    # The joint parents come before the column as well, where they were behind.
    order, found = looked(X, (7, 0, *PARENTS), (line, *[NULL] * 7))
    assert not found
    assert_array_equal(order, [7, *PARENTS, 0])


def test_roots_are_no_functions_of_a_column_with_a_clear_fit():
    """The fit shows one parent clearly and the others not at all: they must not become children."""
    X = with_an_additive_effect(2.0)
    line = GPFit(frozenset({7}), -2000.0, 0.0, np.zeros(8))
    assert not looked(X, (7, 0, *PARENTS), (line, *[NULL] * 7))[1]


def test_progress_is_reported():
    told = []
    looked(joint(), progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] <= 1
