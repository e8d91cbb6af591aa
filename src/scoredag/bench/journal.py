"""Rows on disk: the journal, one JSON line each as they come, and files for other programs.

A line counts from the moment its newline is on disk. A last line without one, from a process that
was killed while writing, is cut off at the next start, and its run is made again.
"""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Self

from scoredag.exceptions import DataError
from scoredag.replacing import replacing

Row = dict[str, Any]
FILE_NAME, TABLE_NAME = "runs.jsonl", "runs.parquet"
DROPPED = "dropped"
_KEPT = "The rows that it has are kept: make room, and start the same benchmark again."


class JournalBusy(DataError):
    """Another process writes to the same journal."""


class JournalUnwritable(DataError):
    """A row could not be written: the disk is full, or the folder is gone."""


class Journal:
    """Rows in a folder, by key; the last row of a key counts.

    The folder is made if it is not there. Only one process at a time can hold it. A folder with
    ``runs.parquet`` alone, such as that of a clone, begins with its rows.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Journal(folder) as journal:
    ...         journal.append({"key": "a", "status": "done"})
    ...     with Journal(folder) as journal:
    ...         journal.rows
    {'a': {'key': 'a', 'status': 'done'}}
    """

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / FILE_NAME
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: what cannot be written must not wait in a buffer to be written by halves.
        self._file: IO[bytes] = self.path.open("a+b", buffering=0)
        try:
            _lock(self._file, self.path)
            self.rows = self._read()
            if not os.fstat(self._file.fileno()).st_size:
                self._begin_with_table()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, row: Row) -> None:
        """Add a row; it is on disk when this returns, or `JournalUnwritable` is raised."""
        line = json.dumps({key: _plain(value) for key, value in row.items()})
        self._write([line])
        self.rows[row["key"]] = json.loads(line)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget rows, on disk too: their runs are made again, now or in a later session."""
        dropped = [key for key in keys if self.rows.pop(key, None)]
        self._write([json.dumps({"key": key, "status": DROPPED}) for key in dropped])

    def _begin_with_table(self) -> None:
        """Take over the rows that ran from the table of an earlier benchmark."""
        for row in _rows_of_table(self.path.parent).values():
            if row["status"] != "skipped":
                self.rows[row["key"]] = {
                    key: value for key, value in row.items() if value is not None
                }
        self._write([json.dumps(row) for row in self.rows.values()])

    def _write(self, lines: list[str]) -> None:
        """Write lines, all or none of them."""
        file = self._file.fileno()
        size = os.fstat(file).st_size
        try:
            left = memoryview("".join(f"{line}\n" for line in lines).encode())
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except OSError as error:
            with suppress(OSError):  # if not now, then at the next start
                os.ftruncate(file, size)
            raise JournalUnwritable(
                f"{self.path} cannot be written: {error.strerror or error}. {_KEPT}"
            ) from error
        # Where the file has been moved or removed, what is written goes nowhere.
        with suppress(OSError):
            if os.path.samestat(self.path.stat(), os.fstat(file)):
                return
        raise JournalUnwritable(
            f"{self.path} is no longer there: it was moved or removed while the benchmark ran. Put "
            "it back, or start again in another folder."
        )

    def _read(self) -> dict[str, Row]:
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            self._file.truncate(whole)
        rows = {}
        for number, line in enumerate(content[:whole].splitlines(), start=1):
            row = _parsed(line)
            if row is None:
                raise DataError(
                    f"{self.path}, line {number}: not a row of a benchmark. Remove the line (its "
                    "run is then made again), or choose another output folder."
                )
            rows[row["key"]] = row
        return {key: row for key, row in rows.items() if row["status"] != DROPPED}


def _parsed(line: bytes) -> Row | None:
    """Read a row: text, numbers and nothing nested, with a key and a status; None if it is none."""
    with suppress(ValueError, RecursionError):
        row = json.loads(line)
        flat = isinstance(row, dict) and not any(isinstance(row[k], list | dict) for k in row)
        if flat and all(isinstance(row.get(key), str) for key in ("key", "status")):
            return row
    return None


def _plain(value: Any) -> Any:
    """Numbers and text as JSON has them: NaN and infinity become null."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _lock(file: IO[bytes], path: Path) -> None:
    """Hold the file until it is closed or the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # where no benchmark can run either: see `isolation.check_isolation`
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalBusy(
            f"{path} is in use: another benchmark runs in this folder. Wait for it, or choose "
            "another output folder."
        ) from None


def check_export() -> None:
    """Raise ImportError if rows could not be written or shown, before they are made."""
    missing = [name for name in ("pyarrow", "pandas") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"the benchmark writes its rows and tables with {' and '.join(missing)}, not installed "
            "here: pip install 'scoredag[bench]'"
        )


def write_rows(rows: list[Row], folder: str | Path) -> list[Path]:
    """Write ``runs.csv`` and ``runs.parquet``, one row a run, whole or not at all.

    Rows need not have the same keys: what a row lacks is empty. Needs pyarrow.
    """
    import pyarrow as pa
    from pyarrow import parquet

    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = pa.table({name: _column([row.get(name) for row in rows]) for name in columns})
    files = [Path(folder, "runs.csv"), Path(folder, TABLE_NAME)]
    with replacing(files[0]) as partial, partial.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with replacing(files[1]) as partial:
        parquet.write_table(table, partial)
    return files


def read_rows(folder: str | Path) -> dict[str, Row]:
    """Read the rows of a folder, by key: of the journal, or of ``runs.parquet`` where it is gone.

    Raises `DataError` if there is neither.
    """
    if Path(folder, FILE_NAME).is_file():
        with Journal(folder) as journal:
            return journal.rows
    if not Path(folder, TABLE_NAME).is_file():
        raise DataError(
            f"{folder} has no {FILE_NAME} and no {TABLE_NAME}, so that there are no rows to show: "
            "run the benchmark first, or name the folder that it ran in."
        )
    return _rows_of_table(Path(folder))


def _rows_of_table(folder: Path) -> dict[str, Row]:
    """The rows of ``runs.parquet``, by key; none where there is no such file."""
    if not (folder / TABLE_NAME).is_file():
        return {}
    from pyarrow import parquet

    return {row["key"]: row for row in parquet.read_table(folder / TABLE_NAME).to_pylist()}


def _column(values: list[Any]) -> list[Any]:
    """Values of one type: integers beside fractions are fractions, anything else mixed is text."""
    types = {type(value) for value in values if value is not None}
    if len(types) <= 1:
        return values
    kind = float if types <= {int, float} else str
    return [None if value is None else kind(value) for value in values]
