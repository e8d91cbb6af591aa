import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.regression import relevance as module
from scoredag.regression.evidence import JointEvidence, standardise
from scoredag.regression.relevance import (
    COST,
    Explanation,
    _at_the_bottom,
    _Point,
    _without_faint,
    explain,
)
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
    found = explain(table, 4, start_at(0, 1, 2, 3))
    assert found.causes == {0, 1}
    assert_array_equal(np.flatnonzero(found.relevances), [0, 1])
    assert found.loss < -50


def test_only_what_is_switched_on_is_used(table):
    found = explain(table, 4, start_at(0, 2, 3))
    assert found.causes <= {0, 2, 3}
    assert found.loss > explain(table, 4, start_at(0, 1)).loss + 50


def test_nothing_switched_on_explains_nothing(table):
    assert explain(table, 4, np.zeros(5)).causes == frozenset()


def test_independent_columns_have_no_cause(table):
    found = explain(table, 2, start_at(0, 1, 3))
    none = Explanation.none(5)
    assert (found.causes, found.loss) == (none.causes, none.loss) == (frozenset(), 0.0)
    assert_array_equal(found.relevances, none.relevances)


@pytest.mark.parametrize("penalty", [0.0, 2.0])
@pytest.mark.parametrize("columns", [(0, 1), (0, 1, 2, 3)])
def test_loss_is_the_evidence_and_two_nats_for_each_cause(table, penalty, columns):
    found = explain(table, 4, start_at(*columns), penalty=penalty)
    evidence = JointEvidence(table, table[:, 4]).value(found.log_amplitude, found.relevances)
    assert found.loss == pytest.approx(evidence + COST * len(found.causes), rel=1e-10)


def test_the_penalty_takes_predictors_out(table):
    free, paid = (explain(table, 4, start_at(0, 1, 2, 3), penalty=tau) for tau in (0.0, 500.0))
    assert len(paid.causes) < len(free.causes)


def test_more_steps_are_at_least_as_good(table):
    few, many = (explain(table, 4, start_at(0, 1, 2, 3), max_steps=k) for k in (1, 40))
    assert many.loss < few.loss


@pytest.mark.parametrize("seed", range(4))
def test_straight_lines_are_causes_too(seed):
    """Their relevances are tiny and the amplitude is huge: only both together say what matters."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 3))
    y = 3 * x[:, 0] + 2 * x[:, 1] + 0.3 * rng.normal(size=300)
    table = standardise(np.column_stack([x, y]))
    found = explain(table, 3, np.array([0.7, 0.7, 0.7, 0.0]))
    assert {0, 1} <= found.causes
    evidence = JointEvidence(table, table[:, 3]).value(found.log_amplitude, found.relevances)
    assert found.loss == pytest.approx(evidence + COST * len(found.causes), rel=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_a_loss_needs_causes(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(200, 3))
    for y in (x @ [5.0, 4.0, 3.0], x[:, 0] + 2 * np.sin(x[:, 1]), x[:, 0] ** 2 + x[:, 1]):
        table = standardise(np.column_stack([x, y + 0.2 * rng.normal(size=200)]))
        found = explain(table, 3, np.array([0.7, 0.7, 0.7, 0.0]))
        assert found.causes
        assert found.loss < -50


def test_faint_causes_go_where_the_loss_is_lower_without_them():
    """The smallest first; one that is not faint stays, whatever it costs."""
    gains = np.array([1.0, 5.0, 1.5, 0.5])

    def loss_of(relevances):
        return float(-(gains * (relevances > 0)).sum() + 2 * np.count_nonzero(relevances))

    before = np.array([0.2, 0.1, 0.9, 0.05])
    kept, loss = _without_faint(before, loss_of(before), loss_of)
    assert_array_equal(kept, [0.0, 0.1, 0.9, 0.0])
    assert loss == loss_of(kept)


@pytest.mark.parametrize("log_amplitude", [None, 0.7])
def test_a_start_that_is_far_too_wiggly_does_not_switch_everything_off(log_amplitude):
    """One step along the gradient, in nats, would: there the gradient vanishes."""
    table = standardise(paper_dataset(10, "SF1", seed=33).X)
    start = np.zeros(10)
    start[[0, 1, 2, 4]], start[9] = 0.22, 0.7
    assert 9 in explain(table, 5, start, log_amplitude=log_amplitude).causes


def descent(monkeypatch, table, target, start):
    """The explanation and how many gradients it took."""
    calls = []
    slope = JointEvidence.slope

    def counted(self, *args):
        calls.append(args)
        return slope(self, *args)

    monkeypatch.setattr(JointEvidence, "slope", counted)
    return explain(table, target, start), len(calls)


@pytest.mark.parametrize("seed", range(3))
def test_the_search_ends_early_and_near_where_it_would_have(seed, monkeypatch):
    table = standardise(paper_dataset(6, "ER4", n=300, seed=seed).X)
    saved, lost = 0, []
    for target in range(6):
        start = np.full(6, 0.5)
        start[target] = 0.0
        early, few = descent(monkeypatch, table, target, start)
        with monkeypatch.context() as patient:
            patient.setattr(module, "_at_the_bottom", lambda *_: False)
            late, many = descent(monkeypatch, table, target, start)
        saved += many - few
        lost.append(early.loss - late.loss)
    assert saved >= 2
    assert max(lost) < 0.5


def parabola(theta, curvatures, bottom=0.0):
    theta = np.asarray(theta)
    slope = curvatures * (theta - bottom)
    return _Point(theta, float(0.5 * slope @ (theta - bottom)), slope)


def test_the_bottom_of_a_parabola_is_recognised():
    limits = [(-8.0, 8.0), (0.0, 8.0)]
    curvatures = np.array([20.0, 20.0])
    above, near, there = (parabola((r, r), curvatures, bottom=1.0) for r in (1.2, 1.1, 1.01))
    assert not _at_the_bottom(above, near, limits)  # 0.2 nats to go
    assert _at_the_bottom(near, there, limits)
    far = parabola((2.0, 2.0), curvatures, bottom=1.0)
    assert not _at_the_bottom(far, there, limits)  # a long step: the curvature may be another


def test_what_is_at_a_limit_promises_nothing():
    limits = [(-8.0, 8.0), (0.0, 8.0)]
    before = _Point(np.array([0.1, 0.0]), 0.1, np.array([2.0, 5.0]))
    here = _Point(np.array([0.0, 0.0]), 0.0, np.array([0.0, 5.0]))
    assert _at_the_bottom(before, here, limits)
    inside = [(-8.0, 8.0), (-1.0, 8.0)]
    assert not _at_the_bottom(before, here, inside)
    inwards = here._replace(slope=np.array([0.0, -5.0]))
    assert not _at_the_bottom(before, inwards, limits)
    upper = [(-8.0, 8.0), (-8.0, 0.0)]
    assert _at_the_bottom(before, inwards, upper)
    assert not _at_the_bottom(before, here, upper)


def test_a_ridge_is_no_bottom():
    """Where the gradient grows along the last step, a parabola says nothing."""
    limits = [(-8.0, 8.0)]
    before = _Point(np.array([0.0]), 0.5, np.array([0.0]))
    here = _Point(np.array([1.0]), 0.0, np.array([-0.1]))
    assert not _at_the_bottom(before, here, limits)
