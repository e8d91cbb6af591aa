"""The evidence of a linear regression, on the scale of `scoredag.regression.gp_evidence`.

With S the residual sum of squares over the total one, p parents and n rows,

    L = n/2 log S + p/2 log n,

Schwarz's approximation. A Gaussian process can represent a line only with a vast amplitude, which
costs much evidence where noise is low.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SMALLEST_REST = 1e-12
_RIDGE = 1e-10


def linear_evidence(
    correlation: Floats, n_rows: int, target: int, parents: Sequence[int]
) -> tuple[float, Floats]:
    """Negative log evidence of a linear regression, and its rise without each parent.

    Parameters
    ----------
    correlation : ndarray of shape (d, d)
        Correlations of the columns.
    n_rows : int
        Number of rows from which the correlations were computed.
    target : int
        The response.
    parents : sequence of int
        The parents of the response.

    Returns
    -------
    float, ndarray of shape (len(parents),)
        In nats; 0 without parents. The rises do not include the cost of a parent.

    Examples
    --------
    >>> import numpy as np
    >>> L, rises = linear_evidence(np.array([[1.0, 0.5], [0.5, 1.0]]), 100, 1, [0])
    >>> round(L, 2), rises.round(2).tolist()
    (-12.08, [14.38])
    """
    if not len(parents):
        return 0.0, np.zeros(0)
    inverse = np.linalg.inv(_inner(correlation, parents))
    slopes, rest = regression_slopes(correlation, target, parents)
    rises = 0.5 * n_rows * np.log1p(slopes**2 / inverse.diagonal() / rest)
    return float(0.5 * n_rows * np.log(rest) + 0.5 * len(parents) * np.log(n_rows)), rises


def regression_slopes(
    correlation: Floats, target: int, parents: Sequence[int]
) -> tuple[Floats, float]:
    """Slopes of standardised columns, and the share of the variance that they leave.

    Examples
    --------
    >>> round(regression_slopes(np.array([[1.0, 0.5], [0.5, 1.0]]), 1, [0])[1], 6)
    0.75
    """
    slopes = np.linalg.solve(_inner(correlation, parents), correlation[parents, target])
    rest = 1.0 - float(slopes @ correlation[parents, target])
    return np.asarray(slopes, dtype=np.float64), max(rest, _SMALLEST_REST)


def _inner(correlation: Floats, parents: Sequence[int]) -> Floats:
    return np.asarray(correlation[np.ix_(parents, parents)] + _RIDGE * np.eye(len(parents)))


def eliminate_parents(
    correlation: Floats,
    n_rows: int,
    target: int,
    candidates: Sequence[int],
    least: float,
    required: frozenset[int] = frozenset(),
) -> list[int]:
    """Backward elimination: remove the weakest parent until each has ``least`` nats of evidence.

    Required parents stay in whatever their evidence.
    """
    parents = list(candidates)
    while parents:
        rises = linear_evidence(correlation, n_rows, target, parents)[1]
        rises[[k in required for k in parents]] = np.inf
        weakest = int(np.argmin(rises))
        if rises[weakest] >= least:
            break
        del parents[weakest]
    return parents
