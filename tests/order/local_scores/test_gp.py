import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.regression import explanations as module
from scoredag.regression.evidence import JointEvidence, standardise
from scoredag.regression.explanations import Explanations
from scoredag.regression.relevance import COST, Explanation


@pytest.fixture
def table():
    """0 and 1 cause 2 jointly, which causes 3; 4 stands alone."""
    rng = np.random.default_rng(0)
    x, z, alone = rng.normal(size=(3, 150))
    y = np.sin(2 * x) * z + 0.3 * rng.normal(size=150)
    return np.column_stack([x, z, y, np.tanh(2 * y) + 0.3 * rng.normal(size=150), alone])


@pytest.fixture
def fits(monkeypatch):
    """The targets that were fitted so far."""
    targets = []

    def counted(X, target, start, **options):
        targets.append(target)
        return explain(X, target, start, **options)

    explain = module.explain
    monkeypatch.setattr(module, "explain", counted)
    return targets


EARLIER = {v: range(v) for v in range(5)}
OTHERS = {v: set(range(5)) - {v} for v in range(5)}


def test_best_uses_available_columns_only(table):
    known = Explanations(table)
    for v in range(5):
        known.explore(v, OTHERS[v])
        known.explore(v, {u for u in OTHERS[v] if u < v})
    for v, size in itertools.product(range(5), range(5)):
        for available in itertools.combinations(OTHERS[v], size):
            assert known.best(v, available).causes <= set(available)


def test_nothing_is_known_at_first(table):
    known = Explanations(table)
    assert known.loss(range(5)) == 0
    assert known.best(2, {0, 1}).causes == frozenset()


def test_causes_are_found(table):
    known = Explanations(table)
    known.explore(2, {0, 1, 4})
    assert known.best(2, {0, 1, 4}).causes == {0, 1}
    assert known.best(2, {0, 1, 3, 4}).causes == {0, 1}
    assert known.best(2, {0, 4}).loss == 0


def test_loss_is_the_sum_over_columns(table):
    known, order = Explanations(table), [0, 1, 2, 4, 3]
    known.explore_all({v: order[:place] for place, v in enumerate(order)})
    losses = [known.best(v, order[:place]).loss for place, v in enumerate(order)]
    assert known.loss(order) == pytest.approx(sum(losses))
    assert sum(loss < 0 for loss in losses) == 2


def test_nothing_is_tried_twice(table, fits):
    known = Explanations(table)
    known.explore(2, {0, 1, 4})
    assert set(fits) == {2}
    tried = len(fits)
    known.explore(2, [4, 1, 0])
    known.explore(2, {0, 1})  # covered: the search among more columns found no other
    known.explore(2, set())
    assert len(fits) == tried
    known.explore(2, {0, 1, 3, 4})
    assert len(fits) == tried + 1


def test_losses_never_rise_as_more_is_known(table):
    known, rng = Explanations(table), np.random.default_rng(0)
    orders = [rng.permutation(5).tolist() for _ in range(4)]
    before = np.zeros(4)
    for _ in range(12):
        v = int(rng.integers(5))
        known.explore(v, [u for u in OTHERS[v] if rng.random() < 0.6])
        after = np.array([known.loss(order) for order in orders])
        assert (after <= before).all()
        before = after
    assert (before < 0).any()


def test_jobs_change_nothing(table):
    one, two = Explanations(table), Explanations(table)
    one.explore_all(EARLIER, n_jobs=1)
    two.explore_all(EARLIER, n_jobs=2)
    for v in range(5):
        assert one.best(v, range(v)).loss == two.best(v, range(v)).loss
        assert_array_equal(one.best(v, range(v)).relevances, two.best(v, range(v)).relevances)


def test_progress_counts_columns(table):
    seen = []
    Explanations(table).explore_all(EARLIER, progress=lambda *state: seen.append(state))
    assert seen == [(k, 5) for k in range(1, 6)]


def test_units_do_not_matter(table):
    one, two = Explanations(table), Explanations(table * [1e-5, -3, 1e5, 1, 7] + 10)
    for known in (one, two):
        known.explore(2, {0, 1, 4})
    assert one.best(2, {0, 1, 4}).causes == two.best(2, {0, 1, 4}).causes
    assert one.best(2, {0, 1, 4}).loss == pytest.approx(two.best(2, {0, 1, 4}).loss, abs=1e-3)


def test_fits_take_fewer_rows_than_comparisons(table, monkeypatch):
    known = Explanations(table, fit_rows=80)
    fitted = []
    explain = module.explain

    def spied(X, target, start, **options):
        fitted.append((len(X), start, options["log_amplitude"]))
        return explain(X, target, start, **options)

    monkeypatch.setattr(module, "explain", spied)
    known.explore(2, {0, 1})
    found = known.best(2, {0, 1})
    X = standardise(table)
    evidence = JointEvidence(X[:, [0, 1]], X[:, 2]).value(found.log_amplitude, found.relevances[:2])
    assert found.loss == pytest.approx(evidence + 2 * COST)
    known.use_all_rows()
    assert known.best(2, {0, 1}) is found
    known.explore(2, {0, 1})  # again, from where the other ended
    assert [rows for rows, *_ in fitted] == [80, 80, len(table)]  # two fresh starts, a warm one
    assert_array_equal(fitted[-1][1], found.relevances)
    assert fitted[-1][2] == found.log_amplitude
    assert known.best(2, {0, 1}).loss < found.loss


def test_of_two_starts_the_one_that_is_better_on_all_rows_is_kept(table, monkeypatch):
    """Whichever is better on the rows they were fitted to; with the same causes, only that one."""
    X = standardise(table)

    def loss_on_all_rows(relevances):
        causes = np.flatnonzero(relevances)
        return JointEvidence(X[:, causes], X[:, 2]).value(0.0, relevances[causes])

    good, bad = np.array([1.0, 1.0, 0, 0, 0]), np.array([0, 0, 0, 0.1, 1.0])
    assert loss_on_all_rows(good) < loss_on_all_rows(bad) - 10

    def known_after(*fits):
        queue, scored = list(fits), []
        monkeypatch.setattr(module, "explain", lambda *_, **__: queue.pop(0))
        known = Explanations(table, fit_rows=80)
        score = known._scored
        monkeypatch.setattr(known, "_scored", lambda *args: scored.append(args) or score(*args))
        known.explore(2, {0, 1, 3, 4})
        assert not queue
        return known.best(2, {0, 1, 3, 4}), len(scored)

    def fit(relevances, loss):
        return Explanation(frozenset(np.flatnonzero(relevances).tolist()), loss, 0.0, relevances)

    for fits in ([fit(good, -1.0), fit(bad, -9.0)], [fit(bad, -9.0), fit(good, -1.0)]):
        found, scored = known_after(*fits)
        assert (found.causes, scored) == ({0, 1}, 2)
    for fits in ([fit(good, -9.0), fit(good / 9, -1.0)], [fit(good / 9, -1.0), fit(good, -9.0)]):
        found, scored = known_after(*fits)
        assert_array_equal(found.relevances, good)
        assert scored == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_weak_cause_is_found_among_many(seed):
    """From a start with all of them at full strength, everything is switched off at once."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(1000, 7))
    X[:, 6] += 0.25 * np.sin(1.5 * X[:, 0])
    known = Explanations(X)
    known.explore(6, range(6))
    assert 0 in known.best(6, range(6)).causes
