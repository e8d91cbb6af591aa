"""The schedule of a search over orders, for any local score.

Every starting order is refined by quick moves (variable neighbourhood descent). The best result is
refined by thorough moves, then at a higher precision if the local score offers one. Finally, if
the score has residuals but no model of their noise, the negentropy of the residuals may reverse
edges (`scoredag.order.noise`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoredag.order.local_score import (
    HasNoise,
    HasResiduals,
    LocalFit,
    LocalScore,
    Report,
    Sharpens,
)
from scoredag.order.moves import isolated_last, reversal_evidence
from scoredag.order.noise import NoiseReport, noise_report, reverse_by_noise
from scoredag.order.refiners.relocations import relocations
from scoredag.order.refiners.reversals import reversals
from scoredag.order.refiners.sequences import sequences
from scoredag.order.residual_diagnostics import ResidualDiagnostics
from scoredag.order.search import (
    OrderProblem,
    SearchState,
    explore_predecessors,
    initial_state,
    reorder,
    reread,
)
from scoredag.progress import Phases, halving
from scoredag.threads import one_blas_thread

Refiner = Callable[[SearchState, OrderProblem, Report | None], tuple[SearchState, bool]]

# Shares of the time, for the progress bar: exploring and descending from a start; then the thorough
# descent, relocations on more rows, and the descent after them. At n = 1,000 and 4,000.
_FIRST_START, _FURTHER_START, _BEST_ORDER = (1.0, 2.0), (0.3, 0.3), (1.5, 3.0, 0.7)


@dataclass(frozen=True)
class RefinedOrder:
    """A refined order, its local fits and its diagnostics.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    loss : float
        Loss of the order in nats; 0 is that of independent normal columns.
    start_loss : float
        Smallest loss of the starting orders, by all fits known at the end. `start_loss` can be less
        than `loss` where the negentropy of the residuals has reversed an edge.
    fits : tuple of LocalFit
        For each column its best fit by the columns before it.
    reversal_evidence : ndarray of shape (d, d)
        Cost in nats of reversing the edge i -> j, at [i, j]. With normal noise the negentropy of
        the residuals is added: reduced by its error where it supports the edge, and in full where
        it opposes the edge. NaN where other edges fix the direction, and where there is no edge.
    noise : NoiseReport or None
        Tests of the residuals; None with a local score that has no residuals.
    score : LocalScore
        The local score of the last round, with all fits that were found.
    """

    order: NDArray[np.intp]
    loss: float
    start_loss: float
    fits: tuple[LocalFit, ...]
    reversal_evidence: NDArray[np.float64]
    noise: NoiseReport | None
    score: LocalScore


def refine(
    problem: OrderProblem,
    starts: Sequence[tuple[int, ...]],
    refiners: Sequence[Refiner] = (reversals, relocations),
    thorough_refiners: Sequence[Refiner] = (reversals, sequences, relocations),
    *,
    progress: Report | None = None,
) -> RefinedOrder:
    """Refine orders for any local score: `refine_order` without a table.

    Parameters
    ----------
    problem : OrderProblem
        Local score, constraints and settings.
    starts : sequence of tuple of int
        Orders that the constraints allow.
    refiners, thorough_refiners : sequence of callable
        Kinds of moves, tried in turn: from every start, and from the best of them.
    progress : callable, optional
        Called with the work done and an estimate of the total.

    Returns
    -------
    RefinedOrder
    """
    further = len(starts) - 1  # starts, which find most fits made already
    phases = Phases(progress, [*_FIRST_START, *further * _FURTHER_START, *_BEST_ORDER])
    states = list[SearchState]()
    for start in starts:
        state = initial_state(problem, start)
        state = explore_predecessors(state, problem, phases.begin())
        states.append(_descend(state, problem, refiners, phases.begin()))
    best = min(states, key=lambda state: problem.loss(state.order))
    left = [state.order for state in states if state is not best]
    best = _descend(best, problem, thorough_refiners, phases.begin())
    best, problem = _sharpen(best, problem, refiners, phases)
    best = _settle(best, problem)
    # Fits found later may favour an order that was abandoned.
    best = reorder(best, problem, min([best.order, *left, *starts], key=problem.loss))
    diagnostics = None
    if isinstance(problem.score, HasResiduals):
        diagnostics = ResidualDiagnostics(problem.score)
        if not isinstance(problem.score, HasNoise):
            best = reverse_by_noise(best, problem, diagnostics)
    best = isolated_last(best, problem)
    phases.end()
    return RefinedOrder(
        order=np.array(best.order),
        loss=problem.loss(best.order),
        start_loss=min(problem.loss(start) for start in starts),
        fits=tuple(problem.fit_in(best.order, v) for v in range(len(best.order))),
        reversal_evidence=reversal_evidence(
            best, problem, None if diagnostics is None else diagnostics.n_rows
        ),
        noise=None if diagnostics is None else noise_report(best, problem, diagnostics),
        score=problem.score,
    )


def _descend(
    state: SearchState, problem: OrderProblem, refiners: Sequence[Refiner], report: Report
) -> SearchState:
    """Variable neighbourhood descent: back to the first refiner whenever one succeeds."""
    state = reread(state, problem)  # searches from other starts may have found better fits
    for sweep in range(problem.settings.most_sweeps):
        for number, refiner in enumerate(refiners):
            part = halving(report, len(refiners) * sweep + number)
            with one_blas_thread():
                state, improved = refiner(state, problem, part)
            if improved:
                break
        else:
            return state
    return state


def _sharpen(
    state: SearchState, problem: OrderProblem, refiners: Sequence[Refiner], phases: Phases
) -> tuple[SearchState, OrderProblem]:
    """Repeat the descent at a higher precision, for the edges whose direction is not settled."""
    sharper = problem.score.sharpened() if isinstance(problem.score, Sharpens) else None
    if sharper is None:
        return state, problem
    state = _settle(state, replace(problem, min_gain=np.inf))  # weighs all edges, reverses none
    evidence = reversal_evidence(state, problem, None)
    state = replace(state, settled=evidence > problem.settings.settled_margin)
    problem = replace(problem, score=sharper)
    state, _ = relocations(state, problem, phases.begin())
    return _descend(state, problem, refiners, phases.begin()), problem


def _settle(state: SearchState, problem: OrderProblem) -> SearchState:
    """Weigh the reversal of all edges again, until no edge is reversed."""
    with one_blas_thread():
        for _ in range(problem.settings.most_sweeps):
            state, improved = reversals(state, problem, None)
            if not improved:
                break
    return state
