"""Each kind of move by itself, on tables of losses."""

import numpy as np
import pytest

from benchmarks.search import random_constraints
from scoredag import Knowledge
from scoredag.knowledge import Constraints
from scoredag.order.refiners.relocations import relocations
from scoredag.order.refiners.reversals import reversals
from scoredag.order.refiners.sequences import sequences
from scoredag.order.search import explore_predecessors, initial_state
from scoredag.plugins import shelf
from scoredag.settings import SearchSettings
from tests.order.table_score import (
    CompleteTableScore,
    ErraticScore,
    TableScore,
    contents,
    problem_of,
    random_losses,
    random_table,
    table,
)

REFINERS = shelf("scoredag.order.refiners")


def start(losses, order, constraints=None, **options):
    """A problem and the state of an order whose predecessors were explored."""
    constraints = constraints or Constraints.none(len(order))
    problem = problem_of(
        TableScore(table(losses)),
        len(order),
        constraints.allowed,
        constraints.precedes,
        **options,
    )
    return problem, explore_predecessors(initial_state(problem, order), problem)


def test_an_edge_is_reversed_where_that_gains():
    problem, state = start({(1, 0): -10, (0, 1): -12}, (0, 1))
    state, improved = reversals(state, problem)
    assert (state.order, improved) == ((1, 0), True)
    assert state.reversal_cost[1, 0] == 2


@pytest.mark.parametrize(("min_gain", "order"), [(1.9, (1, 0)), (2.1, (0, 1)), (np.inf, (0, 1))])
def test_a_reversal_must_gain_more_than_the_least(min_gain, order):
    problem, state = start({(1, 0): -10, (0, 1): -12}, (0, 1), min_gain=min_gain)
    state, improved = reversals(state, problem)
    assert state.order == order
    assert improved == (order == (1, 0))
    assert abs(state.reversal_cost[0, 1]) == 2


def test_a_chain_is_reversed_edge_by_edge():
    losses = {(v + 1, v): -10 for v in range(4)} | {(v, v + 1): -15 for v in range(4)}
    problem, state = start(losses, (0, 1, 2, 3, 4))
    for _ in range(10):
        state, improved = reversals(state, problem)
        if not improved:
            break
    assert state.order == (4, 3, 2, 1, 0)
    assert problem.loss(state.order) == -60


def test_a_column_that_others_hardly_need_is_moved_behind_them():
    """3 seems to be a weak cause of all others; it is their joint effect."""
    losses = {(v, 3): -5 for v in range(3)} | {(3, 0, 1, 2): -60}
    problem, state = start(losses, (3, 0, 1, 2))
    reversed_, improved = reversals(state, problem)
    assert not improved  # 3 has no parent alone
    state, improved = relocations(reversed_, problem)
    assert improved
    assert state.order[-1] == 3
    assert problem.loss(state.order) == -60


def test_a_column_with_strong_children_stays_before_them():
    losses = {(1, 0): -25, (2, 0): -25, (0, 1, 2): -40}
    problem, state = start(losses, (0, 1, 2))
    assert relocations(state, problem)[0].order == (0, 1, 2)
    weak = SearchSettings(weak_edge=30.0)
    problem, state = start(losses, (0, 1, 2), settings=weak)
    assert relocations(state, problem)[0].order == (0, 1, 2)  # 50 nats for 40
    problem, state = start(losses | {(0, 1, 2): -60}, (0, 1, 2), settings=weak)
    assert relocations(state, problem)[0].order == (1, 2, 0)


# Of 2 -> 1 -> 0 each edge loses when it is reversed alone; both together gain 5 nats.
PAIR_OF_REVERSALS = {
    (1, 2): -50,
    (0, 1): -50,
    (1, 0, 2): -88,
    (2, 1): -45,
    (1, 0): -60,
}


def test_an_edge_is_reversed_against_the_evidence_if_another_makes_up_for_it():
    problem, state = start(PAIR_OF_REVERSALS, (2, 1, 0))
    assert reversals(state, problem)[1] is False
    state, improved = sequences(state, problem)
    assert improved
    assert state.order == (0, 1, 2)
    assert problem.loss(state.order) == -105


@pytest.mark.parametrize(
    "settings", [SearchSettings(first_loss=3.0), SearchSettings(longest_sequence=0)]
)
def test_sequences_are_limited(settings):
    problem, state = start(PAIR_OF_REVERSALS, (2, 1, 0), settings=settings)
    state, improved = sequences(state, problem)
    assert not improved
    assert problem.loss(state.order) == -100


