"""Warn about tables that can be analysed but whose result needs care, and say what care.

Each kind of caution is a small function that returns a message or None, or several messages;
`warn_about` warns once for each kind. Like the checks, they run at the start of every ``fit``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoredag.data.correlation import r_squared_on_others
from scoredag.data.row_order import about_row_order
from scoredag.data.wording import counted, listing, name_list, quoted
from scoredag.exceptions import warn

FEW_ROWS = 50
FEW_ROWS_PER_COLUMN = 5
# A column with this few distinct values, or with this share of its rows at one value, is tied.
FEW_VALUES = 50
LARGE_SHARE = 0.2
NEARLY_COLLINEAR = 0.999
SCALE_RATIO = 1000.0
# From here on the spacing of floats is more than 1, and every one is a whole number.
ALL_WHOLE = 2.0**53
# Beyond ALL_WHOLE, a column whose values are this close together is taken for a numbering.
NUMBERING_RANGE = 2.0**32
# A value this far from the median, in standard deviations as the quartiles tell them, and farther
# from all other values than these are from each other, is no measurement like the others. A million
# normal values stay within 5. Heavy tails reach farther, but mostly without such a gap: of columns
# with 1,000 rows, 7% are named if lognormal or Student's t with 3 degrees, none if normal or
# Laplace. Beside a heavy tail a code stands apart at the second distance only.
FAR = (10.0, 20.0)
NORMAL_QUARTILES = 1.349


def warn_about(
    X: NDArray[np.float64],
    names: Sequence[str],
    *,
    units_matter: bool = True,
    whole: Sequence[bool] = (),
) -> None:
    """Emit a `DataWarning` for each kind of trouble in the table.

    Warned about are: integer-valued or heavily tied columns, a value far from all others such as
    a code for missing values, rows that look like a time series or are sorted, more columns than
    rows, few rows, columns that are nearly a linear function of the others, and scales that differ
    more than a thousandfold.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        A table that passed `check_columns`.
    names : sequence of str
        The d column names.
    units_matter : bool
        Whether the method's result depends on the units of the columns; if not, nothing is said
        about scales.
    whole : sequence of bool
        For each column whether it was stored as whole numbers; empty if that is not known.

    Examples
    --------
    >>> import warnings
    >>> X = np.random.default_rng(0).normal(size=(100, 2)) * [1, 5000]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_about(X, ["a", "b"])
    >>> print(caught[0].message)  # doctest: +ELLIPSIS
    scales differ by a factor of 4,871: from 'a' (standard deviation ...
    """
    found = [
        about_ties(X, names, whole),
        about_codes(X, names),
        *about_row_order(X, names),
        about_size(*X.shape),
        about_collinearity(X.shape, partial(r_squared_on_others, X), names),
        about_scales(X.std(axis=0), names) if units_matter else None,
    ]
    for message in filter(None, found):
        warn(message)


def about_ties(
    X: NDArray[np.float64], names: Sequence[str], whole: Sequence[bool] = ()
) -> str | None:
    """Find columns of whole numbers, and columns in which few values repeat many times.

    Examples
    --------
    >>> X = np.column_stack([np.linspace(0, 1, 60), np.arange(60) % 3])
    >>> print(about_ties(X, ["time", "group"]))
    columns of whole numbers or with many ties: 'group' (3 values). The method assumes continuous \
noise: read edges at these columns with care, and leave out codes, labels and row numbers.
    """
    ordered = np.sort(X, axis=0)
    stored = whole or [False] * len(names)
    shown = [
        f"{quoted(name)} ({trait})"
        for name, column, values, integer in zip(names, X.T, ordered.T, stored, strict=True)
        if (trait := _tie_trait(column, values, integer))
    ]
    if not shown:
        return None
    return (
        f"columns of whole numbers or with many ties: {listing(shown)}. The method assumes "
        "continuous noise: read edges at these columns with care, and leave out codes, labels and "
        "row numbers."
    )


def _tie_trait(
    column: NDArray[np.float64], ordered: NDArray[np.float64], stored_whole: bool
) -> str | None:
    n = len(column)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    distinct, most_common = len(starts) - 1, np.diff(starts).max()
    largest = abs(ordered).max()
    has_fractions = largest < ALL_WHOLE
    whole = stored_whole or (
        bool((ordered == np.rint(ordered)).all())
        and (has_fractions or ordered[-1] - ordered[0] < NUMBERING_RANGE)
    )
    if whole and (np.diff(column) == 1).all():
        return "counts the rows"
    if distinct <= min(FEW_VALUES, n / 2):
        return counted(distinct, "value")
    if whole:
        return "whole numbers"
    if most_common >= LARGE_SHARE * n:
        return f"{most_common / n:.0%} of the rows at {ordered[starts[np.diff(starts).argmax()]]:g}"
    return None


def about_codes(X: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Find columns with a value far from all others, as a code for missing values is.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> X[7, 1] = -999
    >>> print(about_codes(X, ["a", "b"]))
    values far from all others: 'b' (1 row at -999, the others between -2.4 and 2). A code for \
missing values, or a typing error? Such a value can decide the result: leave these rows out, or \
correct them.
    """
    shown = []
    for name, column in zip(names, X.T, strict=True):
        far = _far_rows(column)
        if far.any():
            codes = listing([f"{code:g}" for code in np.unique(column[far])], limit=3)
            others = column[~far]
            shown.append(
                f"{quoted(name)} ({counted(int(far.sum()), 'row')} at {codes}, the others between "
                f"{others.min():.3g} and {others.max():.3g})"
            )
    if not shown:
        return None
    return (
        f"values far from all others: {listing(shown)}. A code for missing values, or a typing "
        "error? Such a value can decide the result: leave these rows out, or correct them."
    )


def _far_rows(column: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rows beyond a gap that is wider than all values on the near side of it together.

    Heavy tails have values that are as far away, but no such gap before them.
    """
    first, median, third = np.quantile(column, [0.25, 0.5, 0.75])
    if first == third and (column != median).sum() > 3:  # mostly one value, as rain is mostly 0
        first, third = np.quantile(column[column != median], [0.25, 0.75])
    spread = (third - first) / NORMAL_QUARTILES
    far = np.zeros(len(column), dtype=bool)
    for distance in FAR if spread > 0 else ():
        near = column[abs(column - median) <= distance * spread]
        lowest, highest = near.min(), near.max()
        for beyond, gap in (
            (column < lowest, lowest - column[column < lowest].max(initial=-np.inf)),
            (column > highest, column[column > highest].min(initial=np.inf) - highest),
        ):
            far |= beyond & (gap > highest - lowest)
    return far


def about_size(n: int, d: int) -> str | None:
    """Say that there are more columns than rows, or few rows.

    Examples
    --------
    >>> print(about_size(30, 4))
    only 30 rows for 4 columns: expect missing edges and an unstable order. A few hundred rows \
are the least for a result worth reading.
    """
    if d > n:
        return (
            f"more columns than rows ({d:,} columns, {n:,} rows): most edges cannot be found and "
            "the order is close to arbitrary. Select fewer columns, or get more rows."
        )
    if n < max(FEW_ROWS, FEW_ROWS_PER_COLUMN * d):
        return (
            f"only {counted(n, 'row')} for {counted(d, 'column')}: expect missing edges and an "
            "unstable order. A few hundred rows are the least for a result worth reading."
        )
    return None


def about_collinearity(
    shape: tuple[int, ...], r_squared: Callable[[], NDArray[np.float64]], names: Sequence[str]
) -> str | None:
    """Find columns that are nearly a linear function of the others.

    Skipped where there are not clearly more rows than columns: every column is then a function
    of the others by chance.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    r_squared : callable
        Returns the adjusted R^2 of each column on all others.
    names : sequence of str
    """
    n, d = shape
    if n < 2 * d:
        return None
    collinear = np.flatnonzero(r_squared() > NEARLY_COLLINEAR).tolist()
    if not collinear:
        return None
    return (
        f"nearly collinear columns: {name_list(names[j] for j in collinear)}. More than "
        f"{NEARLY_COLLINEAR:.1%} of the variance of each is a linear function of the others, so "
        "which of them causes which cannot be told apart. Leave out totals, averages and repeated "
        "measurements."
    )


def about_scales(spread: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Say that the columns' standard deviations differ more than a thousandfold."""
    smallest, largest = int(spread.argmin()), int(spread.argmax())
    ratio = spread[largest] / spread[smallest]
    if ratio <= SCALE_RATIO:
        return None
    factor = f"{ratio:,.0f}" if ratio < 1e6 else f"{ratio:.3g}"
    return (
        f"scales differ by a factor of {factor}: from {quoted(names[smallest])} (standard "
        f"deviation {spread[smallest]:.3g}) to {quoted(names[largest])} ({spread[largest]:.3g}). "
        "The order may follow these units instead of the causes: standardise the columns."
    )
