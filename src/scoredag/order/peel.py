"""Algorithm 1 of the SCORE paper: find a leaf, remove it, repeat."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.costs import asked_columns
from scoredag.data.blocks import RowBlocks, refuse_unless_blocks
from scoredag.data.opening import matrix_or_blocks
from scoredag.exceptions import DataError
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of
from scoredag.order.lazy_leaves import (
    FEWEST_COLUMNS,
    RELATED,
    SMALLEST,
    is_partial,
    related_columns,
    update_smallest,
)
from scoredag.plugins import accepted, pick
from scoredag.progress import Phases
from scoredag.score import ScoreField, check_field
from scoredag.score.field import leaf_work
from scoredag.screening.ranks import rank_dependence

LeafCriterion = Callable[..., NDArray[np.float64]]  # of a ScoreField


@dataclass(frozen=True)
class Leaf:
    """One step of the peeling: the leaf, and the criterion of all columns that were left.

    Attributes
    ----------
    column : int
        The leaf.
    columns : ndarray of int
        The columns that were left, the leaf among them.
    values : ndarray of float
        Leaf criterion of each of ``columns``, smallest for the leaf among those that prior
        knowledge allows.
    current : ndarray of bool, optional
        For each of ``columns`` whether its value was computed in this step; elsewhere it is the
        value of an earlier step, the last one known. None where all were computed, as always with
        up to 100 columns: see `scoredag.order.lazy_leaves`.
    """

    column: int
    columns: NDArray[np.intp]
    values: NDArray[np.float64]
    current: NDArray[np.bool_] | None = None


def peel(
    X: ArrayLike | RowBlocks,
    *,
    eta: float = 1e-3,
    criterion: str | LeafCriterion = "variance",
    score_estimator: str | Callable[..., ScoreField] = "stein",
    knowledge: Knowledge | Constraints | None = None,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.intp]:
    """Order the columns of a table causally, from the last leaf back to the source.

    Parameters
    ----------
    X : array-like of shape (n, d), or RowBlocks
        The samples. Tables in blocks take ``score_estimator="low_rank"`` or "auto".
    eta : float, default=1e-3
        Ridge of the score estimator; for one that has no such option it must stay at its default.
    criterion : {"variance", "scale_free", "nogam"} or callable, default="variance"
        Function of a score field, smallest for a leaf; names are files in ``order/criteria``.
    score_estimator : {"stein", "low_rank", "auto", "local", "amortised"} or callable, \
default="stein"
        Builds a `scoredag.score.ScoreField` from the table; names are files in ``score/fields``.
        "auto" chooses between the first two by the size of the table. "amortised" needs PyTorch.
    knowledge : Knowledge, optional
        Prior knowledge: a column that must precede another one that is left is not taken as the
        leaf. See `scoredag.Knowledge`.
    rng : numpy.random.Generator or int, optional
        For a score estimator that draws rows; a fixed seed by default.
    n_jobs : int, optional
        Threads, as in joblib, for a score estimator that has such an option. The result does not
        depend on it.
    progress : callable, optional
        Called with the work done and the total, as estimated, in arbitrary units.

    Returns
    -------
    ndarray of int, shape (d,)
        The columns, sources first.

    Notes
    -----
    d - 1 factorisations of an n x n matrix: O(d n^3) time, two n x n matrices of memory. The
    variance criterion depends on the units of the columns, and assumes nonlinear mechanisms:
    for linear data with Gaussian noise no order can be found from observations alone.

    With more than 100 columns, a criterion and a score estimator that can do so ("variance",
    "scale_free" and "stein") are asked for some columns only in each step, which finds the same
    leaf but for near ties: see `scoredag.order.lazy_leaves`. Beyond 100 columns the score estimator
    "local" orders better: see `scoredag.score.fields.local`.

    References
    ----------
    Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=300)
    >>> peel(np.column_stack([y, x]))
    array([1, 0])
    """
    leaves = find_leaves(
        X,
        eta=eta,
        criterion=criterion,
        score_estimator=score_estimator,
        knowledge=knowledge,
        rng=rng,
        n_jobs=n_jobs,
        progress=progress,
    )
    return order_of(leaves)


def find_leaves(
    X: ArrayLike | RowBlocks,
    *,
    eta: float = 1e-3,
    criterion: str | LeafCriterion = "variance",
    score_estimator: str | Callable[..., ScoreField] = "stein",
    knowledge: Knowledge | Constraints | None = None,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Leaf]:
    """Remove leaves one by one, and keep the criterion of every step.

    The arguments are those of `peel`, which returns the order alone.

    Returns
    -------
    list of Leaf
        d - 1 steps, the last leaf of the order first.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=300)
    >>> [leaf.column for leaf in find_leaves(np.column_stack([y, x]))]
    [0]
    """
    pick("scoredag.order.criteria", criterion, "criterion")  # a wrong one is refused at once
    refuse_vain_eta(score_estimator, eta)
    scores = score_field(X, score_estimator, eta=eta, rng=rng, n_jobs=n_jobs)
    constraints = as_constraints(knowledge, labels_of(X))
    return remove_leaves(scores, criterion, constraints, progress)


def score_field(
    X: ArrayLike | RowBlocks,
    score_estimator: str | Callable[..., ScoreField] = "stein",
    *,
    eta: float = 1e-3,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreField:
    """Build the score field of a table; an estimator gets those of the options that it takes.

    The arguments are those of `peel`, but for ``progress``: that of an estimator that is trained,
    called with the work done and its total.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> type(score_field(X, "auto")).__name__
    'SteinField'
    """
    table = matrix_or_blocks(X)
    estimate = pick("scoredag.score.fields", score_estimator, "score_estimator")
    if not isinstance(table, np.ndarray):
        refuse_unless_blocks(estimate, "score_estimator", "low_rank", score_estimator)
    d = table.shape[1]
    if d < 1:
        raise DataError("X must have at least one column")
    options = {"eta": eta, "rng": rng, "n_jobs": n_jobs, "progress": progress}
    return check_field(estimate(table, **accepted(estimate, options)), d)


def refuse_vain_eta(score_estimator: str | Callable[..., ScoreField], eta: float) -> None:
    """Raise if a ridge other than the default is given to a score estimator that takes none.

    Examples
    --------
    >>> refuse_vain_eta("amortised", 0.1)
    Traceback (most recent call last):
        ...
    ValueError: eta=0.1 has no effect: AmortisedField has no such option, or sets it itself. Leave \
