"""Precision of the directed edges."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, compare_marks
from scoredag.metrics import edge_report


def precision(true: NDArray, outcome: Outcome) -> float:
    """Share of the edges found that are true, direction included."""
    if outcome.kind == "dag":
        return edge_report(true, outcome.matrix).precision
    return compare_marks(true, outcome.matrix).precision


PIECE = precision
