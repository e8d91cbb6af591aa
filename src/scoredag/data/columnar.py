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
        reason = str(error).splitlines()[0].rstrip(".")
        raise DataError(
            f"{label} cannot be read as {title} ({reason}): it may be damaged or cut short. "
            "Write it again."
        ) from error
    table = _without_index(table, label)
    if table.num_rows == 0 or table.num_columns == 0:
        raise DataError(
            f"{label} has {counted(table.num_columns, 'column')} and "
            f"{counted(table.num_rows, 'row')}: there is nothing to analyse."
        )
    return Columns.named(table.column_names, table.columns, _in_rows)


def _without_index(table: pyarrow.Table, label: str) -> pyarrow.Table:
    """Leave out what pandas would read back as row labels, and say so."""
    stored = [name for name in _pandas_index(table) if name in table.column_names]
    if stored:
        warn(
            f"the row labels that pandas stored in {label} are left out ({name_list(stored)}): "
            "to analyse them, call reset_index() before writing the file."
        )
    return table.drop_columns(stored)


def _pandas_index(table: pyarrow.Table) -> list[str]:
    """Names of the index columns; a counted index is none, and broken notes say nothing."""
    try:
        index = (table.schema.pandas_metadata or {})["index_columns"]
        return [name for name in index if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def _in_rows(rows: Sequence[int]) -> str:
    return f"row{'s' * (len(rows) > 1)} {listing([f'{row + 1}' for row in rows])}"
