"""Parquet and Feather files, read by Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoredag.data.columns import Columns
from scoredag.data.wording import listing
from scoredag.exceptions import DataError

if TYPE_CHECKING:
    import pyarrow


def read_parquet(data: bytes, label: str) -> Columns:
    """Parse a Parquet file. Row labels that pandas stored as an index are no columns."""
    from pyarrow import parquet

    return _read(data, label, "Parquet", lambda buffer: parquet.ParquetFile(buffer).read())


def read_arrow(data: bytes, label: str) -> Columns:
    """Parse a Feather file (the Arrow file format). Row labels of pandas are no columns."""
    from pyarrow import ipc

    return _read(data, label, "Feather", lambda buffer: ipc.open_file(buffer).read_all())


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
    table = _without_index(table)
    if table.num_rows == 0 or table.num_columns == 0:
        raise DataError(f"{label} has {table.num_columns} columns and {table.num_rows} rows.")
    return Columns.named(table.column_names, table.columns, _in_rows)


def _without_index(table: pyarrow.Table) -> pyarrow.Table:
    """Leave out what pandas would read back as row labels."""
    index = (table.schema.pandas_metadata or {}).get("index_columns", [])
    stored = [name for name in index if isinstance(name, str) and name in table.column_names]
    return table.drop_columns(stored)


def _in_rows(rows: Sequence[int]) -> str:
    return f"row{'s' * (len(rows) > 1)} {listing([f'{row + 1}' for row in rows])}"
