import pytest

from scoredag.order.local_score import FitCache, HasResiduals, Sharpens, explore_all, order_loss
from scoredag.order.local_scores.additive import AdditiveScore
from scoredag.order.local_scores.gp import GaussianProcessScore
from tests.order.table_score import NULL, SharpeningTableScore, TableFit, TableScore, table

LOSSES = table({(1, 0): -5, (2, 0): -3, (2, 1): -4, (2, 0, 1): -9, (0, 2): -2})


def fit(*parents, loss=-1.0):
    return TableFit(frozenset(parents), loss)


def test_without_anything_found_the_fit_without_parents_is_the_best():
    cache = FitCache([NULL, NULL])
    assert cache.best(1, {0}) is NULL
    assert cache.is_unexplored(1)


def test_the_best_fit_is_the_one_of_least_loss_whose_parents_are_there():
    cache = FitCache([NULL] * 4)
    for found in (fit(0, loss=-2.0), fit(0, 1, loss=-5.0), fit(2, loss=-3.0)):
        cache.add(3, frozenset({0, 1, 2}), found)
    assert cache.best(3, {0, 1, 2}).loss == -5
    assert cache.best(3, {0, 2}).loss == -3
    assert cache.best(3, [0]).loss == -2
    assert cache.best(3, {1}) is NULL
    assert cache.best(2, {0, 1}) is NULL
    assert not cache.is_unexplored(3)


def test_a_search_covers_fewer_candidates_that_hold_what_it_found():
    cache = FitCache([NULL] * 4)
    cache.add(3, frozenset({0, 1, 2}), fit(0))
    assert cache.covers(3, frozenset({0, 1, 2}))
    assert cache.covers(3, frozenset({0, 2}))
    assert not cache.covers(3, frozenset({1, 2}))
    assert not cache.covers(2, frozenset({0}))


def test_copied_fits_are_known_but_count_as_unexplored():
    cache = FitCache([NULL] * 3)
    cache.add(2, frozenset({0, 1}), fit(0))
    copy = cache.copy_fits()
    assert copy.best(2, {0, 1}) == fit(0)
    assert not copy.covers(2, frozenset({0, 1}))
    copy.add(2, frozenset({0, 1}), fit(1, loss=-9.0))
    assert cache.best(2, {0, 1}) == fit(0)


def test_the_loss_of_an_order_is_the_sum_over_its_columns():
    score = TableScore(LOSSES)
    assert order_loss(score, [0, 1, 2]) == 0
    explore_all(score, {1: [0], 2: [0, 1]})
    assert order_loss(score, [0, 1, 2]) == -14
    assert order_loss(score, [2, 0, 1]) == -5  # 0 was not explored


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_progress_counts_nodes(n_jobs):
    seen = []
    candidates = {v: range(v) for v in range(3)}
    explore_all(
        TableScore(LOSSES), candidates, n_jobs=n_jobs, report=lambda *state: seen.append(state)
    )
    assert seen == [(k, 3) for k in range(1, 4)]


def test_a_table_knows_only_what_was_explored():
    score = TableScore(LOSSES)
    score.explore(2, {1})
    assert score.best(2, {0, 1}) == fit(1, loss=-4.0)
    score.explore(2, {0, 1})
    assert score.best(2, {0, 1}) == fit(0, 1, loss=-9.0)
    assert score.best(2, {0}) is NULL


def test_further_abilities_of_a_score_are_seen():
    assert issubclass(GaussianProcessScore, Sharpens)
    assert isinstance(SharpeningTableScore({}, {}), Sharpens)
    assert not issubclass(AdditiveScore, Sharpens)
    assert not isinstance(TableScore({}), Sharpens | HasResiduals)
