"""Missing and infinite cells: where they are, codes for them, and rows that are left out."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from scoredag.data.nonnumeric import is_number
from scoredag.data.wording import Where, counted, listing, name_list, quoted
from scoredag.exceptions import warn

COLUMNS_SHOWN = 10
ROWS_SHOWN = 3


def about_gaps(values: NDArray[np.float64], names: Sequence[str], where: Where) -> str | None:
    """Describe the cells that are NaN or infinite; None if there are none.

    Parameters
    ----------
    values : ndarray of float, shape (n, d)
    names : sequence of str
        The d column names.
    where : callable
        From positions of rows to how the user finds them, such as ``"lines 4 and 9"``.

    Examples
    --------
    >>> values = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, np.inf]])
    >>> print(about_gaps(values, ["a", "b"], in_array))
    1 missing (NaN) and 1 infinite cell in 2 of 2 columns:
      'a': 1 missing (row 1, counted from 0)
      'b': 1 infinite (row 2, counted from 0)
    Every row must be complete: remove the 2 rows concerned, fill the gaps, or leave the columns \
out.
    """
    broken = ~np.isfinite(values)
    if not broken.any():
        return None
    columns = np.flatnonzero(broken.any(axis=0))
    lines = [_describe(values[:, j], names[j], where) for j in columns[:COLUMNS_SHOWN]]
    if len(columns) > COLUMNS_SHOWN:
        lines.append(f"and {counted(len(columns) - COLUMNS_SHOWN, 'more column')}")
    missing = int(np.isnan(values).sum())
    return (
        f"{_totals(missing, int(broken.sum()) - missing)} "
        f"in {len(columns)} of {counted(len(names), 'column')}:\n  "
        + "\n  ".join(lines)
        + "\n"
        + _remedy(int(broken.any(axis=1).sum()), len(values))
    )


def in_array(rows: Sequence[int]) -> str:
    """Say where rows of an array are.

    Examples
    --------
    >>> in_array([3, 8])
    'rows 3 and 8, counted from 0'
    """
    return f"row{'s' * (len(rows) > 1)} {listing([f'{row}' for row in rows])}, counted from 0"


def _totals(missing: int, infinite: int) -> str:
    kinds = ((missing, "missing (NaN)"), (infinite, "infinite"))
    parts = [f"{number:,} {kind}" for number, kind in kinds if number]
    return listing(parts) + (" cell" if (infinite or missing) == 1 else " cells")


def _describe(column: NDArray[np.float64], name: str, where: Where) -> str:
    parts = []
    for label, mask in (("missing", np.isnan(column)), ("infinite", np.isinf(column))):
        rows = np.flatnonzero(mask).tolist()
        if len(rows) == len(column):
            parts.append(f"all {label}")
        elif rows:
            first = "first: " if len(rows) > ROWS_SHOWN else ""
            parts.append(f"{len(rows):,} {label} ({first}{where(rows[:ROWS_SHOWN])})")
    return f"{quoted(name)}: {', '.join(parts)}"


def _remedy(rows: int, total: int) -> str:
    ways = ["fill the gaps", "or leave the columns out"]
    if rows < total:
        ways.insert(0, f"remove the {counted(rows, 'row')} concerned")
    return f"Every row must be complete: {', '.join(ways)}."


def without_codes(values: NDArray[np.float64], na: Sequence[str]) -> NDArray[np.float64]:
    """Replace the numbers that stand for a missing value by NaN.

    Examples
    --------
    >>> without_codes(np.array([[1.0, -999.0]]), ["-999", "unknown"])
    array([[ 1., nan]])
    """
    codes = [code for code in map(_number, na) if code is not None]
    return np.where(np.isin(values, codes), np.nan, values) if codes else values


def about_no_rows(values: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Say that no row is left once those with a gap are dropped, and which columns are to blame."""
    gaps = ~np.isfinite(values)
    if not gaps.any(axis=1).all():
        return None
    most = [names[k] for k in np.argsort(-gaps.sum(axis=0), kind="stable")[:3] if gaps[:, k].any()]
    return (
        "every row has a missing or an infinite cell, so none is left. Most are in "
        f"{name_list(most)}: leave out columns, or fill the gaps."
    )


def warn_about_dropped_rows(complete: NDArray[np.bool_], label: str) -> None:
    """Say how many rows were left out because a cell is missing or infinite."""
    dropped = int((~complete).sum())
    warn(
        f"{dropped:,} of {counted(len(complete), 'row')} of {label} were left out, because a cell "
        "is missing or infinite. If cells are missing for a reason that has to do with their "
        "values, the rows that are left are no fair sample."
    )


def warn_about_unused_spellings(
    na: Sequence[str], numbers: NDArray[np.float64], written: Set[str], label: str
) -> None:
    """Name the spellings of a missing value that no cell has: a typing error, most likely.

    Parameters
    ----------
    na : sequence of str
        The spellings.
    numbers : ndarray of float
        The cells as numbers.
    written : set of str
        The cells of a text table as they are written; empty for others.
    label : str
        What messages call the file.
    """
    unused = [
        spelling
        for spelling in na
        if spelling.strip() not in written and not (numbers == _number(spelling)).any()
    ]
    if unused:
        warn(
            f"no cell of {label} is {listing([quoted(spelling) for spelling in unused])}, which "
            "should stand for a missing value: look for another spelling."
        )


def _number(text: str) -> float | None:
    return float(text) if is_number(text.strip()) else None
