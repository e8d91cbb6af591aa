"""A measured number beside its target, and how to time."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One line of a benchmark's output.

    ``bound`` is the target: an upper bound, or a lower one if ``at_least``; None is for context.
    """

    label: str
    value: float
    bound: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the value is on the right side of its bound."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        if self.bound is None:
            return f"{self.label:<66} {self.value:>10.4g}"
        sign, verdict = (">=" if self.at_least else "<="), ("ok" if self.met else "MISSED")
        return f"{self.label:<66} {self.value:>10.4g}   {sign} {self.bound:<8g} {verdict}"


def cpu_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """Return the least CPU time of several calls."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def mean_of(rows: list[dict[str, Any]], metric: str, runs: int, **cell: Any) -> float:
    """Mean of a metric over runs with these properties; NaN unless there are that many."""
    values = [
        row[metric] for row in rows if row.get(metric) is not None and cell.items() <= row.items()
    ]
    return sum(values) / runs if len(values) == runs else math.nan
