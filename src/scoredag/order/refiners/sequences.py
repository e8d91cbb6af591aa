"""Reverse an edge against the evidence where further reversals at its ends offset the loss."""

from __future__ import annotations

from dataclasses import replace

from scoredag.order.local_score import Report
from scoredag.order.moves import make_adjacent, reverse, weigh_reversal, weighed_beside
from scoredag.order.search import OrderProblem, SearchState, edges, is_worth_weighing, reorder


def sequences(
    state: SearchState, problem: OrderProblem, report: Report | None = None
) -> tuple[SearchState, bool]:
    """Try a sequence of reversals from every edge, and keep those that gain enough as a whole.

    Single reversals stop in local optima of order and fits. The first reversal of a sequence may
    lose a limited number of nats; each further one is the best at either end of the first edge.

    Parameters
    ----------
    state : SearchState
        Starting state.
    problem : OrderProblem
        Local score, constraints and settings.
    report : callable, optional
        Called with the number of edges tried and their total.

    Returns
    -------
    SearchState, bool
        The new state, and whether any sequence was kept.
    """
    found, improved = edges(state), False
    for number, (a, b) in enumerate(found):
        if report is not None:
            report(number, len(found))
        trial = (a, b, state.parents[a] | state.parents[b])
        if trial in state.failed_sequences or not is_worth_weighing(state, problem, (a, b)):
            continue
        state = replace(state, failed_sequences=state.failed_sequences | {trial})
        state, gain = weigh_reversal(state, problem, a, b)
        if gain < -problem.settings.first_loss:
            continue
        before = state.order
        state = _sequence_from(reverse(state, problem, a, b), problem, a, b, before)
        if _gain_over(before, state, problem) > problem.min_gain:
            improved = True
        else:
            state = reorder(state, problem, before)
    return state, improved


def _sequence_from(
    state: SearchState, problem: OrderProblem, a: int, b: int, before: tuple[int, ...]
) -> SearchState:
    """Reverse further edges at either end of b -> a, the best first, until the sequence gains."""
    for _ in range(problem.settings.longest_sequence):
        if _gain_over(before, state, problem) > problem.min_gain:
            break
        options = list[tuple[float, int, int]]()
        for weighed, gain, x, y in weighed_beside(state, problem, a, b):
            state = weighed
            options.append((gain, x, y))
        gain, x, y = max(options, default=(0.0, a, b))
        # Weighing another edge may have changed the parents of this one's ends.
        if gain <= 0 or not is_worth_weighing(state, problem, (x, y)):
            break
        state = reverse(make_adjacent(state, problem, x, y), problem, x, y)
    return state


def _gain_over(order: tuple[int, ...], state: SearchState, problem: OrderProblem) -> float:
    """Gain in nats of a state over an order, by all fits known now."""
    return problem.loss(order) - problem.loss(state.order)


PIECE = sequences
