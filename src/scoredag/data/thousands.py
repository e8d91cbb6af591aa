"""Numbers such as 12.573 and 986 in one column, where the mark may separate thousands."""

from __future__ import annotations

import re
import warnings

import numpy as np

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.columns import Columns
from scoredag.data.nonnumeric import is_number
from scoredag.data.wording import counted, listing, quoted
from scoredag.exceptions import DataWarning

# A group of three digits behind the mark and no leading zero, or no mark at all.
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_WHOLE = re.compile(r"[+-]?\d+")


def warn_about_thousands(columns: Columns, numeric: Columns, label: str) -> None:
    """Warn about columns in which the decimal mark looks like a separator of thousands.

    Every number has either exactly three digits behind the mark and no leading zero, or no mark:
    12.573 and 986 are then 12,573 and 986 as a German spreadsheet writes them. Rounding to three
    digits would leave other cells, such as 12.57 and 0.986.

    Parameters
    ----------
    columns : Columns
        All columns of the file, with their text.
    numeric : Columns
        Those that were read as numbers.
    label : str
        What messages call the file.
    """
    suspects = [
        name
        for name, array in zip(numeric.names, numeric.arrays, strict=True)
        if _may_be_grouped(array.to_numpy())
    ]
    found = []
    for name, cells in columns.texts(suspects).items():
        written = {cell for cell in cells if is_number(cell, columns.decimal)}
        grouped = sorted(filter(_GROUPED.fullmatch, written))
        whole = sorted(filter(_WHOLE.fullmatch, written))
        if grouped and whole and len(grouped) + len(whole) == len(written):
            found.append(f"{quoted(name)} ({grouped[0]} and {whole[0]})")
    if found:
        warnings.warn(
            f"{label}: {counted(len(found), 'column')} may hold thousands that are separated by "
            f"{quoted(columns.decimal)}, which was read as the decimal mark: {listing(found)}. If "
            "so, these numbers are wrong by a factor of 1,000: write them without separators.",
            DataWarning,
            stacklevel=stacklevel_of_user(),
        )


def _may_be_grouped(values: np.ndarray) -> bool:
    """Tell quickly whether all numbers have at most three digits behind the mark, and some none."""
    if values.dtype.kind != "f":
        return False
    numbers = values[np.isfinite(values)]
    whole = numbers == np.rint(numbers)
    thousandths = numbers * 1000
    return bool(
        whole.any()
        and not whole.all()
        and (abs(numbers[~whole]) < 1000).all()
        and (abs(numbers[~whole]) >= 1).all()
        and (abs(thousandths - np.rint(thousandths)) <= 1e-6).all()
    )
