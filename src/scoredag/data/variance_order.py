"""Warn when sorting the columns by their variance already explains a fitted graph.

The direction of an edge should come from the shape of the data, not from units. Where nearly all
edges point towards the larger variance, as in many simulated benchmarks, it may come from units
alone (Reisach, Seiler and Weichwald, "Beware of the simulated DAG!", NeurIPS 2021).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.wording import quoted
from scoredag.exceptions import DataWarning

MIN_EDGES = 5
TELLING_SHARE = 0.95
TIE = 1e-9


def share_of_rising_edges(X: NDArray[np.float64], adjacency: ArrayLike) -> tuple[float, int]:
    """Share of the edges that point from lower to higher variance, and the number of edges.

    An edge between equal variances counts as half.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    adjacency : array_like, shape (d, d)
        ``A[i, j] != 0`` means i -> j.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 3)) * [1, 2, 3]
    >>> share_of_rising_edges(X, [[0, 1, 1], [0, 0, 0], [0, 1, 0]])
    (0.6666666666666666, 3)
    """
    causes, effects = np.nonzero(np.asarray(adjacency))
    variance = X.var(axis=0)
    rise = variance[effects] / variance[causes] - 1
    # Standardised columns have equal variances only up to rounding.
    rising = np.where(abs(rise) < TIE, 0.5, rise > 0)
    return (float(rising.mean()) if len(causes) else 0.5), len(causes)


def warn_if_sorted_by_variance(
    X: NDArray[np.float64], adjacency: ArrayLike, names: Sequence[str]
) -> None:
    """Emit a `DataWarning` if at least 95% of five or more edges follow the order of variances.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        The table that was fitted.
    adjacency : array_like, shape (d, d)
        The result; ``A[i, j] != 0`` means i -> j.
    names : sequence of str
        The d column names.

    Notes
    -----
    Not a test: with few edges the agreement may be chance, and a true order can follow the
    variances. The remedy tells the cases apart: refit on standardised columns.
    """
    share, edges = share_of_rising_edges(X, adjacency)
    if edges < MIN_EDGES or 1 - TELLING_SHARE < share < TELLING_SHARE:
        return
    rising = share > 0.5
    towards = "higher" if rising else "lower"
    by_variance = np.argsort(X.var(axis=0))
    first, last = quoted(names[by_variance[0]]), quoted(names[by_variance[-1]])
    warnings.warn(
        f"{round((share if rising else 1 - share) * edges)} of {edges} edges point from a column "
        f"to one of {towards} variance (lowest {first}, highest {last}): sorting by variance "
        "already explains this graph. If the units are arbitrary, so are the directions: "
        "standardise the columns and fit again, or compare with VarSort.",
        DataWarning,
        stacklevel=stacklevel_of_user(),
    )
