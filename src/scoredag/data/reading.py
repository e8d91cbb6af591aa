"""One function that reads a table for analysis, or says what is wrong with the file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from scoredag.data.arrow import require_arrow
from scoredag.data.columnar import read_arrow, read_parquet
from scoredag.data.columns import Columns, refuse_repeated_names, refuse_unnamed, to_matrix
from scoredag.data.delimited import read_delimited
from scoredag.data.gaps import refuse_gaps
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
) -> Table:
    r"""Read a table of numbers from a file.

    Parameters
    ----------
    source : path or "-"
        A text table (``.csv``, ``.tsv``, ``.tab``, ``.txt``; separated by comma, tab, semicolon or
        bar), a Parquet file (``.parquet``, ``.pq``) or a Feather file (``.feather``, ``.arrow``,
        ``.ipc``). ``"-"`` is standard input, where the content decides.
    select, drop : sequence of str, optional
        Columns to keep and columns to leave out. Columns that are left out may hold anything.
    header : bool, optional
        Whether the first line of a text table holds the names. By default it does, unless it
        holds only numbers: then a `DataWarning` says whether it was taken for data, with the names
        x0, x1, ..., or for names, as 0, 1, 2, ... are.
    decimal : {".", ","}
        The decimal mark of a text table.

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
    Not for tables larger than memory, and not for missing values: rows with gaps are refused,
    because how to fill or drop them is a decision that changes the result.

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
    if decimal not in (".", ","):
        raise DataError(f"decimal must be '.' or ',', got {decimal!r}.")
    require_arrow()
    raw = load(source)
    columns = _parse(raw, header, decimal)
    try:
        chosen = columns.take(choose(columns.names, select, drop))
        refuse_unnamed(chosen)
        refuse_repeated_names(columns.names, kept=chosen.names)
        values = to_matrix(chosen)
        refuse_gaps(values, chosen.names, chosen.where)
    except DataError as error:
        raise DataError(f"{raw.label}: {error}") from None
    return Table(values, chosen.names, raw.label)


def _parse(raw: Source, header: bool | None, decimal: str) -> Columns:
    if raw.format == "parquet":
        return read_parquet(raw.data, raw.label)
    if raw.format == "arrow":
        return read_arrow(raw.data, raw.label)
    return read_delimited(raw.data, raw.label, header, decimal)
