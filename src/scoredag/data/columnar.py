"""Parquet and Feather files, read by Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoredag.data.columns import Columns
from scoredag.data.wording import counted, listing, name_list
from scoredag.exceptions import DataError, warn

if TYPE_CHECKING:
    import pyarrow


def read_parquet(data: bytes, label: str) -> Columns:
    """Parse a Parquet file. Row labels that pandas stored as an index are no columns."""
    return _read(data, label, "Parquet", _parquet_table)


def read_arrow(data: bytes, label: str) -> Columns:
    """Parse a Feather file (the Arrow file format). Row labels of pandas are no columns."""
    return _read(data, label, "Feather", _arrow_table)


# Arrow's thread pool may abort the process at exit, after all is done: read without it.
def _parquet_table(buffer: pyarrow.BufferReader) -> pyarrow.Table:
    from pyarrow import parquet

    return parquet.ParquetFile(buffer).read(use_threads=False)


def _arrow_table(buffer: pyarrow.BufferReader) -> pyarrow.Table:
    from pyarrow import ipc

    options = ipc.IpcReadOptions(use_threads=False)
    return ipc.open_file(buffer, options=options).read_all()


def _read(
    data: bytes, label: str, title: str, parse: Callable[[pyarrow.BufferReader], pyarrow.Table]
) -> Columns:
    import pyarrow

    try:
        table = parse(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise damaged(label, title, error) from error
    table = table.drop_columns(stored_index(table.schema, label))
    refuse_nothing(table.num_rows, table.num_columns, label)
    return Columns.named(table.column_names, table.columns, in_rows)


def refuse_nothing(n_rows: int, n_columns: int, label: str) -> None:
    """Raise `DataError` if there are no rows or no columns."""
    if n_rows == 0 or n_columns == 0:
        raise DataError(
            f"{label} has {counted(n_columns, 'column')} and {counted(n_rows, 'row')}: there is "
            "nothing to analyse."
        )


def stored_index(schema: pyarrow.Schema, label: str) -> list[str]:
    """The columns that pandas would read back as row labels; a warning says that they are left out.

    A counted index is no column, and broken notes say nothing.
    """
    try:
        index = (schema.pandas_metadata or {})["index_columns"]
        stored = [name for name in index if isinstance(name, str) and name in schema.names]
    except (ValueError, KeyError, TypeError):
        return []
    if stored:
        warn(
            f"the row labels that pandas stored in {label} are left out ({name_list(stored)}): "
            "to analyse them, call reset_index() before writing the file."
        )
    return stored


def damaged(label: str, title: str, error: Exception) -> DataError:
    """The error for a file that Arrow cannot read."""
    reason = str(error).splitlines()[0].rstrip(".")
    return DataError(
        f"{label} cannot be read as {title} ({reason}): it may be damaged or cut short. "
        "Write it again."
    )


def in_rows(rows: Sequence[int]) -> str:
    """Say where rows of a file are; the first is row 1.

    Examples
    --------
    >>> in_rows([2, 8])
    'rows 3 and 9'
    """
    return f"row{'s' * (len(rows) > 1)} {listing([f'{row + 1}' for row in rows])}"
