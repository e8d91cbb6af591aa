"""The exact Stein estimators where they are quick, the low-rank ones where rows are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.blocks import is_blocks, reads_blocks
from scoredag.score.field import ScoreField
from scoredag.score.fields.low_rank import LowRankField, default_rank
from scoredag.score.fields.stein import SteinField

# Operations of all factorisations, d n^3 / 3, that one core does in about a minute.
_MOST_OPERATIONS = 1e12
# Columns that the lazy search asks for in a leaf, 40 + 20: decision "Lazy leaf search".
_ASKED_COLUMNS = 60
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
        rows of 200) or where that is less work, low-rank beyond.

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
    """Whether exact estimates take 1.6 GB at most, and a minute or less than low-rank ones.

    Of many columns the exact ones ask for 60 a leaf (`scoredag.order.lazy_leaves`), the low-rank
    ones for all.

    Examples
    --------
    >>> is_quick(1000, 1000), is_quick(5000, 50), is_quick(1000, 10_000)
    (True, False, True)
    """
    if n_rows > _MOST_ROWS:
        return False
    if d * n_rows**3 / 3 <= _MOST_OPERATIONS:
        return True
    m = default_rank(n_rows)
    exact = d * n_rows**2 * (n_rows / 3 + 8 * min(d, _ASKED_COLUMNS))
    low_rank = d * (n_rows * m**2 + 5 * n_rows * m * d + 12 * m**3)
    return exact <= low_rank


PIECE = auto_field
