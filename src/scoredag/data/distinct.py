"""Rows that are copies of other rows, told apart from rows that coincide by chance.

A copy holds no further information, but a likelihood counts it as a further observation. Rows of
rounded or discrete columns coincide without being copies, and then each of them counts.

Every cell gets a random 64-bit code, and a row the sum of its cells' codes, from which the code of
one column can be subtracted: equal sums are rows that agree in all columns, or in all but one.
Docs: ``docs/decisions/0008-rows.md``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.checks import MIN_ROWS
from scoredag.data.wording import counted
from scoredag.exceptions import DataError, warn

Codes = NDArray[np.uint64]

# Standard errors by which distinct rows that occur more than once must outnumber those that differ
# from another one in a single column. Discrete columns have fewer of the first than of the second.
STANDARD_ERRORS = 2.0
# Pairs of equal rows over the number that a column independent of the others gives by chance.
LEAST_LIFT = 3.0
# Copies of a row, on average over the rows that have any; more are a state that recurs, such as all
# sensors at zero. So are one or two rows that occur more often than OFTEN.
MOST_COPIES = 10.0
OFTEN = 4
# Share of distinct rows with a neighbour above which the columns without a computed one are
# discrete: price and quantity repeat, and their product differs whenever one of them does.
CROWDED = 0.5
_SEED = 7_177  # of the codes; any other number gives the same rows


def distinct_rows(X: ArrayLike) -> NDArray[np.intp]:
    """Positions of the rows to keep: all, or without those that are copies of earlier ones.

    Rows are taken for copies where more of them occur more than once than differ from another one
    in a single column. In a table of discrete columns such neighbours are the more frequent ones,
    and all rows are kept.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The table, without gaps.

    Returns
    -------
    ndarray of int
        Positions in increasing order; of equal rows the first.

    Notes
    -----
    Takes O(d n log n), and O(d^2 n log n) where rows repeat and fewer than two columns tell the
    distinct rows apart. The decision is about the table as a whole: a few copies among many rows
    that coincide by chance are kept. Discrete columns that are all one-to-one functions of each
    other, but not equal, look like copies if a value occurs ten times or less.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 3))
    >>> len(distinct_rows(np.vstack([X, X[:20]])))
    100
    >>> len(distinct_rows(rng.integers(0, 2, size=(120, 3))))
    120
    """
    table = np.asarray(X, dtype=np.float64)
    everything = np.arange(len(table))
    if table.ndim != 2 or table.shape[1] < 2:
        return everything
    codes = _cell_codes(table)
    _, first, counts = np.unique(_row_codes(codes), return_index=True, return_counts=True)
    if len(first) == len(table):
        return everything
    _, columns = np.unique(table, axis=1, return_index=True)  # a twin adds no coincidence
    return np.sort(first) if _are_copies(codes[:, columns], first, counts) else everything


def without_copies(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Merge copies of rows, with a `DataWarning`; raise `DataError` if too few rows are left.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(4, 3))
    >>> without_copies(np.tile(X, (5, 1)))
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: the table has too few rows: 16 of 20 rows are copies of other \
rows, which hold no further information, and at least 10 distinct rows are needed (some hundreds \
for a result worth reading).
    """
    kept = distinct_rows(X)
    if len(kept) == len(X):
        return X
    if len(kept) < MIN_ROWS:
        raise DataError(
            f"the table has too few rows: {_copies(len(X), len(kept))}, which hold no further "
            f"information, and at least {MIN_ROWS} distinct rows are needed (some hundreds for a "
            "result worth reading)."
        )
    warn(about_repeated_rows(len(X), len(kept)))
    return X[kept]


def about_copies_in_sample(drawn: int, n_distinct: int) -> str:
    """Say that rows of a sample are copies of each other, and that the table has them still.

    Examples
    --------
    >>> print(about_copies_in_sample(300, 290))
    10 of 300 rows are copies of other rows. A copy holds no further information, but counts as \
evidence here, and edges can rest on it alone: a table that is read in blocks keeps its copies. \
Remove them first.
    """
    return (
        f"{_copies(drawn, n_distinct)}. A copy holds no further information, but counts as "
        "evidence here, and edges can rest on it alone: a table that is read in blocks keeps its "
        "copies. Remove them first."
    )


