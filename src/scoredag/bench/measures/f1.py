"""F1 score of the directed edges."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, right_and_wrong


def f1(true: NDArray, outcome: Outcome) -> float:
    """Harmonic mean of precision and recall, direction included; 1 where there are no edges."""
    right, wrong = (int(edges.sum()) for edges in right_and_wrong(true, outcome))
    edges = int((true != 0).sum()) + right + wrong
    return 2 * right / edges if edges else 1.0


PIECE = f1
