"""From weights to a DAG: drop the weakest edges until no cycle is left."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from scoredag.graph import is_dag


def strongest_dag(weights: NDArray[np.float64]) -> NDArray[np.int_]:
    """Keep the edges above the smallest threshold that leaves no cycle.

    Parameters
    ----------
    weights : ndarray of shape (d, d)
        Non-negative, ``[i, j]`` of i -> j; zero where there is no edge.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``[i, j] == 1`` means i -> j.

    Examples
    --------
    >>> import numpy as np
    >>> strongest_dag(np.array([[0, 3, 0.1], [2, 0, 4], [0, 0, 0]]))
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 0, 0]])
    """
    thresholds = np.unique(np.append(weights, 0.0))
    # A higher threshold leaves fewer edges, so cycles go one after the other.
    first = bisect_left(thresholds, True, key=lambda threshold: is_dag(weights > threshold))
    return (weights > thresholds[first]).astype(int)
