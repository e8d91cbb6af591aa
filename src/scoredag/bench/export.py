"""Rows as files that other programs read: one CSV and one Parquet file."""

from __future__ import annotations

import csv
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scoredag.replacing import replacing

Row = dict[str, Any]


def check_export() -> None:
    """Raise ImportError if rows could not be written, before they are made."""
    if find_spec("pyarrow") is None:
        raise ImportError(
            "the benchmark writes Parquet files with pyarrow, which is not installed: "
            "pip install 'scoredag[bench]'"
        )


def write_rows(rows: list[Row], folder: str | Path) -> list[Path]:
    """Write ``runs.csv`` and ``runs.parquet``, one row a run, whole or not at all.

    Parameters
    ----------
    rows : list of dict
        They need not have the same keys: what a row lacks is empty.
    folder : path
        Where to write.

    Returns
    -------
    list of path
        What was written. Needs pyarrow, which the extra ``bench`` brings.
    """
    import pyarrow as pa
    from pyarrow import parquet

    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = pa.table({name: _column([row.get(name) for row in rows]) for name in columns})
    files = [Path(folder, name) for name in ("runs.csv", "runs.parquet")]
    with replacing(files[0]) as partial:
        _write_csv(rows, columns, partial)
    with replacing(files[1]) as partial:
        parquet.write_table(table, partial)
    return files


def _column(values: list[Any]) -> list[Any]:
    """Values of one type: integers beside fractions are fractions, anything else mixed is text."""
    types = {type(value) for value in values if value is not None}
    if len(types) <= 1:
        return values
    kind = float if types <= {int, float} else str
    return [None if value is None else kind(value) for value in values]


def _write_csv(rows: list[Row], columns: list[str], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
