"""Polish a causal order by local moves that make the data more likely.

An order is worth the sum over columns of the evidence of a Gaussian process on the columns before
them (`scoredag.regression`). For every edge a -> b that this needs and that no other path
doubles, the order is rearranged, at no cost, until a and b are neighbours, and b is tried before
a: only these two are explained anew, by what either of them needs. Sweeps over all edges go on
until none turns. Then every column is explained by all that it does not lead to, and put behind
them if that is more likely.

All this takes the noise for normal. At the end its shape is looked at: if x causes y, the
entropies of x and of the noise of y add up to that of both columns, and the other way round to
more. An edge turns where that clearly speaks against it, and where the noise is more independent of
the cause once it is turned. So lines with noise that is not normal get their direction too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import (
    FEWEST_SEARCH_ROWS,
    as_generator,
    check_count,
    check_jobs,
    is_number,
)
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import check_table
from scoredag.order.arrangement import SHAPE_ERROR, Allowed, Arrangement, Report
from scoredag.regression.explanations import Explanations
from scoredag.regression.relevance import Explanation
from scoredag.regression.threads import one_blas_thread

Trial = tuple[int, int, frozenset[int]]  # an edge and the causes its ends were given

_TICKS = 1000
_MARGIN = 1.0
_MOST_SWEEPS = 10
_PATIENCE = 30.0  # nats that a first turn may lose
_LONGEST_CHAIN = 4
_ROWS, _FINAL_ROWS = 400, 1000
# Nats that turning an edge loses in the search, beyond which more rows would not change it.
_SURE = 20.0


@dataclass(frozen=True)
class RefinedOrder:
    """What the refinement found.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    loss : float
        Penalised negative log evidence of the order in nats, with normal noise; 0 is that of
        independent columns.
    start_loss : float
        That of the order it began with. It can be less than `loss` where the shape of the noise
        has turned an edge.
    explanations : list of Explanation
        For each column, how the ones before it explain it.
    direction : ndarray of shape (d, d)
        Nats that turning the edge i -> j round would cost, at [i, j], at least: the shape of the
        noise, which is known to within 10 nats, counts less these where it speaks for the edge, and
        whole against it. NaN where other edges fix its direction, and where there is no edge.
    independence : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of j does not depend on its cause i, at [i, j];
        NaN where there is no edge. Small ones contradict additive noise or this graph.
    noise_share : ndarray of shape (d,)
        What is noise of the variance of each column, in up to 500 rows.
    """

    order: NDArray[np.intp]
    loss: float
    start_loss: float
    explanations: list[Explanation]
    direction: NDArray[np.float64]
    independence: NDArray[np.float64]
    noise_share: NDArray[np.float64]


def refine_order(
    X: ArrayLike,
    *orders: ArrayLike,
    candidates: ArrayLike | None = None,
    margin: float = _MARGIN,
    rows: int = _ROWS,
    final_rows: int = _FINAL_ROWS,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Report | None = None,
) -> RefinedOrder:
    """Polish causal orders by local likelihood moves and return the most likely result.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    *orders : array-like of int, shape (d,)
        Where to begin: the columns, sources first, as any other method orders them.
    candidates : array-like of shape (d, d), optional
        Non-zero ``candidates[i, j]`` means that i may cause j; by default every column may cause
        every other.
    margin : float, default=1.0
        What a move must gain, in nats.
    rows : int, default=400
        Rows drawn for the search, to which hyper-parameters are fitted, at least 50. Time grows
        with their third power.
    final_rows : int, default=1000
        Rows on which explanations are compared. In a last round hyper-parameters are fitted to all
        of them, for every column and for the edges that the search was not sure of.
    rng : numpy.random.Generator or int, optional
        Draws them; by default always the same ones.
    n_jobs : int, optional
        Threads for what can be done side by side, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the work done and an estimate of the total, in arbitrary units.

    Returns
    -------
    RefinedOrder

    Notes
    -----
    Does not depend on units. Assumes additive noise. Where effects are linear and the noise is
    normal both directions are equally likely, and an order stays as it is but for moves that chance
    favours by more than the margin. Where the noise grows with a cause, directions can be wrong.

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
    if not orders:
        raise ValueError("refine_order needs at least one order to begin with")
    starts = [_checked(order, d) for order in orders]
    check_search(margin, rows, final_rows)
    check_jobs(n_jobs)
    allowed = _permitted(candidates, d)
    shuffled = as_generator(0 if rng is None else rng).permutation(n)
    known = Explanations(table[shuffled[:final_rows]], rows)
    phases = _Phases(progress, total=2 * len(starts) + 3)
    arrangements = []
    for start in starts:
        arrangement = Arrangement(known, start, allowed)
        arrangement.look_back(n_jobs, phases.begin())
        _improve(arrangement, margin, n_jobs, phases.begin())
        arrangements.append(arrangement)
    best = min(arrangements, key=lambda arrangement: arrangement.loss)
    _improve(best, margin, n_jobs, phases.begin(), chains=True)
    if min(n, final_rows) > rows:
        _settle(best, np.inf)
        best.settled = best.costs_of_turning() > _SURE
        known.use_all_rows()
        best.look_around(margin, n_jobs, phases.begin())
        _improve(best, margin, n_jobs, phases.begin())
    _settle(best, margin)
    # What was learnt on the way may speak for an order that was left.
    best.order = min([best.order, *(a.order for a in arrangements), *starts], key=known.loss)
    best.refresh(best.order)
    _listen_to_noise(best, n_jobs)
    best.put_strangers_last()
    phases.end()
    return RefinedOrder(
        order=np.array(best.order),
        loss=best.loss,
        start_loss=min(known.loss(start) for start in starts),
        explanations=best.explanations,
        direction=best.costs_of_turning(),
        independence=best.noise_independence(),
        noise_share=best.noise_shares(),
    )


