"""Columns with heavy tails or outliers, and a transform of margins to normal ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.settings import SEARCH

Floats = NDArray[np.float64]

# Numbers up to which the ranks of all columns are found in one call.
_SORTED_AT_ONCE = 1_000_000

NORMAL_QUARTILES = 1.349  # interquartile range of a standard normal variable


def heavy_tailed(X: Floats) -> NDArray[np.bool_]:
    """Tell which columns have tails or outliers that would dominate a fit.

    A column is heavy-tailed where the middle 99 percent of its values are more than
    `SearchSettings.heavy_tail_ratio` times as wide as the middle half, or where a value is more
    than `SearchSettings.outlier_distance` robust standard deviations (from the quartiles) away from
    the median. One of two values is never: ranks would change nothing. Does not depend on units.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> normal = rng.normal(size=500)
    >>> heavy_tailed(np.column_stack([normal, np.exp(2 * normal), rng.laplace(size=500)]))
    array([False,  True, False])
    """
    low, first, median, third, high = np.quantile(X, [0.005, 0.25, 0.5, 0.75, 0.995], axis=0)
    half = third - first
    farthest = np.abs(X - median).max(axis=0)
    between = ((X.min(axis=0) != X) & (X.max(axis=0) != X)).any(axis=0)
    return between & (
        (high - low > SEARCH.heavy_tail_ratio * half)
        | (farthest * NORMAL_QUARTILES > SEARCH.outlier_distance * half)
    )


def normal_scores(X: Floats) -> Floats:
    """Replace the values of every column by the normal quantiles of their ranks.

    Equal values get the same score. Keeps which column depends on which, and any monotone change
    of a column changes nothing; what was additive noise is in general not additive afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> normal_scores(np.array([[1.0], [10.0], [100.0]])).round(2).tolist()
    [[-0.97], [0.0], [0.97]]
    """
    if X.size <= _SORTED_AT_ONCE:
        return stats.norm.ppf((stats.rankdata(X, axis=0) - 0.5) / len(X))
    scores = np.empty(X.shape)
    for j in range(X.shape[1]):  # Ctrl-C waits for a call: seconds for a million rows of 20 columns
        scores[:, j] = stats.norm.ppf((stats.rankdata(X[:, j]) - 0.5) / len(X))
    return scores


def rank_transformed(X: Floats, by_rank: NDArray[np.bool_]) -> Floats:
    """Replace some columns of a table by their `normal_scores`, and return the new table.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    by_rank : ndarray of bool, shape (d,)
        The columns to replace.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 10.0], [3.0, 100.0]])
    >>> rank_transformed(X, np.array([False, True])).round(2).tolist()
    [[1.0, -0.97], [2.0, 0.0], [3.0, 0.97]]
    """
    transformed = X.copy()
    transformed[:, by_rank] = normal_scores(X[:, by_rank])
    return transformed
