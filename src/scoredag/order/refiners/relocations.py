"""Move columns behind all others that are not their strong descendants."""

from __future__ import annotations

from scoredag.order.local_score import Report
from scoredag.order.moves import relocation
from scoredag.order.search import OrderProblem, SearchState, reorder, reread


def relocations(
    state: SearchState, problem: OrderProblem, report: Report | None = None
) -> tuple[SearchState, bool]:
    """Explore every node among its non-descendants, and move it behind them if that gains.

    A function of many columns leaves no trace until all of them precede the node in the order, so
    that no single reversal finds the parents. Weak edges do not hold a node back.

    Parameters
    ----------
    state : SearchState
        Starting state.
    problem : OrderProblem
        Local score, constraints and settings.
    report : callable, optional
        Called with the number of nodes explored and their total.

    Returns
    -------
    SearchState, bool
        The new state, and whether the loss has fallen enough.
    """
    loss = problem.loss(state.order)
    non_descendants = {v: relocation(state, problem, v).before for v in state.order}
    problem.explore_all(non_descendants, report)
    state = reread(state, problem)
    gains = {v: relocation(state, problem, v).gain for v in state.order}
    for v in sorted(gains, key=lambda v: -gains[v]):
        move = relocation(state, problem, v)
        if move.gain > problem.min_gain:
            state = reorder(state, problem, (*move.before, v, *move.after))
    return state, problem.loss(state.order) < loss - problem.min_gain


PIECE = relocations