def check_search(margin: Any, rows: Any, final_rows: Any) -> None:
    """Raise ValueError unless `refine_order` can work with these."""
    for name, count in (("rows", rows), ("final_rows", final_rows)):
        check_count(count, name, FEWEST_SEARCH_ROWS)
    if not (is_number(margin) and 0 <= margin < np.inf):
        raise ValueError(f"margin must be a number, 0 or more; got {margin!r}")


def _improve(
    arrangement: Arrangement,
    margin: float,
    n_jobs: int | None,
    report: Report,
    chains: bool = False,
) -> None:
    """Sweep until no edge turns and no column finds a better explanation."""
    hopeless = set[Trial]()
    arrangement.refresh(arrangement.order)  # others may have found better explanations since
    for sweep in range(_MOST_SWEEPS):
        with one_blas_thread():
            turned = _sweep(arrangement, margin, _halving(report, 2 * sweep))
            if not turned and chains:
                turned = _chains(arrangement, margin, hopeless, _halving(report, 2 * sweep + 1))
        if not turned and not arrangement.look_around(margin, n_jobs):
            return


def _settle(arrangement: Arrangement, margin: float) -> None:
    """Weigh all edges anew, until none turns."""
    with one_blas_thread():
        for _ in range(_MOST_SWEEPS):
            if not _sweep(arrangement, margin):
                return


def _listen_to_noise(arrangement: Arrangement, n_jobs: int | None) -> None:
    """Turn the edges that the shape of the noise clearly speaks against."""
    turned = set[tuple[int, int]]()
    with one_blas_thread():
        for _ in range(_MOST_SWEEPS):
            before = len(turned)
            for a, b in list(arrangement.edges()):
                if not arrangement.joins_only(a, b):
                    continue
                clearly = arrangement.gain_by_noise(a, b) > SHAPE_ERROR
                back = (a, b) in turned
                if clearly and not back and arrangement.noise_fits_turned(a, b):
                    arrangement.turn(a, b)
                    # What stands beside them has to be asked again.
                    arrangement.settled[[a, b]] = arrangement.settled[:, [a, b]] = False
                    turned.add((b, a))
            if len(turned) == before:
                return
            arrangement.look_back(n_jobs)  # what is before a column now may explain it better


