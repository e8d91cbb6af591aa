"""Columns on one scale, whatever their units."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Of standardised values, far below any noise that a process can have. Units leave their trace
# behind these, where it could tip a search between orders that are equally likely.
DECIMALS = 7


def standardise(X: ArrayLike, decimals: int | None = DECIMALS) -> Floats:
    """Columns of mean 0 and variance 1, rounded; a constant one becomes zero.

    The same to the last bit in other units, but for what a far shift itself rounds away.

    Parameters
    ----------
    X : array-like of shape (n,) or (n, d)
        Finite numbers.
    decimals : int or None, default=7
        Decimals that are kept. None keeps all: of a column with a value very far from all others,
        rounding would leave little else.

    Returns
    -------
    ndarray of the shape of X, in Fortran's order

    Examples
    --------
    >>> standardise([[1.0, 5.0], [3.0, 5.0]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    table = np.asfortranarray(X, dtype=np.float64)  # sums along columns then lose least
    # Rounding would give a constant column a spread of its own.
    varies = np.ptp(table, axis=0) > 0
    # In two steps, and the first to a value in the middle: far from zero, sums lose digits.
    centred = table - np.median(table, axis=0)
    centred = np.where(varies, centred - centred.mean(axis=0), 0.0)
    scaled = centred / np.where(varies, centred.std(axis=0), 1.0)
    return np.asfortranarray(scaled if decimals is None else scaled.round(decimals))
