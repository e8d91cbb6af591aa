"""Refine a causal order by local moves that make the data more likely.

The loss of an order is the sum over columns of a local loss given the columns before each
(`scoredag.order.local_score`). For every edge a -> b of the best fits that is the only directed
path from a to b, the order is rearranged, at no cost, until a and b are adjacent, and the reversal
is weighed: only a and b are refitted. Sweeps over all edges continue until no reversal gains; then
sequences of reversals are tried, and every node is explored among its non-descendants and moved
behind them if that gains.

With the local score "free" the loss includes scale and density of the noise. With "gp" it assumes
normal noise, and the negentropy of the residuals is used last (`scoredag.order.noise`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, check_count, check_jobs, is_number
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import check_table
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of
from scoredag.order.descent import RefinedOrder, Refiner, refine
from scoredag.order.local_score import LocalScore, Report
from scoredag.order.search import OrderProblem
from scoredag.plugins import accepted, pick
from scoredag.settings import SEARCH, SearchSettings

_SHELF = "scoredag.order.refiners"
_REFINERS = ("reversals", "relocations")
_THOROUGH_REFINERS = ("reversals", "sequences", "relocations")


def refine_order(
    X: ArrayLike,
    *orders: ArrayLike,
    local_score: str | LocalScore | Callable[..., LocalScore] = "gp",
    refiners: Sequence[str | Refiner] = _REFINERS,
    thorough_refiners: Sequence[str | Refiner] = _THOROUGH_REFINERS,
    candidates: ArrayLike | None = None,
    knowledge: Knowledge | Constraints | None = None,
    min_gain: float | None = None,
    rows: int | None = None,
    final_rows: int | None = None,
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
        Starting orders, sources first, from any other method. An order that contradicts
        `knowledge` is replaced by the nearest one that does not.
    local_score : {"gp", "free", "additive"}, callable or LocalScore, default="gp"
        Model of a node given its parents. "gp": Gaussian processes of the parents jointly, with
        normal noise; "free": the same with noise of any scale and density, as in `ScoreGP` unless
        its noise is "normal"; "additive": CAM's sums of smooth functions, which takes fractions of
        a second and misses parents that act only jointly. Names are files in
        ``order/local_scores``.
    refiners : sequence of str or callable, default=("reversals", "relocations")
        Kinds of moves, tried in turn from every start; names are files in ``order/refiners``. The
        last round tries reversals, whatever is given here.
    thorough_refiners : sequence of str or callable
        Kinds of moves for the best of the starts; by default "sequences" as well, the slowest.
    candidates : array-like of shape (d, d), optional
        Non-zero ``candidates[i, j]`` means that i may be a parent of j; by default every column may
        be a parent of every other.
    knowledge : Knowledge, optional
        Prior knowledge: see `scoredag.Knowledge`.
    min_gain : float, optional
        Nats that a move must gain; by default that of `settings`.
    rows : int, optional
        Rows drawn for the search, to which hyper-parameters are fitted, at least
        ``settings.fewest_rows``; by default that of `settings`. Time grows with their third power.
        "gp" and "free" only.
    final_rows : int, optional
        Rows on which fits are compared; by default that of `settings`. In a last round
        hyper-parameters are fitted to all of them, for every column and for the edges whose
        direction is not settled. "gp" and "free" only.
    rng : numpy.random.Generator or int, optional
        Draws these rows; a fixed seed by default.
    n_jobs : int, optional
        Threads for nodes that are explored side by side, as in joblib. The result does not depend
        on it.
    progress : callable, optional
        Called with the work done and an estimate of the total, in arbitrary units.
    settings : SearchSettings, optional
        Tuned numbers; an argument of the same name takes precedence.

    Returns
    -------
    RefinedOrder

    Notes
    -----
    Does not depend on units. Where effects are linear and the noise is normal, both directions are
    equally likely, and only moves that gain more than ``min_gain`` by chance change the order.
    Assumes additive noise, but for "free": where the noise grows with a parent, directions can be
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
    min_gain = settings.min_gain if min_gain is None else min_gain
    rows = settings.rows if rows is None else rows
    final_rows = settings.final_rows if final_rows is None else final_rows
    check_min_gain(min_gain, "min_gain")
    check_rows(rows, "rows", settings)
    check_rows(final_rows, "final_rows", settings)
    check_jobs(n_jobs)
    constraints = as_constraints(knowledge, labels_of(X))
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


def check_rows(value: Any, name: str, settings: SearchSettings = SEARCH) -> None:
    """Raise ValueError unless a number of rows is enough for the search."""
    check_count(value, name, settings.fewest_rows)


def check_min_gain(value: Any, name: str) -> None:
    """Raise ValueError unless an argument is a valid minimal gain."""
    if not (is_number(value) and 0 <= value < np.inf):
        raise ValueError(f"{name} must be a number, 0 or more; got {value!r}")


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
    if "rows" in accepted(build, {"rows": rows}):  # a score whose time grows fast with the rows
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