def _sweep(arrangement: Arrangement, margin: float, report: Report | None = None) -> int:
    """Try to turn every edge once; how many did."""
    turned = 0
    edges = list(arrangement.edges())
    for number, (a, b) in enumerate(edges):
        if report is not None:
            report(number, len(edges))
        if arrangement.can_turn(a, b) and arrangement.gain_of_turning(a, b) > margin:
            arrangement.turn(a, b)
            turned += 1
    return turned


def _chains(arrangement: Arrangement, margin: float, hopeless: set[Trial], report: Report) -> int:
    """Turn edges against the evidence where turning others at their ends makes up for it."""
    turned = 0
    edges = list(arrangement.edges())
    for number, (a, b) in enumerate(edges):
        report(number, len(edges))
        trial = (a, b, arrangement.causes(a) | arrangement.causes(b))
        if trial in hopeless or not arrangement.can_turn(a, b):
            continue
        hopeless.add(trial)
        if arrangement.gain_of_turning(a, b) < -_PATIENCE:
            continue
        saved = arrangement.order.copy()
        arrangement.turn(a, b)
        for _ in range(_LONGEST_CHAIN):
            if arrangement.gain_over(saved) > margin:
                break
            gain, x, y = max(_turns_beside(arrangement, a, b), default=(0.0, a, b))
            # Another trial may have changed what the ends of this edge need.
            if gain <= 0 or not arrangement.can_turn(x, y):
                break
            arrangement.bring_together(x, y)
            arrangement.turn(x, y)
        if arrangement.gain_over(saved) > margin:
            turned += 1
        else:
            arrangement.order = saved
            arrangement.refresh(saved)
    return turned


def _turns_beside(arrangement: Arrangement, a: int, b: int) -> Iterator[tuple[float, int, int]]:
    """Gains of turning the other edges at either end of b -> a."""
    for x, y in list(arrangement.edges()):
        if {x, y} & {a, b} and (x, y) != (b, a) and arrangement.can_turn(x, y):
            yield arrangement.gain_of_turning(x, y), x, y


def _permitted(candidates: ArrayLike | None, d: int) -> Allowed:
    """Which i may cause which j, [i, j]; nothing causes itself."""
    allowed = ~np.eye(d, dtype=bool)
    return allowed if candidates is None else allowed & check_candidates(candidates, d)


def _checked(order: ArrayLike, d: int) -> list[int]:
    columns = np.asarray(order)
    if columns.shape != (d,) or not np.array_equal(np.sort(columns), np.arange(d)):
        raise ValueError(f"an order must list each of the {d} columns once; got {order!r}")
    return [int(v) for v in columns]


class _Phases:
    """Tells a caller how far the work is, in phases of equal worth."""

    def __init__(self, progress: Report | None, total: int) -> None:
        self._progress, self._total, self._begun = progress, total, 0

    def begin(self) -> Report:
        """Begin the next phase; the function that is returned takes what is done of it."""
        self._begun += 1
        return lambda done, total: self._tell(self._begun - 1 + done / total)

    def end(self) -> None:
        """All is done, also phases that were not needed."""
        self._tell(self._total)

    def _tell(self, phases: float) -> None:
        if self._progress is not None:
            self._progress(round(_TICKS * phases), _TICKS * self._total)


def _halving(report: Report, number: int) -> Report:
    """A part of a phase of which nobody knows the parts: each takes half of what is left."""

    def within(done: int, total: int) -> None:
        left = 0.5**number * (1 - 0.5 * done / total)
        report(round(_TICKS * (1 - left)), _TICKS)

    return within
