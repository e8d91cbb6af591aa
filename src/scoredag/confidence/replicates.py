"""Results of replicates on disk: a line each as they come, for a run that can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from scoredag.exceptions import DataError


class Replicate(NamedTuple):
    """The graph that a fit to drawn rows has found, or why there is none.

    Attributes
    ----------
    number : int
        From 0.
    edges : tuple of (int, int)
        Positions of cause and effect.
    error : str
        Why the fit failed; empty if it did not.
    """

    number: int
    edges: tuple[tuple[int, int], ...]
    error: str = ""


class ReplicateFile:
    """A file of replicates of one analysis; a line that was cut off by a kill is forgotten.

    Parameters
    ----------
    path : str or Path
        The file; it is made if it is not there.
    analysis : dict
        What the replicates depend on; a file of another analysis is refused.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ReplicateFile(Path(folder, "a.jsonl"), {"seed": 0}) as file:
    ...         file.append(Replicate(0, ((0, 1),)))
    ...     with ReplicateFile(Path(folder, "a.jsonl"), {"seed": 0}) as file:
    ...         file.known
    [Replicate(number=0, edges=((0, 1),), error='')]
    """

    def __init__(self, path: str | Path, analysis: dict[str, Any]) -> None:
        self.path = Path(path)
        try:
            self._file: IO[bytes] = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise DataError(f"{path} cannot be opened: {error.strerror or error}") from error
        try:
            self.known = self._read(json.loads(json.dumps(analysis)))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ReplicateFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, replicate: Replicate) -> None:
        """Add a replicate; it is on disk when this returns."""
        self._write(replicate._asdict())

    def _read(self, analysis: dict[str, Any]) -> list[Replicate]:
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        self._file.truncate(whole)
        lines = content[:whole].splitlines()
        if not lines:
            self._write(analysis)
            return []
        first, *rest = (self._parsed(line, number) for number, line in enumerate(lines, start=1))
        if first != analysis:
            other = sorted(key for key in analysis if first.get(key) != analysis[key])
            raise DataError(
                f"{self.path} has the replicates of another analysis (different: "
                f"{', '.join(other)}). Choose another file, or remove this one."
            )
        return [
            Replicate(row["number"], _pairs(row["edges"]), row["error"])
            for row in rest
            if {"number", "edges", "error"} <= row.keys()
        ]

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                return row
        raise DataError(
            f"{self.path}, line {number}: not a replicate. Choose another file, or remove this one."
        )

    def _write(self, row: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(row).encode() + b"\n")
            os.fsync(self._file.fileno())
        except OSError as error:
            raise DataError(f"{self.path} cannot be written: {error.strerror or error}") from error


def _pairs(edges: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(i), int(j)) for i, j in edges)
