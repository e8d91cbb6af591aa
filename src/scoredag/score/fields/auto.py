"""The exact Stein estimators where they are quick, the low-rank ones where rows are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.blocks import is_blocks, reads_blocks
from scoredag.score.field import ScoreField
from scoredag.score.fields.low_rank import LowRankField
from scoredag.score.fields.stein import SteinField

# Operations of all factorisations, d n^3 / 3, that one core does in about a minute.
_MOST_OPERATIONS = 1e12
# Rows beyond which two n x n matrices take more than 1.6 GB.
_MOST_ROWS = 10_000


@reads_blocks
def auto_field(
    X: Any,
    eta: float = 1e-3,
    *,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
) -> ScoreField:
    """Choose between `SteinField` and `LowRankField` by the size of a table.

    Parameters
    ----------
    X : array-like of shape (n, d), or RowBlocks
        The samples; rows in blocks are never put together.
    eta, rng, n_jobs
        As in `LowRankField`.

    Returns
    -------
    SteinField or LowRankField
        Exact up to 10,000 rows and d n^3 / 3 = 1e12 operations (5,300 rows of 20 columns, 2,400
        rows of 200), low-rank beyond.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> [type(auto_field(rng.normal(size=(n, 2)))).__name__ for n in (100, 12_000)]
    ['SteinField', 'LowRankField']
    """
    if not is_blocks(X):
        X = as_finite_matrix(X)
        if is_quick(*X.shape):
            return SteinField(X, eta)
    return LowRankField(X, eta, rng=rng, n_jobs=n_jobs)


def is_quick(n_rows: int, d: int) -> bool:
    """Whether the exact estimators of all leaves take about a minute at most, and 1.6 GB.

    Examples
    --------
    >>> is_quick(1000, 1000), is_quick(5000, 50)
    (True, False)
    """
    return n_rows <= _MOST_ROWS and d * n_rows**3 / 3 <= _MOST_OPERATIONS


PIECE = auto_field
