import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.data.standardise import standardise
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.gp_fit import GPFit, _drop_faint, _next_step_is_vain, _Point, fit_gp
from scoredag.settings import SEARCH, SearchSettings
from scoredag.simulate import paper_dataset


@pytest.fixture(scope="module")
def table():
    """Columns 0 and 1 cause 4 jointly; 2 and 3 have nothing to do with anything."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 4))
    y = np.sin(2 * x[:, 0]) * x[:, 1] + 0.3 * rng.normal(size=200)
    return standardise(np.column_stack([x, y]))


def start_at(*columns):
    start = np.zeros(5)
    start[list(columns)] = 0.7
    return start


def test_irrelevant_predictors_are_exactly_zero(table):
    found = fit_gp(table, 4, start_at(0, 1, 2, 3))
    assert found.parents == {0, 1}
    assert_array_equal(np.flatnonzero(found.relevances), [0, 1])
    assert found.loss < -50


def test_only_what_is_switched_on_is_used(table):
    found = fit_gp(table, 4, start_at(0, 2, 3))
    assert found.parents <= {0, 2, 3}
    assert found.loss > fit_gp(table, 4, start_at(0, 1)).loss + 50


def test_nothing_switched_on_explains_nothing(table):
    assert fit_gp(table, 4, np.zeros(5)).parents == frozenset()


def test_independent_columns_have_no_cause(table):
    found = fit_gp(table, 2, start_at(0, 1, 3))
    null = GPFit.null(5)
    assert (found.parents, found.loss) == (null.parents, null.loss) == (frozenset(), 0.0)
    assert_array_equal(found.relevances, null.relevances)


@pytest.mark.parametrize("penalty", [0.0, 2.0])
@pytest.mark.parametrize("columns", [(0, 1), (0, 1, 2, 3)])
def test_loss_is_the_evidence_and_two_nats_for_each_cause(table, penalty, columns):
    found = fit_gp(table, 4, start_at(*columns), penalty=penalty)
    evidence = JointEvidence(table, table[:, 4]).value(found.log_amplitude, found.relevances)
    assert found.loss == pytest.approx(
        evidence + SEARCH.parent_cost * len(found.parents), abs=0.01
    )  # in single precision


def test_the_penalty_takes_predictors_out(table):
    free, paid = (fit_gp(table, 4, start_at(0, 1, 2, 3), penalty=tau) for tau in (0.0, 500.0))
    assert len(paid.parents) < len(free.parents)


def test_more_steps_are_at_least_as_good(table):
    few, many = (fit_gp(table, 4, start_at(0, 1, 2, 3), max_steps=k) for k in (1, 40))
    assert many.loss < few.loss


@pytest.mark.parametrize("seed", range(4))
def test_straight_lines_are_causes_too(seed):
    """Their relevances are tiny and the amplitude is huge: only both together say what matters."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 3))
    y = 3 * x[:, 0] + 2 * x[:, 1] + 0.3 * rng.normal(size=300)
    table = standardise(np.column_stack([x, y]))
    found = fit_gp(table, 3, np.array([0.7, 0.7, 0.7, 0.0]))
    assert {0, 1} <= found.parents
    evidence = JointEvidence(table, table[:, 3]).value(found.log_amplitude, found.relevances)
    assert found.loss == pytest.approx(
        evidence + SEARCH.parent_cost * len(found.parents), rel=1e-10
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_loss_needs_causes(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(200, 3))
    for y in (x @ [5.0, 4.0, 3.0], x[:, 0] + 2 * np.sin(x[:, 1]), x[:, 0] ** 2 + x[:, 1]):
        table = standardise(np.column_stack([x, y + 0.2 * rng.normal(size=200)]))
        found = fit_gp(table, 3, np.array([0.7, 0.7, 0.7, 0.0]))
        assert found.parents
        assert found.loss < -50


def test_faint_causes_go_where_the_loss_is_lower_without_them():
    """The smallest first; one that is not faint stays, whatever it costs."""
    gains = np.array([1.0, 5.0, 1.5, 0.5])

    def loss_of(relevances):
        return float(-(gains * (relevances > 0)).sum() + 2 * np.count_nonzero(relevances))

    before = np.array([0.2, 0.1, 0.9, 0.05])
    faint = before < SEARCH.faint_relevance
    kept, loss = _drop_faint(before, faint, loss_of(before), loss_of)
    assert_array_equal(kept, [0.0, 0.1, 0.9, 0.0])
    assert loss == loss_of(kept)


@pytest.mark.parametrize("log_amplitude", [None, 0.7])
def test_a_start_that_is_far_too_wiggly_does_not_switch_everything_off(log_amplitude):
    """One step along the gradient, in nats, would: there the gradient vanishes."""
    table = standardise(paper_dataset(10, "SF1", seed=33).X)
    start = np.zeros(10)
    start[[0, 1, 2, 4]], start[9] = 0.22, 0.7
    assert 9 in fit_gp(table, 5, start, log_amplitude=log_amplitude).parents


@pytest.fixture
def gradients(monkeypatch):
    """One entry for each gradient that was computed."""
    computed, slope = [], JointEvidence.slope

    def counted(self, *args):
        computed.append(args)
        return slope(self, *args)

    monkeypatch.setattr(JointEvidence, "slope", counted)
    return computed


@pytest.mark.parametrize("seed", range(3))
def test_early_stopping_saves_gradients_and_ends_near_the_same_loss(seed, gradients):
    table = standardise(paper_dataset(6, "ER4", n=300, seed=seed).X)
    counts, losses = {True: 0, False: 0}, {True: [], False: []}
    for target, early in itertools.product(range(6), (True, False)):
        start = np.where(np.arange(6) == target, 0.0, 0.5)
        gradients.clear()
        losses[early].append(fit_gp(table, target, start, early=early).loss)
        counts[early] += len(gradients)
    assert counts[False] - counts[True] >= 2
    assert np.subtract(losses[True], losses[False]).max() < 0.5


def parabola(theta, curvatures, bottom=0.0):
    theta = np.asarray(theta)
    slope = curvatures * (theta - bottom)
    return _Point(theta, float(0.5 * slope @ (theta - bottom)), slope)


def test_the_bottom_of_a_parabola_is_recognised():
    limits = [(-8.0, 8.0), (0.0, 8.0)]
    curvatures = np.array([20.0, 20.0])
    above, near, there = (parabola((r, r), curvatures, bottom=1.0) for r in (1.2, 1.1, 1.01))
    assert not _next_step_is_vain(above, near, limits, SEARCH)  # 0.2 nats to go
    assert _next_step_is_vain(near, there, limits, SEARCH)
    far = parabola((2.0, 2.0), curvatures, bottom=1.0)
    assert not _next_step_is_vain(
        far, there, limits, SEARCH
    )  # a long step: the curvature may be another


def test_what_is_at_a_limit_promises_nothing():
    limits = [(-8.0, 8.0), (0.0, 8.0)]
    before = _Point(np.array([0.1, 0.0]), 0.1, np.array([2.0, 5.0]))
    here = _Point(np.array([0.0, 0.0]), 0.0, np.array([0.0, 5.0]))
    assert _next_step_is_vain(before, here, limits, SEARCH)
    inside = [(-8.0, 8.0), (-1.0, 8.0)]
    assert not _next_step_is_vain(before, here, inside, SEARCH)
    inwards = here._replace(slope=np.array([0.0, -5.0]))
    assert not _next_step_is_vain(before, inwards, limits, SEARCH)
    upper = [(-8.0, 8.0), (-8.0, 0.0)]
    assert _next_step_is_vain(before, inwards, upper, SEARCH)
    assert not _next_step_is_vain(before, here, upper, SEARCH)


def test_a_ridge_is_no_bottom():
    """Where the gradient grows along the last step, a parabola says nothing."""
    limits = [(-8.0, 8.0)]
    before = _Point(np.array([0.0]), 0.5, np.array([0.0]))
    here = _Point(np.array([1.0]), 0.0, np.array([-0.1]))
    assert not _next_step_is_vain(before, here, limits, SEARCH)


# --- Columns that stay in


def test_kept_columns_stay_in_whatever_their_relevance(table):
    found = fit_gp(table, 4, start_at(0, 1, 2, 3), keep=frozenset({3}))
    assert found.parents == {0, 1, 3}
    assert found.relevances[3] >= SEARCH.smallest_relevance
    free = fit_gp(table, 4, start_at(0, 1, 2, 3))
    assert found.loss > free.loss


def test_kept_columns_stay_in_even_if_nothing_is_explained(table):
    found = fit_gp(table, 2, start_at(0, 1, 3), keep=frozenset({1}))
    assert found.parents == {1}
    evidence = JointEvidence(table, table[:, 2]).value(found.log_amplitude, found.relevances)
    assert found.loss == pytest.approx(evidence + SEARCH.parent_cost, abs=0.01)
    assert found.loss > 0


def test_a_kept_column_that_matters_is_fitted_like_any_other(table):
    """But for the path of L-BFGS, which depends on the bounds."""
    free = fit_gp(table, 4, start_at(0, 1))
    kept = fit_gp(table, 4, start_at(0, 1), keep=frozenset({0, 1}))
    assert kept.parents == free.parents
    assert kept.loss == pytest.approx(free.loss, abs=2)


def test_to_keep_what_is_not_switched_on_keeps_nothing_else(table):
    """A loss above 0 is that of no fit, unless a column is kept in it."""
    found = fit_gp(table, 2, start_at(0), keep=frozenset({1}))
    assert (found.parents, found.loss) == (frozenset(), 0.0)


def test_to_keep_nothing_changes_no_bit(table):
    free = fit_gp(table, 4, start_at(0, 1, 2, 3))
    kept = fit_gp(table, 4, start_at(0, 1, 2, 3), keep=frozenset())
    assert (free.loss, free.log_amplitude) == (kept.loss, kept.log_amplitude)
    assert_array_equal(free.relevances, kept.relevances)


# --- Settings


def test_tuned_numbers_come_from_the_settings(table):
    strict = SearchSettings(relevance_penalty=500.0, parent_cost=7.0)
    found = fit_gp(table, 4, start_at(0, 1), settings=strict)
    paid = fit_gp(table, 4, start_at(0, 1), penalty=500.0, cost=7.0)
    assert found.loss == paid.loss
    assert_array_equal(found.relevances, paid.relevances)
    narrow = SearchSettings(largest_relevance=0.5)
    assert fit_gp(table, 4, start_at(0, 1), settings=narrow).relevances.max() <= 0.5


def test_a_fit_without_a_parent_has_the_other_hyper_parameters(table):
    fit = fit_gp(table, 4, start_at(0, 1))
    without = fit.without(0)
    assert without.parents == {1}
    assert without.relevances[0] == 0
    assert (without.loss, without.log_amplitude) == (fit.loss, fit.log_amplitude)
    assert fit.relevances[0] > 0
