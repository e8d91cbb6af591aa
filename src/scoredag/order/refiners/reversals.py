"""Reverse single edges that are the only directed path between their ends."""

from __future__ import annotations

from scoredag.order.local_score import Report
from scoredag.order.moves import reverse, weigh_reversal
from scoredag.order.search import OrderProblem, SearchState, edges, is_worth_weighing


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
    found, improved = edges(state), False
    for number, (a, b) in enumerate(found):
        if report is not None:
            report(number, len(found))
        if not is_worth_weighing(state, problem, (a, b)):
            continue
        state, gain = weigh_reversal(state, problem, a, b)
        if gain > problem.min_gain:
            state, improved = reverse(state, problem, a, b), True
    return state, improved


PIECE = reversals
