"""Codes that stand for a missing value, and rows that are left out because they miss one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.nonnumeric import is_number
from scoredag.data.wording import counted, listing, name_list, quoted
from scoredag.exceptions import DataWarning


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
    warnings.warn(
        f"{dropped:,} of {counted(len(complete), 'row')} of {label} were left out, because a cell "
        "is missing or infinite. If cells are missing for a reason that has to do with their "
        "values, the rows that are left are no fair sample.",
        DataWarning,
        stacklevel=stacklevel_of_user(),
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
        warnings.warn(
            f"no cell of {label} is {listing([quoted(spelling) for spelling in unused])}, which "
            "should stand for a missing value: look for another spelling.",
            DataWarning,
            stacklevel=stacklevel_of_user(),
        )


def _number(text: str) -> float | None:
    return float(text) if is_number(text.strip()) else None
