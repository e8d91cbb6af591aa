"""How numbers are written in text, and what a column holds instead of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from scoredag.data.wording import Where, counted, listing, quoted
from scoredag.exceptions import warn

if TYPE_CHECKING:
    import pyarrow

    from scoredag.data.columns import Columns

# Apostrophes, also a typographic one, and spaces that do not break are separators, too.
_THOUSANDS = re.compile(
    r"[+-]?[1-9]\d{0,2}(([ ,'_\u2019\u00a0\u202f]\d{3})+(\.\d*)?|(\.\d{3}){2,}(,\d*)?)"
)
_GROUPED_BY_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)
_DECIMAL_POINT = re.compile(r"[+-]?(\d+\.\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_TEXT_TYPES = ("string", "large_string", "string_view")
# How people write that a value is missing.
_MISSING = re.compile(r"[\W_]+|n\W?[ad]\W?|none|nil|missing|unknown|no data", re.IGNORECASE)
_NUMBER_WITH_UNIT = re.compile(r"[^\w.+-]?\s*[+-]?\d+(\.\d*)?\s*[^\d.]{0,3}")
# A group of three digits behind the mark and no leading zero, or no mark at all.
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_WHOLE = re.compile(r"[+-]?\d+")


def complaint(
    array: pyarrow.ChunkedArray, where: Where, decimal: str = ".", is_text: bool = True
) -> str | None:
    """Say why a column cannot be read as numbers; None if it can.

    Parameters
    ----------
    array : pyarrow.ChunkedArray
        The column, or whatever has its ``type`` and ``chunks``.
    where : callable
        From positions of rows to how the user finds them in the file.
    decimal : {".", ","}
        The decimal mark that the file was read with.
    is_text : bool
        Whether the file is text: then it can be read in another way.

    Examples
    --------
    >>> import pyarrow
    >>> complaint(pyarrow.chunked_array([["1", "?", "2"]]), lambda rows: f"line {rows[0] + 2}")
    "1 of 3 cells is not a number, first '?' (line 3); if it stands for a missing value: na=['?']"
    >>> complaint(pyarrow.chunked_array([[True, False]]), str)  # counts as 1 and 0
    """
    from pyarrow import types

    kind = array.type
    if holds_numbers(kind):
        return None
    cells = (cell for chunk in array.chunks for cell in chunk.to_pylist())
    if str(kind) in _TEXT_TYPES:
        return text_complaint(cells, where, decimal, in_file=is_text)
    example = quoted(str(next((cell for cell in cells if cell is not None), "")))
    if types.is_temporal(kind):
        return f"dates or times, e.g. {example}"
    if types.is_dictionary(kind):
        return f"categories, e.g. {example}"
    return f"values of type {kind}, e.g. {example}"


def holds_numbers(kind: pyarrow.DataType) -> bool:
    """Whether a column of this Arrow type can be read as numbers.

    Examples
    --------
    >>> import pyarrow
    >>> holds_numbers(pyarrow.bool_()), holds_numbers(pyarrow.string())
    (True, False)
    """
    from pyarrow import types

    tests = (
        types.is_integer,
        types.is_floating,
        types.is_decimal,
        types.is_null,
        types.is_boolean,
    )
    return any(test(kind) for test in tests)


def text_complaint(
    cells: Iterable[str | None], where: Where, decimal: str = ".", *, in_file: bool = True
) -> str:
    """Say what a column of text holds that keeps it from being numbers.

    A file can be read in another way, or be written anew; for a column that is ``in_file=False``,
    in memory, no such way out is named. Takes the cells one by one: the column may be larger than
    memory.

    Examples
    --------
    >>> text_complaint(["1,5", "2,25"], str)
    "numbers with a decimal comma, e.g. '1,5' (read them with decimal=',')"
    >>> text_complaint(["1,500,000", "12"], str)
    "numbers with thousands separators, e.g. '1,500,000' (write them without)"
    >>> text_complaint(["red", "blue"], str)
    "text, e.g. 'red'"
    """
    total = filled = n_odd = 0
    first: str | None = None  # as it is written, with its spaces
    odd: tuple[int, str] | None = None  # the first cell that is no number, preferably with text
    spellings: set[str] = set()  # of such cells, the first two
    written_otherwise = list(_WRITTEN_OTHERWISE)
    with_unit = True
    for row, cell in enumerate(cells):
        total += 1
        if cell is None:
            continue
        filled += 1
        first = cell if first is None else first
        text = cell.strip()
        if is_number(text, decimal):
            continue
        n_odd += 1
        odd = (row, text) if odd is None or (text and not odd[1]) else odd
        if len(spellings) < 2:
            spellings.add(text)
        written_otherwise = [w for w in written_otherwise if all(trait(text) for trait in w[0])]
        with_unit = with_unit and _NUMBER_WITH_UNIT.fullmatch(text) is not None
    if first is None:
        return "all missing"
    if odd is None:
        return f"numbers stored as text, e.g. {quoted(first)}" + (
            " (look for odd spaces or digits, and convert)" if in_file else ""
        )
    row, example = odd
    if not example:
        return f"{n_odd:,} of {total:,} cells hold nothing but spaces ({where([row])})"
    for _, title, remedy in written_otherwise[:1]:
        return f"{title}, e.g. {quoted(example)}" + (f" ({remedy})" if in_file else "")
    if n_odd <= filled / 2:
        verb = "is not a number" if n_odd == 1 else "are not numbers"
        code = f"; if it stands for a missing value: na={[example]}"
        return (
            f"{n_odd:,} of {total:,} cells {verb}, first {quoted(example)} ({where([row])})"
            + code * bool(in_file and len(spellings) == 1 and _MISSING.fullmatch(example))
        )
    if with_unit:
        return f"numbers with a unit, e.g. {quoted(example)}" + " (write them without)" * in_file
    return f"text, e.g. {quoted(example)}"


def is_number(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is a number with this decimal mark.

    Examples
    --------
    >>> is_number("1,5", ","), is_number("1.5", ","), is_number("1_000")
    (True, False, False)
    """
    if decimal != "." and "." in cell:
        return False
    try:
        float(cell.replace(decimal, "."))
    except ValueError:
        return False
    return "_" not in cell


