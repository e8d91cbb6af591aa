"""Number of right edges."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, right_and_wrong


def right_edges(true: NDArray, outcome: Outcome) -> int:
    """Edges found that the true graph has, direction included."""
    right, _ = right_and_wrong(true, outcome)
    return int(right.sum())


PIECE = right_edges
