"""From what users hand to a function, to a matrix of numbers, or the reason why there is none.

NumPy converts more than it should: it drops masks, reads text as numbers and dates as counts of
nanoseconds. Here all of these are refused, in words that name the columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import is_whole_number
from scoredag.data.blocks import is_blocks
from scoredag.data.gaps import in_array
from scoredag.data.nonnumeric import text_complaint
from scoredag.data.table import Table
from scoredag.data.wording import listing, quoted
from scoredag.exceptions import DataError

Floats = NDArray[np.float64]

_NUMBERS = "biuf"  # NumPy's kinds: booleans count as 0 and 1


@dataclass(frozen=True)
class Frame:
    """The columns of a table that has names.

    Attributes
    ----------
    labels : tuple
        The column labels as they are: text, numbers or anything hashable.
    columns : tuple of ndarray of shape (n,)
        The cells, of any kind.
    whole : tuple of bool
        For each column whether it is stored as whole numbers.
    """

    labels: tuple[Hashable, ...]
    columns: tuple[NDArray[Any], ...]
    whole: tuple[bool, ...]

    @property
    def names(self) -> list[str]:
        """The labels as text."""
        return [str(label) for label in self.labels]


def as_matrix(X: ArrayLike, name: str = "X") -> Floats:
    """Turn an array-like into a matrix of float64, with NaN where an entry is masked or missing.

    Parameters
    ----------
    X : array-like of shape (n, d)
        NumPy, pandas, polars, Arrow, or nested sequences of numbers.
    name : str
        What the caller named the argument, for the error message.

    Raises
    ------
    DataError
        If there are other than two dimensions, or cells that are not numbers.

    Examples
    --------
    >>> as_matrix(np.ma.masked_equal([[1.0, -999.0]], -999.0))
    array([[ 1., nan]])
    >>> as_matrix([["1.5", "2.5"]])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: columns that do not hold numbers: 'x0' (numbers stored as \
text, e.g. '1.5') and 'x1' (numbers stored as text, e.g. '2.5'). Leave them out, or encode them \
as numbers if their values have a natural order and spacing.
    """
    refuse_non_table(X, name)
    frame = frame_of(X)
    if frame is not None:
        problem = about_cells(dict(zip(frame.names, frame.columns, strict=True)))
        if problem:
            raise DataError(problem)
        return numbers_of(frame.columns, len(frame.columns[0]) if frame.columns else 0)
    values = unmasked(X, name)
    if values.ndim != 2:
        raise DataError(
            f"{name} must be a table of numbers, n rows by d columns; got shape {values.shape}"
        )
    if values.dtype.kind in _NUMBERS:
        return np.asarray(values, dtype=np.float64)
    problem = about_cells({f"x{k}": column for k, column in enumerate(values.T)})
    if problem:
        raise DataError(problem)
    return numbers_of(tuple(values.T), len(values))


def as_finite_matrix(X: ArrayLike, name: str = "X") -> Floats:
    """Like `as_matrix`, and no entry may be missing or infinite.

    Examples
    --------
    >>> as_finite_matrix([[1.0, 2.0], [3.0, np.nan]])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: X must hold finite numbers; column 1 has NaN or infinity
    """
    table = as_matrix(X, name)
    broken = np.flatnonzero(~np.isfinite(table).all(axis=0))
    if len(broken):
        raise DataError(f"{name} must hold finite numbers; column {broken[0]} has NaN or infinity")
    return table


def refuse_non_table(X: object, name: str = "X") -> None:
    """Raise `DataError` for what is often mistaken for a table, with the way to make one of it.

    Examples
    --------
    >>> refuse_non_table("table.csv")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: X must be a table of numbers, not the name of a file: \
