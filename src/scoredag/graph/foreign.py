"""Matrices from other libraries, whose rows may be the causes or the effects.

lingam and causal-learn store ``B[j, i]`` for i -> j, most others ``A[i, j]``. A matrix cannot say
which it is and a wrong guess reverses every edge, so the caller has to say it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph.dag import IntArray, check_adjacency

EdgeDirection = Literal["from row to column", "from column to row"]


def from_matrix(A: ArrayLike, *, edge_direction: EdgeDirection) -> IntArray:
    """Import an adjacency or weight matrix into our convention.

    Parameters
    ----------
    A : array-like of shape (d, d)
        NumPy, pandas, polars, or anything that `numpy.asarray` understands. Any non-zero entry
        is an edge.
    edge_direction : {"from row to column", "from column to row"}
        Which way an entry in row r and column c points: r -> c (ours, networkx, gadjid's first)
        or c -> r (lingam, causal-learn). It has no default on purpose; the words are gadjid's.

    Returns
    -------
    ndarray of int, shape (d, d)
        0/1 matrix in which ``[i, j] = 1`` means i -> j.

    Notes
    -----
    Not for CPDAGs or PAGs: an undirected edge is a two-cycle here, which is no DAG.

    Examples
    --------
    >>> lingam_weights = [[0.0, 0.0], [1.3, 0.0]]  # row 1 is the effect of column 0
    >>> from_matrix(lingam_weights, edge_direction="from column to row")
    array([[0, 1],
           [0, 0]])
    """
    matrix = check_adjacency(A, "A")
    if edge_direction == "from row to column":
        return matrix
    if edge_direction == "from column to row":
        return np.ascontiguousarray(matrix.T)
    raise GraphError(
        "edge_direction must be 'from row to column' or 'from column to row'; "
        f"got {edge_direction!r}"
    )
