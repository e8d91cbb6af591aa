"""One function that reads a table for analysis, or says what is wrong with the file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.checks import MIN_ROWS, about_size, about_values, refuse
from scoredag.data.columnar import read_arrow, read_parquet
from scoredag.data.columns import (
    Columns,
    about_text,
    about_unnamed,
    complaints,
    stored_whole,
    to_matrix,
)
from scoredag.data.delimited import read_delimited
from scoredag.data.gaps import (
    Gaps,
    about_no_rows,
    warn_about_dropped_rows,
    warn_about_unused_spellings,
    without_codes,
)
from scoredag.data.names import about_repeated_names
from scoredag.data.nonnumeric import warn_about_thousands
from scoredag.data.selection import choose
from scoredag.data.sources import Source, load
from scoredag.data.table import Table
from scoredag.exceptions import DataError


def read_table(
    source: str | os.PathLike[str],
    *,
    select: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    header: bool | None = None,
    decimal: str = ".",
    na: Sequence[str] = (),
    incomplete: str = "refuse",
) -> Table:
    r"""Read a table of numbers from a file.

    Parameters
    ----------
    source : path or "-"
        A text table (``.csv``, ``.tsv``, ``.tab``, ``.txt``; separated by comma, tab, semicolon or
        bar), a Parquet file (``.parquet``, ``.pq``) or a Feather file (``.feather``, ``.arrow``,
        ``.ipc``); each of them also compressed (``.csv.gz``, ``.bz2``, ``.xz``) or as the only
        table in a ``.zip`` archive. ``"-"`` is standard input, where the content decides.
    select, drop : sequence of str, optional
        Columns to keep and columns to leave out. Columns that are left out may hold anything.
    header : bool, optional
        Whether the first line of a text table holds the names. By default it does, unless it
        holds only numbers: then a `DataWarning` says whether it was taken for data, with the names
        x0, x1, ..., or for names, as 0, 1, 2, ... are.
    decimal : {".", ","}
        The decimal mark of a text table.
    na : sequence of str
        How missing values are written, beside the usual spellings (an empty cell, NA, NaN, null
        and the like). A number stands for every cell of that value, such as -999.
    incomplete : {"refuse", "drop"}
        What to do with rows that have a missing or an infinite cell: raise an error that says
        where these are, or leave the rows out, with a `DataWarning` that counts them.

    Returns
    -------
    Table
        Finite numbers, different names.

    Raises
    ------
    DataError
        If the file cannot be read as such a table. The message names the columns and lines, and
        says what to do.
    ImportError
        If Arrow is not installed.

    Notes
    -----
    Not for tables larger than memory: `open_table` opens these. Rows with gaps are refused unless
    the caller asks to drop them, because how to fill or drop them is a decision that changes the
    result.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "doses.csv")
    ...     _ = path.write_text("site,dose,effect\nA,1,2.5\nB,2,3.5\n")
    ...     table = read_table(path, drop=["site"])
    >>> table.names, table.values.tolist()
    (('dose', 'effect'), [[1.0, 2.5], [2.0, 3.5]])
    """
    select, drop, na = (as_list(names) for names in (select, drop, na))
    _check_arguments(header, decimal, incomplete)
    require_arrow()
    raw = load(source)
    columns = _parse(raw, header, decimal, tuple(na))
    try:
        chosen = columns.take(choose(columns.names, select, drop))
    except DataError as error:
        raise DataError(f"{raw.label}: {error}") from None
    instead = complaints(chosen)
    numeric = chosen.take([k for k, name in enumerate(chosen.names) if name not in instead])
    numbers = to_matrix(numeric, chosen.n_rows)
    values = without_codes(numbers, na)
    kept = values[np.isfinite(values).all(axis=1)] if incomplete == "drop" else values
    refuse(_problems(columns.names, chosen, instead, numeric, values, kept), raw.label)
    if na:
        written = set().union(*columns.texts(chosen.names).values())
        warn_about_unused_spellings(na, numbers, written, raw.label)
    warn_about_thousands(columns, numeric, raw.label)
    if len(kept) < len(values):
        warn_about_dropped_rows(Gaps.of(values), raw.label)
    return Table(kept, chosen.names, raw.label, stored_whole(columns, chosen.names))


def _problems(
    names: Sequence[str],
    chosen: Columns,
    instead: Mapping[str, str],
    numeric: Columns,
    values: NDArray[np.float64],
    kept: NDArray[np.float64],
) -> list[str | None]:
    """Describe all that is wrong with the chosen columns of a file.

    Parameters
    ----------
    names : sequence of str
        All columns of the file.
    chosen : Columns
        Those to analyse.
    instead : mapping of str to str
        What some of these hold instead of numbers.
    numeric : Columns
        The others.
    values, kept : ndarray of float
        Their cells in all rows, and in the rows that are kept.
    """
    # A column without a name is named once, whatever it holds.
    named = [k for k, name in enumerate(numeric.names) if name not in chosen.unnamed]
    gaps, named_columns = Gaps.of(values[:, named]), numeric.take(named)
    problems = [
        about_unnamed(chosen),
        about_repeated_names(names, kept=chosen.names),
        about_text(instead, len(chosen.names)),
        about_gaps_of_file(gaps, len(kept), named_columns),
    ]
    if any(problems):  # a table without these is checked as every other table, by `check_columns`
        problems += [
            about_size(len(values), len(chosen.names)),
            *about_values(kept[:, named], named_columns.names),
        ]
    return problems


def about_gaps_of_file(gaps: Gaps, n_kept: int, columns: Columns) -> str | None:
    """Describe the gaps in the rows that are kept of all; where rows can be dropped, say how.

    Parameters
    ----------
    gaps : Gaps
        Of all rows.
    n_kept : int
        Rows that are kept: fewer than all where those with gaps are dropped.
    columns : Columns
        What the gaps are in.
    """
    if not n_kept:
        return about_no_rows(gaps, columns.names)
    if n_kept < gaps.n_rows:
        return None
    found = gaps.describe(columns.names, columns.where)
    if found is None or gaps.n_rows - gaps.broken_rows < MIN_ROWS:
        return found
    return f"{found} Rows with gaps are left out with incomplete='drop'."


def _check_arguments(header: object, decimal: object, incomplete: object) -> None:
    if header is not None and not isinstance(header, bool):
        raise DataError(f"header must be True, False or None, got {header!r}.")
    if decimal not in (".", ","):
        raise DataError(f"decimal must be '.' or ',', got {decimal!r}.")
    check_incomplete(incomplete)


def check_incomplete(incomplete: object) -> None:
    """Raise `DataError` unless an argument says what to do with rows that have gaps."""
    if incomplete not in ("refuse", "drop"):
        raise DataError(f"incomplete must be 'refuse' or 'drop', got {incomplete!r}.")


def require_arrow() -> None:
    """Raise an `ImportError` that says how to install Arrow, unless it is there."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "files of data need pyarrow, which is not installed: pip install 'scoredag[cli]'"
        ) from error


def as_list(names: Sequence[str] | None) -> list[str]:
    """Take one name for a list of one; text is a sequence of letters to Python."""
    return [names] if isinstance(names, str) else [str(name) for name in names or ()]


def _parse(raw: Source, header: bool | None, decimal: str, na: tuple[str, ...]) -> Columns:
    if raw.format == "parquet":
        return read_parquet(raw.data, raw.label)
    if raw.format == "arrow":
        return read_arrow(raw.data, raw.label)
    return read_delimited(raw.data, raw.label, header, decimal, na)
