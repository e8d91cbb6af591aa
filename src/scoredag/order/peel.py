"""Algorithm 1 of the SCORE paper: find a leaf, remove it, repeat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.exceptions import DataError
from scoredag.plugins import accepted, pick
from scoredag.score import ScoreField

LeafCriterion = Callable[[ScoreField], NDArray[np.float64]]
Eligible = Callable[[NDArray[np.intp]], ArrayLike]


def peel(
    X: ArrayLike,
    *,
    eta: float = 1e-3,
    criterion: str | LeafCriterion = "variance",
    score_estimator: str | Callable[..., ScoreField] = "stein",
    eligible: Eligible | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.intp]:
    """Order the columns of a table causally, from the last leaf back to the source.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge of the score estimator, for one that has such an option.
    criterion : {"variance", "scale_free"} or callable, default="variance"
        Function of a score field, smallest for a leaf; names are files in ``order/criteria``.
    score_estimator : {"stein"} or callable, default="stein"
        Builds a `scoredag.score.ScoreField` from the table; names are files in ``score/fields``.
    eligible : callable, optional
        Given the columns that are left, tells for each whether it may be the leaf now. This is
        where prior knowledge steers the search.
    progress : callable, optional
        Called with the number of leaves found and their total, d - 1.

    Returns
    -------
    ndarray of int, shape (d,)
        The columns, sources first.

    Notes
    -----
    d - 1 factorisations of an n x n matrix: O(d n^3) time, two n x n matrices of memory. The
    variance criterion depends on the units of the columns, and assumes nonlinear mechanisms:
    for linear data with Gaussian noise no order can be found from observations alone.

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
    X = np.asarray(X, dtype=np.float64)
    leafness = pick("scoredag.order.criteria", criterion, "criterion")
    estimate = pick("scoredag.score.fields", score_estimator, "score_estimator")
    scores = estimate(X, **accepted(estimate, {"eta": eta}))
    d = X.shape[1]
    order = np.empty(d, dtype=np.intp)
    order[0] = scores.columns[0]  # all there is to say of a single column
    for place in range(d - 1, 0, -1):  # Alg. 1: pi is filled from its end
        V = leafness(scores)  # Alg. 1: estimate s and V_j
        leaf = scores.columns[_argmin_allowed(V, scores.columns, eligible)]  # Alg. 1: l
        order[place] = leaf
        if place > 1:
            scores.remove(leaf)  # Alg. 1: nodes - {l}, and X without its column
        else:
            order[0] = scores.columns[scores.columns != leaf][0]
        if progress is not None:
            progress(d - place, d - 1)
    return order


def _argmin_allowed(
    values: NDArray[np.float64], columns: NDArray[np.intp], eligible: Eligible | None
) -> int:
    values = _one_for_each(values, columns, "criterion")
    if np.isnan(values).any():
        raise DataError(
            f"the leaf criterion is NaN for columns {columns[np.isnan(values)].tolist()}: their "
            "scale is too far from the others', or too few of their values differ."
        )
    if eligible is None:
        return int(np.argmin(values))
    allowed = np.flatnonzero(_one_for_each(eligible(columns), columns, "eligible"))
    if not len(allowed):
        raise ValueError(f"eligible allows none of the columns {columns.tolist()} to be a leaf")
    return int(allowed[np.argmin(values[allowed])])


def _one_for_each(values: ArrayLike, columns: NDArray[np.intp], source: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape != columns.shape:
        raise ValueError(
            f"{source} must return one value for each of the {len(columns)} columns left; "
            f"got shape {array.shape}"
        )
    return array
