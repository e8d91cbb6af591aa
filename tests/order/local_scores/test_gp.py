import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.data.standardise import standardise
from scoredag.order.local_score import explore_all, order_loss
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.gp_fit import GPFit
from scoredag.settings import SEARCH
from tests.some_slow import some_slow


@pytest.fixture
def table():
    """0 and 1 cause 2 jointly, which causes 3; 4 stands alone."""
    rng = np.random.default_rng(0)
    x, z, alone = rng.normal(size=(3, 150))
    y = np.sin(2 * x) * z + 0.3 * rng.normal(size=150)
    return np.column_stack([x, z, y, np.tanh(2 * y) + 0.3 * rng.normal(size=150), alone])


class CountingScore(GaussianProcessScore):
    """Remembers on how many rows, and where, its fits start."""

    def __init__(self, X, rows=None):
        super().__init__(X, rows)
        self.started = []

    def _fit(self, node, start):
        self.started.append((len(self._fitted_rows), start))
        return super()._fit(node, start)


EARLIER = {v: range(v) for v in range(5)}
OTHERS = {v: set(range(5)) - {v} for v in range(5)}


def test_best_uses_available_columns_only(table):
    score = GaussianProcessScore(table)
    for v in range(5):
        score.explore(v, OTHERS[v])
        score.explore(v, {u for u in OTHERS[v] if u < v})
    for v, size in itertools.product(range(5), range(5)):
        for available in itertools.combinations(OTHERS[v], size):
            assert score.best(v, available).parents <= set(available)


def test_nothing_is_known_at_first(table):
    score = GaussianProcessScore(table)
    assert order_loss(score, range(5)) == 0
    assert score.best(2, {0, 1}).parents == frozenset()


def test_parents_are_found(table):
    score = GaussianProcessScore(table)
    score.explore(2, {0, 1, 4})
    assert score.best(2, {0, 1, 4}).parents == {0, 1}
    assert score.best(2, {0, 1, 3, 4}).parents == {0, 1}
    assert score.best(2, {0, 4}).loss == 0


def test_loss_is_the_sum_over_columns(table):
    score, order = GaussianProcessScore(table), [0, 1, 2, 4, 3]
    explore_all(score, {v: order[:place] for place, v in enumerate(order)})
    losses = [score.best(v, order[:place]).loss for place, v in enumerate(order)]
    assert order_loss(score, order) == pytest.approx(sum(losses))
    assert sum(loss < 0 for loss in losses) == 2


def test_nothing_is_tried_twice(table):
    score = CountingScore(table)
    score.explore(2, {0, 1, 4})
    tried = len(score.started)
    assert tried > 0
    score.explore(2, [4, 1, 0])
    score.explore(2, {0, 1})  # covered: the search among more columns found no other
    score.explore(2, set())
    assert len(score.started) == tried
    score.explore(2, {0, 1, 3, 4})
    assert len(score.started) == tried + 1


def test_losses_never_rise_as_more_is_known(table):
    score, rng = GaussianProcessScore(table), np.random.default_rng(0)
    orders = [rng.permutation(5).tolist() for _ in range(4)]
    before = np.zeros(4)
    for _ in range(12):
        v = int(rng.integers(5))
        score.explore(v, [u for u in OTHERS[v] if rng.random() < 0.6])
        after = np.array([order_loss(score, order) for order in orders])
        assert (after <= before).all()
        before = after
    assert (before < 0).any()


def test_jobs_change_nothing(table):
    one, two = GaussianProcessScore(table), GaussianProcessScore(table)
    explore_all(one, EARLIER, n_jobs=1)
    explore_all(two, EARLIER, n_jobs=2)
    for v in range(5):
        assert one.best(v, range(v)).loss == two.best(v, range(v)).loss
        assert_array_equal(one.best(v, range(v)).relevances, two.best(v, range(v)).relevances)


def test_progress_counts_columns(table):
    seen = []
    explore_all(GaussianProcessScore(table), EARLIER, report=lambda *state: seen.append(state))
    assert seen == [(k, 5) for k in range(1, 6)]


def test_units_do_not_matter(table):
    one, two = GaussianProcessScore(table), GaussianProcessScore(table * [1e-5, -3, 1e5, 1, 7] + 10)
    for score in (one, two):
        score.explore(2, {0, 1, 4})
    assert one.best(2, {0, 1, 4}).parents == two.best(2, {0, 1, 4}).parents
    assert one.best(2, {0, 1, 4}).loss == pytest.approx(two.best(2, {0, 1, 4}).loss, abs=1e-3)


