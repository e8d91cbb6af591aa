"""Refine a causal order by local moves that make the data more likely.

An order is worth the sum over columns of a local loss given the columns before each
(`scoredag.order.local_score`). For every edge a -> b of the best fits that no other path doubles,
the order is rearranged, at no cost, until a and b are adjacent, and b is tried before a: only these
two are fitted anew. Sweeps over all edges go on until no reversal gains; then sequences of
reversals are tried, and every node is explored among its non-descendants and moved behind them if
that gains.

All this takes the noise for normal; the negentropy of the residuals is looked at last
(`scoredag.order.noise`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, check_count, check_jobs, is_number
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import check_table
from scoredag.knowledge import Constraints, Knowledge, as_constraints
from scoredag.order.local_score import HasResiduals, LocalFit, LocalScore, Report, Sharpens
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
    isolated_last,
    reorder,
    reread,
    reversal_evidence,
)
from scoredag.plugins import accepted, pick
from scoredag.progress import Phases, halving
from scoredag.regression.threads import one_blas_thread
from scoredag.settings import SEARCH, SearchSettings

Refiner = Callable[[SearchState, OrderProblem, Report | None], tuple[SearchState, bool]]

_SHELF = "scoredag.order.refiners"
_REFINERS = ("reversals", "relocations")
_THOROUGH_REFINERS = ("reversals", "sequences", "relocations")


@dataclass(frozen=True)
class RefinedOrder:
    """What the refinement found.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    loss : float
        Loss of the order in nats, with normal noise; 0 is that of independent columns.
    start_loss : float
        Loss of the order it began with, by all that is known at the end. It can be less than `loss`
        where the negentropy of the residuals has reversed an edge.
    fits : tuple of LocalFit
        For each column its best fit by the columns before it.
    reversal_evidence : ndarray of shape (d, d)
        Nats that reversing the edge i -> j would cost, at [i, j]. The negentropy of the residuals
        is reduced by its error where it supports the edge, and counted in full where it opposes the
        edge. NaN where other edges fix the direction, and where there is no edge.
    noise : NoiseReport or None
        Tests of the residuals; None with a local score that has no residuals.
    """

    order: NDArray[np.intp]
    loss: float
    start_loss: float
    fits: tuple[LocalFit, ...]
    reversal_evidence: NDArray[np.float64]
    noise: NoiseReport | None


def refine_order(
    X: ArrayLike,
    *orders: ArrayLike,
    local_score: str | LocalScore | Callable[..., LocalScore] = "gp",
    refiners: Sequence[str | Refiner] = _REFINERS,
    thorough_refiners: Sequence[str | Refiner] = _THOROUGH_REFINERS,
    candidates: ArrayLike | None = None,
    knowledge: Knowledge | Constraints | None = None,
    min_gain: float = SEARCH.min_gain,
    rows: int = SEARCH.rows,
    final_rows: int = SEARCH.final_rows,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Report | None = None,
    settings: SearchSettings = SEARCH,
) -> RefinedOrder:
    """Refine causal orders by local moves and return the most likely result.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    *orders : array-like of int, shape (d,)
        Where to begin: the columns, sources first, as any other method orders them. An order that
        contradicts `knowledge` is replaced by the nearest one that does not.
    local_score : {"gp", "additive"}, callable or LocalScore, default="gp"
        How well columns explain another one. "gp": Gaussian processes of the parents jointly;
        "additive": CAM's sums of smooth functions, which takes fractions of a second and misses
        parents that only act together. Names are files in ``order/local_scores``.
    refiners : sequence of str or callable, default=("reversals", "relocations")
        Kinds of moves, tried in turn from every start; names are files in ``order/refiners``.
    thorough_refiners : sequence of str or callable
        Kinds of moves for the best of the starts; by default "sequences" as well, the slowest.
    candidates : array-like of shape (d, d), optional
        Non-zero ``candidates[i, j]`` means that i may be a parent of j; by default every column may
        be a parent of every other.
    knowledge : Knowledge, optional
        What is known of the graph: see `scoredag.Knowledge`.
    min_gain : float, default=1.0
        Nats that a move must gain.
    rows : int, default=400
        Rows drawn for the search, to which hyper-parameters are fitted, at least 50. Time grows
        with their third power. "gp" only.
    final_rows : int, default=1000
        Rows on which fits are compared. In a last round hyper-parameters are fitted to all of them,
        for every column and for the edges whose direction the search was not sure of. "gp" only.
    rng : numpy.random.Generator or int, optional
        Draws these rows; by default always the same ones.
    n_jobs : int, optional
        Threads for nodes that are explored side by side, as in joblib. The result does not depend
        on it.
    progress : callable, optional
        Called with the work done and an estimate of the total, in arbitrary units.
    settings : SearchSettings, optional
        Every other tuned number.

    Returns
    -------
    RefinedOrder

    Notes
    -----
    Does not depend on units. Assumes additive noise. Where effects are linear and the noise is
    normal both directions are equally likely, and an order stays as it is but for moves that chance
    favours by more than the minimal gain. Where the noise grows with a parent, directions can be
    wrong.

    References
    ----------
    N. Friedman and I. Nachman. Gaussian process networks. UAI 2000. P. Bühlmann, J. Peters and J.
    Ernest. CAM: causal additive models. Annals of Statistics 42:2526, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.3 * rng.normal(size=300)
    >>> refine_order(np.column_stack([y, x]), [0, 1]).order
    array([1, 0])
    """
    table = check_table(X)
    n, d = table.shape
    check_min_gain(min_gain, "min_gain")
    check_rows(rows, "rows", settings)
    check_rows(final_rows, "final_rows", settings)
    check_jobs(n_jobs)
    constraints = as_constraints(knowledge, d)
    allowed = constraints.allowed
    if candidates is not None:
        allowed = allowed & check_candidates(candidates, d)
    starts = [constraints.repair(order) for order in _checked(orders, d)]
    quick = [pick(_SHELF, refiner, "refiners") for refiner in refiners]
    thorough = [pick(_SHELF, refiner, "thorough_refiners") for refiner in thorough_refiners]
    shuffled = as_generator(0 if rng is None else rng).permutation(n)
    score = _local_score(local_score, table, shuffled, rows, final_rows, settings)
    problem = OrderProblem(score, allowed, constraints.precedes, min_gain, settings, n_jobs)
    return refine(problem, starts, quick, thorough, progress=progress)


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
    phases = Phases(progress, total=2 * len(starts) + 3)
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
    # Fits that were found on the way may favour an order that was left.
    best = reorder(best, problem, min([best.order, *left, *starts], key=problem.loss))
    diagnostics = None
    if isinstance(problem.score, HasResiduals):
        diagnostics = ResidualDiagnostics(problem.score)
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
    )


def check_rows(value: Any, name: str, settings: SearchSettings = SEARCH) -> None:
    """Raise ValueError unless a search can work with so many rows."""
    check_count(value, name, settings.fewest_rows)


def check_min_gain(value: Any, name: str) -> None:
    """Raise ValueError unless an argument is a gain that a move can be asked for."""
    if not (is_number(value) and 0 <= value < np.inf):
        raise ValueError(f"{name} must be a number, 0 or more; got {value!r}")


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
    """A last round at a higher precision, for the edges whose direction is not settled."""
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
    """Weigh all edges anew, until none is reversed."""
    with one_blas_thread():
        for _ in range(problem.settings.most_sweeps):
            state, improved = reversals(state, problem, None)
            if not improved:
                break
    return state


def _local_score(
    choice: Any,
    table: NDArray[np.float64],
    shuffled: NDArray[np.intp],
    rows: int,
    final_rows: int,
    settings: SearchSettings,
) -> LocalScore:
    """Build a local score from the rows of a table, or take the one that the user has built."""
    if not isinstance(choice, str) and hasattr(choice, "best") and not isinstance(choice, type):
        return choice
    build = pick("scoredag.order.local_scores", choice, "local_score")
    if "rows" in accepted(build, {"rows": rows}):  # one whose time grows fast with the rows
        table = table[shuffled[:final_rows]]
    return build(table, **accepted(build, {"rows": rows, "settings": settings}))


def _checked(orders: Sequence[ArrayLike], d: int) -> list[list[int]]:
    if not orders:
        raise ValueError("refine_order needs at least one order to begin with")
    for order in orders:
        columns = np.asarray(order)
        if columns.shape != (d,) or not np.array_equal(np.sort(columns), np.arange(d)):
            raise ValueError(f"an order must list each of the {d} columns once; got {order!r}")
    return [[int(v) for v in np.asarray(order)] for order in orders]
