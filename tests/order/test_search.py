"""Problems, states and moves, on tables of losses."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import Knowledge
from scoredag.order.moves import (
    isolated_last,
    make_adjacent,
    relocation,
    reversal_evidence,
    reverse,
    weigh_reversal,
    weighed_beside,
)
from scoredag.order.search import (
    ancestors,
    descendants,
    edges,
    explore_predecessors,
    initial_state,
    is_reversible,
    is_worth_weighing,
    reorder,
    reread,
)
from scoredag.settings import SearchSettings
from tests.order.table_score import (
    CompleteTableScore,
    ErraticScore,
    TableScore,
    contents,
    known_fits,
    problem_of,
    random_losses,
    random_table,
    table,
)

# 0 -> 1 -> 3 and 0 -> 2 -> 3, and 0 -> 3 at the same time
DIAMOND = table({(1, 0): -50, (2, 0): -40, (3, 0, 1, 2): -90})


def complete(losses, order, **options):
    """A problem of which all losses are known, and the state of an order."""
    problem = problem_of(CompleteTableScore(table(losses)), len(order), **options)
    return problem, initial_state(problem, order)


# --- Problems


def test_disallowed_parents_are_neither_asked_for_nor_explored():
    allowed = ~np.eye(3, dtype=bool)
    allowed[0, 2] = False
    score = TableScore(table({(2, 0): -9, (2, 1): -3, (2, 0, 1): -20}))
    problem = problem_of(score, 3, allowed)
    problem.explore(2, {0, 1})
    assert score.known[2] == [(frozenset({1}), -3.0)]
    score.explore(2, {0, 1})  # whoever asks the score itself
    assert problem.best(2, {0, 1}).parents == {1}
    assert problem.loss((0, 1, 2)) == -3


def test_must_precede_lists_predecessors_of_each_column():
    precedes = np.zeros((3, 3), dtype=bool)
    precedes[0, [1, 2]] = True
    problem = problem_of(TableScore({}), 3, precedes=precedes)
    assert problem.must_precede == (frozenset(), {0}, {0})


def test_nodes_are_explored_among_those_before_them():
    score = TableScore(DIAMOND)
    problem = problem_of(score, 4)
    state = explore_predecessors(initial_state(problem, (0, 1, 2, 3)), problem)
    assert state.parents == (frozenset(), {0}, {0}, {0, 1, 2})
    assert problem.loss(state.order) == -180


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_exploring_in_threads_finds_the_same(n_jobs):
    d, losses = random_table(5)
    problem = problem_of(TableScore(losses), d, n_jobs=n_jobs)
    state = explore_predecessors(initial_state(problem, tuple(range(d))), problem)
    assert problem.loss(state.order) == problem_of(CompleteTableScore(losses), d).loss(range(d))


# --- The graph of a state


def test_edges_are_those_of_the_best_fits_short_ones_first():
    _, state = complete({(1, 0): -5, (3, 0, 2): -5}, (0, 1, 2, 3))
    assert edges(state) == [(0, 1), (2, 3), (0, 3)]
    assert edges(complete({(1, 0): -5}, (1, 0))[1]) == []


def test_paths_lead_to_descendants_and_from_ancestors():
    problem, state = complete({(1, 0): -5, (2, 1): -5, (4, 3): -5}, (0, 1, 2, 3, 4))
    assert descendants(state, problem, 0) == {1, 2}
    assert descendants(state, problem, 3) == {4}
    assert ancestors(state, problem, 2) == {0, 1}
    assert ancestors(state, problem, 3) == frozenset()


def test_what_must_precede_a_column_is_like_a_parent():
    constraints = Knowledge(tiers=[[0], [1]]).resolve(range(3))
    problem, state = complete({(2, 1): -5}, (0, 1, 2), precedes=constraints.precedes)
    assert descendants(state, problem, 0) == {1, 2}
    assert ancestors(state, problem, 2) == {0, 1}


def test_only_an_edge_that_no_other_path_doubles_is_reversible():
    problem = problem_of(CompleteTableScore(DIAMOND), 4)
    state = initial_state(problem, (0, 1, 2, 3))
    reversible = [edge for edge in edges(state) if is_reversible(state, problem, *edge)]
    assert reversible == [(0, 1), (2, 3), (0, 2), (1, 3)]
    assert not is_reversible(state, problem, 1, 2)  # no edge
    assert not is_reversible(state, problem, 1, 0)  # the other way round


def test_an_edge_between_columns_in_a_known_order_is_not_reversible():
    constraints = Knowledge(required=[(0, 1)], tiers=[[1], [2]]).resolve(range(4))
    losses = {(1, 0): -5, (2, 1): -5, (3, 2): -5}
    problem, state = complete(losses, (0, 1, 2, 3), precedes=constraints.precedes)
    assert [edge for edge in edges(state) if is_reversible(state, problem, *edge)] == [(2, 3)]


def test_settled_edges_are_not_worth_weighing():
    problem, state = complete({(1, 0): -5}, (0, 1))
    assert is_worth_weighing(state, problem, (0, 1))
    state = replace(state, settled=np.array([[False, True], [False, False]]))
    assert not is_worth_weighing(state, problem, (0, 1))


# --- Moves


def test_columns_between_two_go_before_or_behind_both():
    losses = {(4, 0, 2): -9, (2, 1): -5, (3, 0): -5}
    problem, state = complete(losses, (0, 1, 2, 3, 4))
    assert make_adjacent(state, problem, 0, 4).order == (1, 2, 0, 4, 3)


@pytest.mark.parametrize("seed", range(20))
def test_making_two_columns_adjacent_is_free(seed):
    rng = np.random.default_rng(seed)
    problem = problem_of(ErraticScore(rng, 20.0), 7)
    state = explore_predecessors(initial_state(problem, tuple(range(7))), problem)
    for a, b in edges(state):
        if is_reversible(state, problem, a, b):
            state, _ = weigh_reversal(state, problem, a, b)
            before = problem.loss(state.order)
            x, y = next(edge for edge in edges(state) if is_reversible(state, problem, *edge))
            state = make_adjacent(state, problem, x, y)
            assert problem.loss(state.order) <= before + 1e-9
            assert state.order.index(y) == state.order.index(x) + 1


@pytest.mark.parametrize("seed", range(30))
def test_a_reversal_gains_what_it_promises(seed):
    d, losses = random_table(seed)
    problem = problem_of(TableScore(losses), d)
    state = explore_predecessors(initial_state(problem, tuple(range(d))), problem)
    for a, b in edges(state):
        if is_reversible(state, problem, a, b):
            state, gain = weigh_reversal(state, problem, a, b)
            reversed_ = reverse(state, problem, a, b)
            promised = problem.loss(state.order) - problem.loss(reversed_.order)
            assert gain == pytest.approx(promised)
            assert state.reversal_cost[a, b] == -gain == -state.reversal_cost[b, a]
            assert state.order.index(b) == state.order.index(a) + 1
            assert reversed_.order.index(a) == reversed_.order.index(b) + 1


def test_a_reversal_is_weighed_among_the_parents_of_both_columns():
    """1 explains 0 only with 2, which is a parent of 1 so far."""
    score = TableScore(table({(1, 0): -10, (1, 2): -30, (1, 0, 2): -40, (0, 1, 2): -50}))
    problem = problem_of(score, 3)
    state = explore_predecessors(initial_state(problem, (2, 0, 1)), problem)
    state, gain = weigh_reversal(state, problem, 0, 1)
    assert gain == 40  # -30 and -50 instead of -40
    assert state.reversal_cost[1, 0] == 40


def test_a_relocation_is_worth_what_it_promises():
    """2 could do without 0 by 1, but 1 cannot be before it if 0 is put behind."""
    losses = {(1, 0): -50, (2, 0): -25, (2, 1): -24, (0, 2, 3): -10}
    problem, state = complete(losses, (3, 0, 1, 2))
    move = relocation(state, problem, 0)
    after = problem.loss((*move.before, 0, *move.after))
    assert problem.loss(state.order) - after == pytest.approx(move.gain)


@pytest.mark.parametrize("seed", range(40))
def test_every_relocation_is_worth_at_least_what_it_promises(seed):
    """Columns behind the one that moves may find better fits by the way."""
    rng = np.random.default_rng(seed)
    losses = random_losses(6, rng, monotone=bool(seed % 2), scale=8.0)
    problem = problem_of(CompleteTableScore(losses), 6)
    state = initial_state(problem, tuple(rng.permutation(6).tolist()))
    for v in range(6):
        move = relocation(state, problem, v)
        order = (*move.before, v, *move.after)
        assert sorted(order) == list(range(6))
        assert problem.loss(state.order) - problem.loss(order) >= move.gain - 1e-9


@pytest.mark.parametrize(("weak_edge", "before"), [(4.0, (1,)), (6.0, (1, 2))])
def test_only_strong_edges_hold_a_column_back(weak_edge, before):
    settings = SearchSettings(weak_edge=weak_edge)
    problem, state = complete({(2, 0): -5}, (0, 1, 2), settings=settings)
    move = relocation(state, problem, 0)
    assert move.before == before
    assert move.gain == (0 if weak_edge < 5 else -5)


def test_no_column_is_relocated_behind_one_that_it_must_precede():
    constraints = Knowledge(tiers=[[0], [2]]).resolve(range(4))
    losses = {(0, 1, 2, 3): -90, (3, 2): -1}
    problem, state = complete(losses, (0, 1, 2, 3), precedes=constraints.precedes)
    move = relocation(state, problem, 0)
    assert (move.before, move.after) == ((1,), (2, 3))


def test_isolated_columns_come_last():
    problem, state = complete({(3, 1): -5}, (0, 1, 2, 3))
    assert isolated_last(state, problem).order == (1, 3, 0, 2)


def test_an_isolated_column_stays_before_what_it_must_precede():
    constraints = Knowledge(tiers=[[0], [1]]).resolve(range(4))
    problem, state = complete({(3, 1): -5}, (0, 1, 2, 3), precedes=constraints.precedes)
    assert isolated_last(state, problem).order == (0, 1, 3, 2)


@pytest.mark.parametrize(("negentropy", "expected"), [(-19, -7), (-4, 8), (4, 12), (19, 21)])
def test_negentropy_counts_whole_only_against_an_edge(negentropy, expected):
    """Its error is 10 nats at 1,000 rows."""
    problem, state = complete({(1, 0): -12}, (0, 1))
    state = replace(
        state,
        reversal_cost=np.array([[np.nan, 12], [-12, np.nan]]),
        negentropy_gain=np.array([[0, negentropy], [-negentropy, 0]]),
    )
    evidence = reversal_evidence(state, problem, 1000)
    assert evidence[0, 1] == expected
    assert np.isnan(evidence[[0, 1, 1], [0, 0, 1]]).all()


def test_without_residuals_evidence_is_the_cost_with_normal_noise():
    problem, state = complete({(1, 0): -12, (0, 1): -9}, (0, 1))
    state, _ = weigh_reversal(state, problem, 0, 1)
    assert reversal_evidence(state, problem, None)[0, 1] == 3


def test_other_edges_at_either_end_are_weighed_in_turn():
    losses = {(1, 0): -50, (2, 1): -50, (4, 3): -50}
    problem, state = complete(losses, (0, 1, 2, 3, 4))
    state = reverse(state, problem, 0, 1)
    weighed = [(x, y) for _, _, x, y in weighed_beside(state, problem, 0, 1)]
    assert weighed == [(1, 2)]


# --- Values


MOVES = {
    "reread": reread,
    "reorder": lambda state, problem: reorder(state, problem, state.order[::-1]),
    "explore_predecessors": explore_predecessors,
    "isolated_last": isolated_last,
}
MOVES_OF_AN_EDGE = {
    "make_adjacent": make_adjacent,
    "reverse": lambda state, problem, a, b: reverse(
        make_adjacent(state, problem, a, b), problem, a, b
    ),
    "weigh_reversal": weigh_reversal,
    "weighed_beside": lambda state, problem, a, b: list(weighed_beside(state, problem, b, a)),
}


def explored_state(seed):
    d, losses = random_table(seed)
    score = TableScore(losses)
    problem = problem_of(score, d)
    state = explore_predecessors(initial_state(problem, tuple(range(d))), problem)
    return score, problem, state


@pytest.mark.parametrize("seed", range(6))
def test_moves_leave_the_state_they_begin_with_as_it_was(seed):
    _, problem, state = explored_state(seed)
    before = contents(state)
    for move in MOVES.values():
        move(state, problem)
        assert contents(state) == before
    for move in MOVES_OF_AN_EDGE.values():
        for a, b in edges(state):
            if is_reversible(state, problem, a, b):
                move(state, problem, a, b)
                assert contents(state) == before


@pytest.mark.parametrize("seed", range(6))
def test_a_question_changes_nothing(seed):
    score, problem, state = explored_state(seed)
    before, known, columns = contents(state), known_fits(score), range(len(state.order))

    def answers():
        yield edges(state)
        yield problem.loss(state.order)
        yield [problem.best(v, state.order) for v in columns]
        yield [problem.fit_in(state.order, v) for v in columns]
        yield [relocation(state, problem, v) for v in columns]
        yield [is_reversible(state, problem, *edge) for edge in edges(state)]
        yield [descendants(state, problem, v) for v in columns]
        yield [ancestors(state, problem, v) for v in columns]
        yield reversal_evidence(state, problem, None).tobytes()

    first = list(answers())
    assert list(answers()) == first
    assert contents(state) == before
    assert known_fits(score) == known


def test_states_and_problems_cannot_be_assigned_to():
    problem, state = complete({(1, 0): -5}, (0, 1))
    with pytest.raises(FrozenInstanceError):
        state.order = (1, 0)
    with pytest.raises(FrozenInstanceError):
        problem.min_gain = 0.0


def test_nothing_is_known_of_a_new_state():
    problem = problem_of(TableScore(DIAMOND), 4)
    state = initial_state(problem, [2, 0, 3, 1])
    assert state.order == (2, 0, 3, 1)
    assert state.parents == (frozenset(),) * 4
    assert np.isnan(state.reversal_cost).all()
    assert not state.settled.any()
    assert_array_equal(state.negentropy_gain, np.zeros((4, 4)))
    assert state.failed_sequences == frozenset()
