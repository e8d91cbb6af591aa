"""A leaf without the criterion of every column, for many columns.

Removing a leaf changes the criterion of its parents much, and that of all other columns little: in
1,000 columns the median change is below one percent. So a column whose criterion was far from the
smallest a step ago need not be computed again. What is computed afresh:

1. the columns that depend most on the leaf that was just removed, its parents among them;
2. the columns whose last known criterion is smallest;
3. as long as an older value is below the smallest new one, more of the smallest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Positions = NDArray[np.intp]

# Up to so many columns all are computed: with 100 columns that takes as long as two factorisations
# of the kernel matrix of 1,000 rows, and the lazy search gains nothing. Results on the paper's data
# (at most 50 columns) are thus the same to the last bit.
FEWEST_COLUMNS = 100
# Columns of each kind, decision "Lazy leaf search". Together they take less than one factorisation.
SMALLEST, RELATED = 40, 20


def is_partial(function: Callable[..., Any] | None) -> bool:
    """Whether a criterion, or the moments of a score field, can be had for some columns only.

    Examples
    --------
    >>> is_partial(lambda field, columns=None: ...), is_partial(lambda field: ...)
    (True, False)
    """
    try:
        return function is not None and "columns" in inspect.signature(function).parameters
    except ValueError:  # some functions that are written in C tell nobody what they take
        return False


def related_columns(dependence: Floats, leaf: int, left: Positions) -> Positions:
    """Those of the columns left that depend most on a leaf, at most 20.

    Parameters
    ----------
    dependence : ndarray of shape (d, d)
        Symmetric, as from `scoredag.screening.rank_dependence`.
    leaf : int
    left : ndarray of int

    Examples
    --------
    >>> related_columns(np.array([[0, 1], [1, 0]]), leaf=1, left=np.array([0]))
    array([0])
    """
    strongest = np.argsort(-dependence[leaf, left], kind="stable")
    return left[strongest[:RELATED]]


def update_smallest(
    compute: Callable[[Positions], Floats],
    known: Floats,
    eligible: Positions,
    related: Positions,
) -> tuple[Floats, Flags]:
    """Recompute values until the smallest one of the eligible columns is up to date.

    Parameters
    ----------
    compute : callable
        From some columns, in ascending order, to their values.
    known : ndarray of shape (d,)
        The last known value of every column.
    eligible : ndarray of int
        Columns among which the smallest value is wanted.
    related : ndarray of int
        Columns whose values have certainly changed.

    Returns
    -------
    values : ndarray of shape (d,)
    current : ndarray of bool, shape (d,)
        The columns that were computed. No other eligible column had a smaller value when it was
        computed last; whether it has one now is not known.

    Examples
    --------
    >>> truth, known = np.array([3.0, 2.0, 5.0]), np.array([1.0, 2.0, 9.0])
    >>> columns = np.arange(3)
    >>> update_smallest(lambda some: truth[some], known, columns, columns[:0])[0]
    array([3., 2., 5.])
    """
    values, current = known.copy(), np.zeros(len(known), dtype=bool)
    batch = np.union1d(related, _smallest(values, eligible))
    while len(batch):
        values[batch] = compute(batch)
        current[batch] = True
        best = values[eligible[current[eligible]]].min()
        older = eligible[~current[eligible]]
        batch = np.sort(_smallest(values, older[values[older] < best]))
    return values, current


def _smallest(values: Floats, columns: Positions) -> Positions:
    return columns[np.argsort(values[columns], kind="stable")[:SMALLEST]]
