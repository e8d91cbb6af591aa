"""Reverse single edges that are the only directed path between their ends."""

from __future__ import annotations

from scoredag.order.local_score import Report
from scoredag.order.moves import explore_reversals, reversal_by_known_fits, reverse
from scoredag.order.search import (
    OrderProblem,
    SearchState,
    edges,
    is_worth_weighing,
    worth_weighing,
)


def reversals(
    state: SearchState, problem: OrderProblem, report: Report | None = None
) -> tuple[SearchState, bool]:
    """Sweep over all edges, and reverse each whose reversal gains enough.

    Both ends of an edge are made adjacent in the order before the reversal is weighed, which does
    not raise the loss. The ends stay adjacent whether the edge is reversed or not. A few edges
    are explored side by side, in threads, before one of them is reversed.

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
        together = worth_weighing(state, problem, left, problem.settings.edges_side_by_side)
        explore_reversals(state, problem, together)
        # Up to the last one that was explored; those that are not worth weighing are passed over.
        passed = left.index(together[-1]) + 1 if together else len(left)
        for a, b in left[:passed]:
            if (a, b) not in together or not is_worth_weighing(state, problem, (a, b)):
                continue  # the latter where a reversal has just created another path
            state, gain = reversal_by_known_fits(state, problem, a, b)
            if gain > problem.min_gain:
                state, improved = reverse(state, problem, a, b), True
        left = left[passed:]
    return state, improved


PIECE = reversals