it at its default, 0.001.
    """
    estimate = pick("scoredag.score.fields", score_estimator, "score_estimator")
    default = inspect.signature(peel).parameters["eta"].default
    if eta != default and not accepted(estimate, {"eta": eta}):
        label = getattr(estimate, "__name__", repr(estimate))
        raise ValueError(
            f"eta={eta!r} has no effect: {label} has no such option, or sets it itself. Leave it "
            f"at its default, {default!r}."
        )


def remove_leaves(
    scores: ScoreField,
    criterion: str | LeafCriterion,
    constraints: Constraints,
    progress: Callable[[int, int], None] | None = None,
) -> list[Leaf]:
    """Algorithm 1 on a score field, which has one column left in the end.

    See `find_leaves`, which builds the field from a table.
    """
    leafness = pick("scoredag.order.criteria", criterion, "criterion")
    d = len(scores.columns)
    lazy = (
        d > FEWEST_COLUMNS
        and is_partial(leafness)
        and is_partial(getattr(scores, "diagonal_moments", None))
    )
    dependence = rank_dependence(scores.X) if lazy else None
    leaves: list[Leaf] = []
    phases = Phases(progress, _work_of_leaves(scores, d, lazy))
    report_to = getattr(scores, "report_to", None)
    while len(leaves) < d - 1:
        report = phases.begin()
        if report_to is not None:
            report_to(report)
        columns = np.array(scores.columns)
        eligible = np.flatnonzero(constraints.eligible_leaves(columns))
        current = None
        if dependence is None or not leaves or len(columns) <= FEWEST_COLUMNS:
            V = _criterion_values(leafness, scores, columns)  # Alg. 1: estimate s and V_j
        else:
            V, current = _lazy_values(leafness, scores, leaves[-1], columns[eligible], dependence)
        leaf = int(columns[eligible[np.argmin(V[eligible])]])  # Alg. 1: l
        leaves.append(Leaf(leaf, columns, V, current))
        if len(leaves) < d - 1:
            scores.remove(leaf)  # Alg. 1: nodes - {l}, and X without its column
        report(1, 1)
    return leaves


def _work_of_leaves(scores: ScoreField, d: int, lazy: bool) -> list[float]:
    """Estimated work of each step, of which the first one computes the criterion of all columns."""
    fewest, asked = (FEWEST_COLUMNS, SMALLEST + RELATED) if lazy else (d, d)
    return [
        leaf_work(scores, left, asked_columns(left, left == d, fewest, asked))
        for left in range(d, 1, -1)
    ]


def order_of(leaves: Sequence[Leaf]) -> NDArray[np.intp]:
    """Turn leaves into an order, sources first: Alg. 1 fills pi from its end."""
    if not leaves:
        return np.zeros(1, dtype=np.intp)  # a single column has one order
    last = leaves[-1]
    root = last.columns[last.columns != last.column]
    return np.array([*root, *(leaf.column for leaf in reversed(leaves))], dtype=np.intp)


def _lazy_values(
    leafness: LeafCriterion,
    scores: ScoreField,
    last: Leaf,
    eligible: NDArray[np.intp],
    dependence: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Criterion of the columns left, from that of the last step, and which values are new."""
    columns = np.array(scores.columns)
    known = np.full(len(dependence), np.nan)
    known[last.columns] = last.values

    def compute(some: NDArray[np.intp]) -> NDArray[np.float64]:
        return _criterion_values(partial(leafness, columns=some), scores, some)

    values, current = update_smallest(
        compute,
        known,
        eligible,
        related_columns(dependence, last.column, columns),
    )
    return values[columns], current[columns]


def _criterion_values(
    leafness: LeafCriterion, scores: ScoreField, columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    try:
        values = leafness(scores)
    except AttributeError as error:
        if error.obj is not scores:
            raise
        raise TypeError(
            f"score_estimator must return an object with the members of "
            f"scoredag.score.ScoreField; {type(scores).__name__} lacks {error.name}, which the "
            "leaf criterion asks for"
        ) from error
    values = _one_for_each(values, columns)
    if np.isnan(values).any():
        raise DataError(
            f"the leaf criterion is NaN for columns {columns[np.isnan(values)].tolist()}: their "
            "scale is too far from the others', or too few of their values differ."
        )
    return values


def _one_for_each(values: ArrayLike, columns: NDArray[np.intp]) -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape != columns.shape or array.dtype.kind not in "biuf":
        raise ValueError(
            f"criterion must return one number for each of the {len(columns)} columns left; "
            f"got shape {array.shape} of {array.dtype}"
        )
    return array