scoredag.data.read_table reads files
    """
    # The type is asked: pandas has every column as an attribute of the frame.
    kind, has = type(X).__name__, partial(hasattr, type(X))
    if isinstance(X, str | bytes) or has("__fspath__"):
        remedy = "not the name of a file: scoredag.data.read_table reads files"
    elif has("toarray"):
        remedy = f"not a sparse {kind}: call its method toarray() first"
    elif isinstance(X, Mapping):
        remedy = f"not a {kind}: pandas.DataFrame makes a table of a dict of columns"
    elif has("collect") and has("columns"):
        remedy = f"not a {kind}, which has no rows yet: call its method collect() first"
    elif is_blocks(X):
        remedy = f"not a {kind}, which is read in blocks: np.vstack(list(X)) loads it"
    elif X is None or isinstance(X, Set | Iterator) or callable(X):
        remedy = f"not a {kind}: give n rows by d columns, as an array or a data frame"
    elif isinstance(X, np.ndarray) and X.dtype.names:
        remedy = "not a structured array: pandas.DataFrame makes a table of its fields"
    else:
        return
    raise DataError(f"{name} must be a table of numbers, {remedy}")


def frame_of(X: Any) -> Frame | None:
    """Take a data frame apart; None for what has no column names.

    Examples
    --------
    >>> import pandas as pd
    >>> frame_of(pd.DataFrame({"a": [1, 2], 7: [3.0, 4.0]})).labels
    ('a', 7)
    """
    if not hasattr(type(X), "columns"):
        return None
    # Arrow's tables call the names column_names, and the data columns.
    labels = tuple(X.column_names if hasattr(type(X), "column_names") else X.columns)
    columns = [_column(X, k) for k in range(len(labels))]
    cells = tuple(_cells(column) for column in columns)
    stored = X.whole if isinstance(X, Table) else ()
    return Frame(labels, cells, stored or tuple(map(_is_whole, columns, cells)))


def unmasked(X: Any, name: str = "X") -> NDArray[Any]:
    """Turn an array-like into an array, with NaN where an entry is masked."""
    rows = X if isinstance(X, list | tuple) else ()
    array = np.ma.stack(rows) if any(map(np.ma.isMaskedArray, rows)) else X
    if np.ma.isMaskedArray(array):
        return np.ma.filled(array.astype(float), np.nan) if np.ma.is_masked(array) else array.data
    try:
        return np.asarray(array)
    except ValueError as error:
        raise DataError(
            f"{name} must be a table of numbers with as many in every row: {error}"
        ) from None


def about_cells(columns: Mapping[str, NDArray[Any]]) -> str | None:
    """Describe the columns that hold text, dates or anything else but numbers.

    Examples
    --------
    >>> about_cells({"dose": np.array([1.0, 2.0]), "site": np.array(["Bern", "Basel"])})
    "columns that do not hold numbers: 'site' (text, e.g. 'Bern'). Leave them out, or encode them \
as numbers if their values have a natural order and spacing."
    """
    held = {name: held_instead(cells) for name, cells in columns.items()}
    return about_held({name: found for name, found in held.items() if found is not None})


def about_held(found: Mapping[str, str]) -> str | None:
    """Describe the columns that hold something else than numbers: what, by their names."""
    if not found:
        return None
    shown = listing([f"{quoted(name)} ({held})" for name, held in found.items()])
    return (
        f"columns that do not hold numbers: {shown}. Leave them out, or encode them as "
        "numbers if their values have a natural order and spacing."
    )


def held_instead(cells: NDArray[Any]) -> str | None:
    """Say what a column holds instead of numbers; None if it holds numbers.

    Examples
    --------
    >>> held_instead(np.array([1, None, 2.5], dtype=object)) is None  # a missing cell
    True
    >>> held_instead(np.array(["2026-11-17"], dtype="datetime64[D]"))
    "dates or times, e.g. '2026-11-17'"
    """
    return held_in([cells])


def held_in(chunks: Iterable[NDArray[Any]]) -> str | None:
    """Like `held_instead`, of a column in chunks; they are gone through up to twice.

    Examples
    --------
    >>> held_in([np.array([1, 2], dtype=object), np.array(["x"], dtype=object)])
    "1 of 3 cells is not a number, first 'x' (row 2, counted from 0)"
    """
    row, has_text, other, stranger = 0, False, "", None
    for cells in chunks:
        kind = cells.dtype.kind
        if kind in _NUMBERS:
            return None
        has_text = has_text or kind in "SU"
        other = _HELD.get(kind, "")
        if other and len(cells):
            return f"{other}, e.g. {quoted(str(cells[0]))}"
        for place, cell in enumerate(cells.tolist() if kind == "O" else (), start=row):
            # Decimals are numbers, but not of the kind that Python calls real.
            if is_missing(cell) or isinstance(cell, Real | np.bool_):
                continue
            has_text = has_text or isinstance(cell, str | bytes)
            if stranger is None and type(cell).__name__ != "Decimal":
                stranger = place, type(cell).__name__
        row += len(cells)
    if has_text:
        texts = (None if is_missing(cell) else _text(cell) for cells in chunks for cell in cells)
        return text_complaint(texts, in_array, in_file=False)
    if other:
        return f"{other}, e.g. ''"
    if stranger is not None:
        return f"values of type {stranger[1]}, first in {in_array([stranger[0]])}"
    return None


_HELD = {"m": "dates or times", "M": "dates or times", "c": "complex numbers"}


def numbers_of(columns: Sequence[NDArray[Any]], n: int) -> Floats:
    """Put columns of numbers side by side as float64; what is missing is NaN."""
    matrix = np.empty((n, len(columns)))
    for k, cells in enumerate(columns):
        matrix[:, k] = [_as_float(cell) for cell in cells] if cells.dtype.kind == "O" else cells
    return matrix


def _column(X: Any, position: int) -> Any:
    """One column of a frame of pandas, polars, or Arrow and our own, whose labels may repeat."""
    if hasattr(type(X), "iloc"):
        return X.iloc[:, position]
    return X.to_series(position) if hasattr(type(X), "to_series") else X.column(position)


def _cells(column: Any) -> NDArray[Any]:
    """The cells of a column; a nullable column of numbers has NaN where it has no value."""
    dtype = getattr(column, "dtype", None)
    if getattr(dtype, "kind", None) in tuple(_NUMBERS) and not isinstance(dtype, np.dtype):
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    cells = np.asarray(column)
    if cells.ndim == 1 and cells.dtype.names is None:
        return cells
    nested = np.empty(len(cells), dtype=object)
    nested[:] = list(map(tuple, cells))
    return nested


def _is_whole(column: Any, cells: NDArray[Any]) -> bool:
    kind = getattr(getattr(column, "dtype", None), "kind", None)  # of a nullable column, too
    if cells.dtype.kind == "O":
        return len(cells) > 0 and all(is_whole_number(cell) for cell in cells)
    return kind in ("i", "u") or cells.dtype.kind in "iu"


def _text(cell: Any) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)


def is_missing(cell: object) -> bool:
    """Whether a cell is None, NaN, or what pandas writes for them."""
    try:
        return cell is None or bool(cell != cell)
    except (TypeError, ValueError, ArithmeticError):
        # Neither pandas' NA nor a signalling NaN can be compared.
        return type(cell).__name__ in ("NAType", "Decimal")


def _as_float(cell: Any) -> float:
    if is_missing(cell):
        return np.nan
    try:
        return float(cell)
    except OverflowError:  # a whole number beyond the floats
        return np.inf if cell > 0 else -np.inf