def _has_other_minus(cell: str) -> bool:
    return is_number(cell.replace("\u2212", "-").replace("\u2013", "-"))


def _is_several_numbers(cell: str) -> bool:
    parts = cell.split()
    return len(parts) > 1 and all(map(is_number, parts))


# Numbers as others write them: what every odd cell must match, what to call it, what to do.
_WRITTEN_OTHERWISE: tuple[tuple[tuple[Callable[[str], object], ...], str, str], ...] = (
    (
        (_THOUSANDS.fullmatch, _DECIMAL_COMMA.fullmatch),
        "numbers with thousands separators or decimal commas",
        "write them without, or read them with decimal=','",
    ),
    ((_THOUSANDS.fullmatch,), "numbers with thousands separators", "write them without"),
    (
        (_DECIMAL_COMMA.fullmatch,),
        "numbers with a decimal comma",
        "read them with decimal=','",
    ),
    (
        (_GROUPED_BY_POINTS.fullmatch,),
        "numbers with a decimal point or with thousands separators",
        "write them without, or leave out decimal=','",
    ),
    (
        (_DECIMAL_POINT.fullmatch,),
        "numbers with a decimal point",
        "leave out decimal=','",
    ),
    ((_has_other_minus,), "numbers with a typographic minus", "write it as -"),
    (
        (_is_several_numbers,),
        "several numbers in a cell",
        "spaces do not separate columns: use commas, tabs or semicolons",
    ),
)


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
        warn(
            f"{label}: {counted(len(found), 'column')} may hold thousands that are separated by "
            f"{quoted(columns.decimal)}, which was read as the decimal mark: {listing(found)}. If "
            "so, these numbers are wrong by a factor of 1,000: write them without separators."
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
