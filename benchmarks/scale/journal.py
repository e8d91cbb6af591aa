"""Rows of measurements, written as they come and not measured again on the same sources."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoredag import __version__
from scoredag.bench.provenance import fingerprint

RESULTS = Path(__file__).parents[1] / "results" / "scale"
Row = dict[str, Any]


class Journal:
    """The rows of one part of the benchmark, in ``benchmarks/results/scale/NAME.jsonl``.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self._path = RESULTS / f"{name}.jsonl"
        self._sources = fingerprint()

    def rows(self) -> list[Row]:
        """All rows, also those that other sources have made."""
        if not self._path.exists():
            return []
        return [json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines()]

    def row(self, key: Row, measure: Callable[[], Row]) -> Row:
        """The row of these sources with this key, measured now if there is none yet."""
        for row in self.rows():
            if row.get("sources") == self._sources and key.items() <= row.items():
                return row
        known = {
            "version": __version__,
            "sources": self._sources,
            "date": time.strftime("%Y-%m-%d"),
        }
        row = {**key, **measure(), **known}
        # Rows of older sources with the same key have had their time.
        kept = [old for old in self.rows() if not key.items() <= old.items()]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(each) + "\n" for each in (*kept, row))
        self._path.write_text(lines, encoding="utf-8")
        return row