def about_repeated_rows(n: int, n_distinct: int) -> str:
    """Say that copies of rows were merged, and why.

    Examples
    --------
    >>> print(about_repeated_rows(300, 290))
    10 of 300 rows are copies of other rows. A copy holds no further information, but would count \
as evidence, and edges could rest on it alone: the fit uses the 290 distinct rows. Check how the \
rows came to be repeated.
    """
    return (
        f"{_copies(n, n_distinct)}. A copy holds no further information, but would count as "
        "evidence, and edges could rest on it alone: the fit uses the "
        f"{counted(n_distinct, 'distinct row')}. Check how the rows came to be repeated."
    )


def _copies(n: int, n_distinct: int) -> str:
    copies = n - n_distinct
    verb = "is a copy of another row" if copies == 1 else "are copies of other rows"
    return f"{copies:,} of {counted(n, 'row')} {verb}"


def _cell_codes(X: NDArray[np.float64]) -> Codes:
    """Code every cell by its bits, its column and a random number: the finaliser of SplitMix64."""
    salt = np.random.default_rng(_SEED).integers(2**64, size=X.shape[1], dtype=np.uint64)
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64) + salt  # -0.0 becomes 0.0
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def _row_codes(codes: Codes) -> Codes:
    return np.asarray(codes.sum(axis=1, dtype=np.uint64))


def _are_copies(codes: Codes, first: NDArray[np.intp], counts: NDArray[np.intp]) -> bool:
    """Decide from the cells' codes, the distinct rows and how often each of them occurs."""
    repeated = counts > 1
    recurring = repeated.sum() <= 2 and counts.max() > OFTEN
    if codes.shape[1] < 2 or recurring or (counts[repeated] - 1).mean() > MOST_COPIES:
        return False
    distinct = codes[first]
    without_ties = sum(not _shared(column).any() for column in distinct.T)
    if without_ties >= 2:  # two columns tell all distinct rows apart, as measurements do
        return True
    times, crowded = repeated.sum(), _crowding(distinct) * len(distinct)
    if times <= crowded + STANDARD_ERRORS * np.sqrt(times + crowded) or _lift(codes) <= LEAST_LIFT:
        return False
    return not _has_hidden_crowding(distinct)


def _crowding(codes: Codes) -> float:
    """Share of distinct rows with a neighbour: another row that differs in one column only.

    Of the d shares that pass over neighbours by one of the columns the least, because a column of
    measurements beside discrete ones gives every row a neighbour, but never two equal rows.
    """
    total = _row_codes(codes)
    neighbours = np.column_stack([_shared(total - column) for column in codes.T])
    by_others = neighbours.sum(axis=1)[:, None] > neighbours
    return float(by_others.mean(axis=0).min())


def _has_hidden_crowding(codes: Codes) -> bool:
    """Whether a column is computed from others that are discrete, so that rows look far apart."""
    # Rows that differ in two columns at most agree in one of three groups of columns.
    thirds = [_shared(_row_codes(third)) for third in np.array_split(codes, 3, axis=1)]
    if np.any(thirds, axis=0).mean() <= CROWDED:
        return False
    return any(_hides_crowding(codes, column) for column in range(codes.shape[1]))


def _hides_crowding(codes: Codes, column: int) -> bool:
    rest = np.delete(codes, column, axis=1)
    if rest.shape[1] < 2 or _shared(_row_codes(rest)).any():
        return False
    return _crowding(rest) > CROWDED


def _lift(codes: Codes) -> float:
    """Pairs of equal rows over those that independence of the best column from the rest gives."""
    n, total = len(codes), _row_codes(codes)
    pairs = n * (n - 1) / 2
    equal = _equal_pairs(total)
    by_chance = min(
        _equal_pairs(column) * _equal_pairs(total - column) / pairs for column in codes.T
    )
    return equal / by_chance


def _equal_pairs(codes: Codes) -> float:
    counts = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1)).sum() / 2)


def _shared(codes: Codes) -> NDArray[np.bool_]:
    """Which entries occur more than once."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse] > 1)
