"""Matrices that say which columns may cause which."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_matrix


def check_candidates(candidates: ArrayLike, d: int) -> NDArray[np.bool_]:
    """Turn a matrix of candidate edges into truth values, or say why it is none.

    Parameters
    ----------
    candidates : array-like of shape (d, d)
        Non-zero ``candidates[i, j]`` means that i -> j may be an edge.
    d : int
        The number of columns of the table.

    Examples
    --------
    >>> check_candidates([[0, 1], [0, 0]], d=3)
    Traceback (most recent call last):
        ...
    ValueError: candidates must be a 3 x 3 matrix, [i, j] for i -> j; got shape (2, 2)
    """
    matrix = as_matrix(candidates, "candidates")
    if matrix.shape != (d, d):
        raise ValueError(
            f"candidates must be a {d} x {d} matrix, [i, j] for i -> j; got shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise ValueError("candidates must be finite: 0 where there is no candidate edge")
    return matrix != 0