def test_a_sequence_that_has_failed_is_not_tried_again():
    problem, state = start({(1, 0): -50, (0, 1): -45, (2, 1): -50, (1, 2): -45}, (0, 1, 2))
    state, improved = sequences(state, problem)
    assert not improved
    assert {(a, b) for a, b, _ in state.failed_sequences} == {(0, 1), (1, 2)}
    again, improved = sequences(state, problem)
    assert not improved
    assert contents(again) == contents(state)


@pytest.mark.parametrize("refiner", REFINERS.values(), ids=REFINERS)
def test_progress_goes_up_to_a_total(refiner):
    losses = {(v + 1, v): -10 for v in range(4)}
    problem, state = start(losses, (0, 1, 2, 3, 4))
    seen = []
    refiner(state, problem, lambda *reported: seen.append(reported))
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert all(0 <= done <= total for done, total in seen)


@pytest.mark.parametrize("refiner", REFINERS.values(), ids=REFINERS)
@pytest.mark.parametrize("seed", range(12))
def test_a_refiner_says_whether_the_order_has_become_better(refiner, seed):
    """By more than the minimal gain, on fits that are all known."""
    d, losses = random_table(seed)
    problem = problem_of(CompleteTableScore(losses), d)
    state = initial_state(problem, tuple(range(d)))
    after, improved = refiner(state, problem, None)
    gained = problem.loss(state.order) - problem.loss(after.order)
    assert improved == (gained > problem.min_gain)
    assert sorted(after.order) == list(range(d))
    assert gained >= -1e-9


@pytest.mark.parametrize("refiner", REFINERS.values(), ids=REFINERS)
@pytest.mark.parametrize("seed", range(12))
def test_a_refiner_leaves_the_state_it_begins_with_as_it_was(refiner, seed):
    d, losses = random_table(seed)
    problem = problem_of(TableScore(losses), d)
    state = explore_predecessors(initial_state(problem, tuple(range(d))), problem)
    before = contents(state)
    after, _ = refiner(state, problem, None)
    assert contents(state) == before
    middle = contents(after)
    refiner(after, problem, None)
    assert contents(after) == middle


@pytest.mark.parametrize("refiner", REFINERS.values(), ids=REFINERS)
def test_nothing_to_move_is_no_failure(refiner):
    problem, state = start({}, (1, 0, 2))
    assert refiner(state, problem, None)[0].order == (1, 0, 2)
    problem, state = start({}, (0,))
    after, improved = refiner(state, problem, None)
    assert (after.order, improved) == ((0,), False)


# --- With knowledge


def assert_legal(state, problem, constraints):
    assert constraints.is_legal(state.order)
    place = {v: i for i, v in enumerate(state.order)}
    for v, parents in enumerate(state.parents):
        assert all(constraints.allowed[k, v] and place[k] < place[v] for k in parents)
        assert parents == problem.fit_in(state.order, v).parents


@pytest.mark.parametrize("seed", range(40))
def test_every_state_after_every_refiner_is_legal(seed):
    """Also with a score that finds something else every time."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 8))
    constraints = random_constraints(d, rng)
    if seed % 2:
        score = ErraticScore(rng, float(rng.choice([3, 20, 100])))
    else:
        score = TableScore(random_losses(min(d, 5), rng, monotone=seed % 4 == 0))
    problem = problem_of(score, d, constraints.allowed, constraints.precedes)
    order = constraints.repair(rng.permutation(d))
    state = explore_predecessors(initial_state(problem, order), problem)
    assert_legal(state, problem, constraints)
    for _ in range(3):
        for refiner in REFINERS.values():
            state, _ = refiner(state, problem, None)
            assert_legal(state, problem, constraints)


def test_a_required_order_is_kept_whatever_reversals_promise():
    constraints = Knowledge(required=[(0, 1)]).resolve(range(2))
    problem, state = start({(0, 1): -50, (1, 0): -1}, (0, 1), constraints)
    for refiner in REFINERS.values():
        state, improved = refiner(state, problem, None)
        assert (state.order, improved) == ((0, 1), False)


def test_an_edge_may_be_disallowed_in_one_direction():
    """Whatever 1 -> 0 would be worth, 1 may not be a parent of 0."""
    allowed = np.array([[False, True], [False, False]])
    problem = problem_of(CompleteTableScore(table({(0, 1): -50, (1, 0): -5})), 2, allowed)
    state, improved = reversals(initial_state(problem, (0, 1)), problem)
    assert (state.order, improved) == ((0, 1), False)
    assert state.reversal_cost[0, 1] == 5
