"""Reverse single edges that are the only directed path between their ends."""

from __future__ import annotations

from functools import partial

from scoredag.order.local_score import Report
from scoredag.order.moves import explore_reversal, reversal_by_known_fits, reverse
from scoredag.order.search import OrderProblem, SearchState, edges, is_worth_weighing

Edge = tuple[int, int]


def reversals(
    state: SearchState, problem: OrderProblem, report: Report | None = None
) -> tuple[SearchState, bool]:
    """Sweep over all edges, and reverse each whose reversal gains enough.

    Both ends of an edge are made adjacent in the order before the reversal is weighed, which does
    not raise the loss. The ends stay adjacent whether the edge is reversed or not.

    Parameters
    ----------
    state : SearchState
        Starting state.
    problem : OrderProblem
        Local score, constraints and settings.
    report : callable, optional
        Called with the number of edges weighed and their total.

    Returns
    -------
    SearchState, bool
        The new state, and whether any edge was reversed.
    """
    left, improved = edges(state), False
    total = len(left)
    while left:
        if report is not None:
            report(total - len(left), total)
        batch, left = _without_common_ends(state, problem, left)
        problem.side_by_side(partial(explore_reversal, state, problem, a, b) for a, b in batch)
        for a, b in batch:
            if not is_worth_weighing(state, problem, (a, b)):
                continue
            state, gain = reversal_by_known_fits(state, problem, a, b)
            if gain > problem.min_gain:
                state, improved = reverse(state, problem, a, b), True
    return state, improved


def _without_common_ends(
    state: SearchState, problem: OrderProblem, left: list[Edge]
) -> tuple[list[Edge], list[Edge]]:
    """The first edges that are worth weighing and have no end in common, and those for later.

    Exploring an edge fits its two ends only, so that such edges can be explored side by side, with
    the same result for any number of threads.
    """
    batch, later, ends = list[Edge](), list[Edge](), set[int]()
    for number, edge in enumerate(left):
        if len(batch) == problem.settings.edges_side_by_side:
            return batch, later + left[number:]
        if not ends.isdisjoint(edge):
            later.append(edge)
        elif is_worth_weighing(state, problem, edge):
            batch.append(edge)
            ends.update(edge)
    return batch, later


PIECE = reversals
