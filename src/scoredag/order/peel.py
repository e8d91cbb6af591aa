"""Algorithm 1 of the SCORE paper: find a leaf, remove it, repeat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.plugins import pick
from scoredag.score import ScoreField, SteinField

LeafCriterion = Callable[[ScoreField], NDArray[np.float64]]
Eligible = Callable[[NDArray[np.intp]], ArrayLike]


def peel(
    X: ArrayLike,
    *,
    eta: float = 1e-3,
    criterion: str | LeafCriterion = "variance",
    field: Callable[[NDArray[np.float64]], ScoreField] | None = None,
    eligible: Eligible | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.intp]:
    """Order the columns of a table causally, from the last leaf back to the source.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge of the Stein estimators; not used with ``field``.
    criterion : {"variance", "scale_free"} or callable, default="variance"
        Function of a score field, smallest for a leaf; names are files in ``order/criteria``.
    field : callable, optional
        Builds the score estimator from the table; `scoredag.score.SteinField` by default.
    eligible : callable, optional
        Given the columns that are left, tells for each whether it may be the leaf now. This is
        where prior knowledge steers the search.
    progress : callable, optional
        Called with the number of columns placed and their total.

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
    scores = (field or partial(SteinField, eta=eta))(X)
    d = X.shape[1]
    order = np.empty(d, dtype=np.intp)
    for place in range(d - 1, 0, -1):
        leaf = scores.columns[_argmin_allowed(leafness(scores), scores.columns, eligible)]
        order[place] = leaf
        scores.remove(leaf)
        if progress is not None:
            progress(d - place, d)
    order[0] = scores.columns[0]
    if progress is not None:
        progress(d, d)
    return order


def _argmin_allowed(
    values: NDArray[np.float64], columns: NDArray[np.intp], eligible: Eligible | None
) -> int:
    if eligible is not None:
        allowed = np.asarray(eligible(columns), dtype=bool)
        if not allowed.any():
            raise ValueError(f"eligible allows none of the columns {columns.tolist()} to be a leaf")
        values = np.where(allowed, values, np.inf)
    return int(np.argmin(values))
