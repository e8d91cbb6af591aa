"""Number of wrong edges."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, right_and_wrong


def wrong_edges(true: NDArray, outcome: Outcome) -> int:
    """Edges found that the true graph lacks or reverses."""
    _, wrong = right_and_wrong(true, outcome)
    return int(wrong.sum())


PIECE = wrong_edges