def test_fits_take_fewer_rows_than_comparisons(table):
    score = CountingScore(table, rows=80)
    score.explore(2, {0, 1})
    found = score.best(2, {0, 1})
    X = standardise(table)
    evidence = JointEvidence(X[:, [0, 1]], X[:, 2]).value(found.log_amplitude, found.relevances[:2])
    assert found.loss == pytest.approx(evidence + 2 * SEARCH.parent_cost, abs=0.01)
    sharp = score.sharpened()
    assert sharp.best(2, {0, 1}) is found
    sharp.explore(2, {0, 1})  # again, from where the other ended
    # two fresh starts, a warm one
    assert [rows for rows, _ in score.started] == [80, 80, len(table)]
    warm = score.started[-1][1]
    assert_array_equal(warm.relevances, found.relevances)
    assert warm.log_amplitude == found.log_amplitude
    assert sharp.best(2, {0, 1}).loss < found.loss
    assert score.best(2, {0, 1}) is found  # sharpening has changed nothing here


def test_a_score_of_all_rows_cannot_be_sharpened(table):
    assert GaussianProcessScore(table).sharpened() is None
    assert GaussianProcessScore(table, rows=len(table)).sharpened() is None
    assert GaussianProcessScore(table, rows=80).sharpened().sharpened() is None


class PreparedScore(GaussianProcessScore):
    """One whose fits were made before."""

    def __init__(self, X, rows, fits):
        super().__init__(X, rows)
        self.fits, self.compared = list(fits), 0

    def _fit(self, node, start):
        return self.fits.pop(0)

    def _on_all_rows(self, node, fit):
        self.compared += 1
        return super()._on_all_rows(node, fit)


def test_of_two_starts_the_one_that_is_better_on_all_rows_is_kept(table):
    """Whichever is better on the rows they were fitted to; with the same parents, only that one."""
    X = standardise(table)

    def loss_on_all_rows(relevances):
        parents = np.flatnonzero(relevances)
        return JointEvidence(X[:, parents], X[:, 2]).value(0.0, relevances[parents])

    good, bad = np.array([1.0, 1.0, 0, 0, 0]), np.array([0, 0, 0, 0.1, 1.0])
    assert loss_on_all_rows(good) < loss_on_all_rows(bad) - 10

    def best_of(*fits):
        score = PreparedScore(table, 80, fits)
        score.explore(2, {0, 1, 3, 4})
        assert not score.fits
        return score.best(2, {0, 1, 3, 4}), score.compared

    def fit(relevances, loss):
        return GPFit(frozenset(np.flatnonzero(relevances).tolist()), loss, 0.0, relevances)

    for fits in ([fit(good, -1.0), fit(bad, -9.0)], [fit(bad, -9.0), fit(good, -1.0)]):
        found, compared = best_of(*fits)
        assert (found.parents, compared) == ({0, 1}, 2)
    for fits in ([fit(good, -9.0), fit(good / 9, -1.0)], [fit(good / 9, -1.0), fit(good, -9.0)]):
        found, compared = best_of(*fits)
        assert_array_equal(found.relevances, good)
        assert compared == 1


def test_residuals_are_what_the_function_leaves(table):
    score = GaussianProcessScore(table)
    score.explore(2, {0, 1})
    fit, X = score.best(2, {0, 1}), standardise(table)
    apart = (X[:, None, :] - X[None, :, :]) * fit.relevances
    K = np.exp(fit.log_amplitude - 0.5 * (apart**2).sum(axis=2))
    expected = X[:, 2] - K @ np.linalg.solve(K + np.eye(len(X)), X[:, 2])
    assert_allclose(score.residuals(2, fit), expected, atol=1e-9)
    assert_array_equal(score.residuals(2, GPFit.null(5)), X[:, 2])
    assert len(score.residuals(2, fit, rows=40)) == 40


def test_columns_that_do_not_vary_explain_nothing_and_need_no_explanation(table):
    score = GaussianProcessScore(np.column_stack([table, np.ones(len(table))]))
    score.explore(2, {0, 1, 5})
    assert score.best(2, {0, 1, 5}).parents == {0, 1}
    score.explore(5, {0, 1, 2})
    assert score.best(5, {0, 1, 2}).parents == frozenset()


@pytest.mark.parametrize("seed", some_slow(range(4), 1))
def test_a_weak_parent_is_found_among_many(seed):
    """From a start with all of them at full strength, everything is switched off at once."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(1000, 7))
    X[:, 6] += 0.25 * np.sin(1.5 * X[:, 0])
    score = GaussianProcessScore(X)
    score.explore(6, range(6))
    assert 0 in score.best(6, range(6)).parents
