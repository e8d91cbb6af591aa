"""Recall of the directed edges."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, compare_marks
from scoredag.metrics import edge_report


def recall(true: NDArray, outcome: Outcome) -> float:
    """Share of the true edges that are found, direction included."""
    if outcome.kind == "dag":
        return edge_report(true, outcome.matrix).recall
    return compare_marks(true, outcome.matrix).recall


PIECE = recall
