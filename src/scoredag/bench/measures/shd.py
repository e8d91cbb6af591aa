"""Structural Hamming distance."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag import metrics
from scoredag.bench.scoring import Outcome, compare_marks


def shd(true: NDArray, outcome: Outcome) -> float:
    """Pairs of nodes that differ; an undecided edge is a mistake."""
    if outcome.kind == "dag":
        return metrics.shd(true, outcome.matrix)
    return compare_marks(true, outcome.matrix).shd


PIECE = shd
