"""The evidence of a straight line in every cause, on the scale of `scoredag.regression.evidence`.

With S the residual sum of squares over the total one, p causes and n rows,

    L = n/2 log S + p/2 log n,

Schwarz's approximation. A Gaussian process can bend to a line only by a vast amplitude, which
costs it dearly where noise is low.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SMALLEST_REST = 1e-12
_RIDGE = 1e-10


def linear_evidence(
    correlation: Floats, n_rows: int, target: int, causes: Sequence[int]
) -> tuple[float, Floats]:
    """Negative log evidence of a linear regression, and what it would rise by without each cause.

    Parameters
    ----------
    correlation : ndarray of shape (d, d)
        Of the columns.
    n_rows : int
        Behind these correlations.
    target : int
        The column to explain.
    causes : sequence of int
        The columns that explain it.

    Returns
    -------
    float, ndarray of shape (len(causes),)
        In nats; 0 without causes. The rises do not count what a cause costs.

    Examples
    --------
    >>> import numpy as np
    >>> L, rises = linear_evidence(np.array([[1.0, 0.5], [0.5, 1.0]]), 100, 1, [0])
    >>> round(L, 2), rises.round(2).tolist()
    (-12.08, [14.38])
    """
    if not len(causes):
        return 0.0, np.zeros(0)
    inner = correlation[np.ix_(causes, causes)] + _RIDGE * np.eye(len(causes))
    inverse = np.linalg.inv(inner)
    slopes = inverse @ correlation[causes, target]
    rest = max(1.0 - float(slopes @ correlation[causes, target]), _SMALLEST_REST)
    rises = 0.5 * n_rows * np.log1p(slopes**2 / inverse.diagonal() / rest)
    return float(0.5 * n_rows * np.log(rest) + 0.5 * len(causes) * np.log(n_rows)), rises


def linear_causes(
    correlation: Floats, n_rows: int, target: int, candidates: Sequence[int], least: float
) -> list[int]:
    """Take candidates out, the weakest first, until each that is left is worth this many nats."""
    causes = list(candidates)
    while causes:
        rises = linear_evidence(correlation, n_rows, target, causes)[1]
        weakest = int(np.argmin(rises))
        if rises[weakest] >= least:
            break
        del causes[weakest]
    return causes
