"""Warn about tables that can be analysed but whose result needs care, and say what care.

Each kind of caution is a small function that returns a message or None; `warn_about` warns once
for each kind. Like the checks, they run at the start of every ``fit``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.correlation import r_squared_on_others
from scoredag.data.wording import counted, listing, name_list, quoted
from scoredag.exceptions import DataWarning

FEW_ROWS = 50
FEW_ROWS_PER_COLUMN = 5
# A column with this few distinct values, or with this share of its rows at one value, is tied.
FEW_VALUES = 50
LARGE_SHARE = 0.2
NEARLY_COLLINEAR = 0.999
SCALE_RATIO = 1000.0
# From here on the spacing of floats is more than 1, and every one is a whole number.
ALL_WHOLE = 2.0**53


def warn_about(X: NDArray[np.float64], names: Sequence[str], *, units_matter: bool = True) -> None:
    """Emit a `DataWarning` for each kind of trouble in the table.

    Warned about are: integer-valued or heavily tied columns, more columns than rows, few rows,
    columns that are nearly a linear function of the others, and scales that differ more than a
    thousandfold.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        A table that passed `check_columns`.
    names : sequence of str
        The d column names.
    units_matter : bool
        Whether the method's result depends on the units of the columns; if not, nothing is said
        about scales.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 2)) * [1, 5000]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_about(X, ["a", "b"])
    >>> print(caught[0].message)  # doctest: +ELLIPSIS
    scales differ by a factor of 4,871: from 'a' (standard deviation ...
    """
    level = stacklevel_of_user()
    for message in _cautions(X, names, units_matter):
        warnings.warn(message, DataWarning, stacklevel=level)


def _cautions(X: NDArray[np.float64], names: Sequence[str], units_matter: bool) -> Iterator[str]:
    found = [about_ties(X, names), about_size(X), about_collinearity(X, names)]
    if units_matter:
        found.append(about_scales(X, names))
    yield from filter(None, found)


def about_ties(X: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Find columns of whole numbers, and columns in which few values repeat many times.

    Examples
    --------
    >>> X = np.column_stack([np.linspace(0, 1, 60), np.arange(60) % 3])
    >>> print(about_ties(X, ["time", "group"]))
    columns of whole numbers or with many ties: 'group' (3 values). The method assumes continuous \
noise: read edges at these columns with care, and leave out codes, labels and row numbers.
    """
    ordered = np.sort(X, axis=0)
    shown = [
        f"{quoted(name)} ({trait})"
        for name, column, values in zip(names, X.T, ordered.T, strict=True)
        if (trait := _tie_trait(column, values))
    ]
    if not shown:
        return None
    return (
        f"columns of whole numbers or with many ties: {listing(shown)}. The method assumes "
        "continuous noise: read edges at these columns with care, and leave out codes, labels and "
        "row numbers."
    )


def _tie_trait(column: NDArray[np.float64], ordered: NDArray[np.float64]) -> str | None:
    n = len(column)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    distinct, most_common = len(starts) - 1, np.diff(starts).max()
    whole = abs(ordered).max() < ALL_WHOLE and bool((ordered == np.rint(ordered)).all())
    if whole and (np.diff(column) == 1).all():
        return "counts the rows"
    if distinct <= min(FEW_VALUES, n / 2):
        return counted(distinct, "value")
    if whole:
        return "whole numbers"
    if most_common >= LARGE_SHARE * n:
        return f"{most_common / n:.0%} of the rows at {ordered[starts[np.diff(starts).argmax()]]:g}"
    return None


def about_size(X: NDArray[np.float64]) -> str | None:
    """Say that there are more columns than rows, or few rows.

    Examples
    --------
    >>> print(about_size(np.zeros((30, 4))))
    only 30 rows for 4 columns: expect missing edges and an unstable order. A few hundred rows \
are the least for a result worth reading.
    """
    n, d = X.shape
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


def about_collinearity(X: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Find columns that are nearly a linear function of the others.

    Skipped where there are not clearly more rows than columns: every column is then a function
    of the others by chance.
    """
    n, d = X.shape
    if n < 2 * d:
        return None
    collinear = np.flatnonzero(r_squared_on_others(X) > NEARLY_COLLINEAR).tolist()
    if not collinear:
        return None
    return (
        f"nearly collinear columns: {name_list(names[j] for j in collinear)}. More than "
        f"{NEARLY_COLLINEAR:.1%} of the variance of each is a linear function of the others, so "
        "which of them causes which cannot be told apart. Leave out totals, averages and repeated "
        "measurements."
    )


def about_scales(X: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Say that the columns' standard deviations differ more than a thousandfold."""
    spread = X.std(axis=0)
    smallest, largest = int(spread.argmin()), int(spread.argmax())
    ratio = spread[largest] / spread[smallest]
    if ratio <= SCALE_RATIO:
        return None
    return (
        f"scales differ by a factor of {_factor(ratio)}: from {quoted(names[smallest])} (standard "
        f"deviation {spread[smallest]:.3g}) to {quoted(names[largest])} ({spread[largest]:.3g}). "
        "The order may follow these units instead of the causes: standardise the columns (on the "
        "command line, --standardize)."
    )


def _factor(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio < 1e6 else f"{ratio:.3g}"
