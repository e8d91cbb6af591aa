"""Number of right edges that the method doubts."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, right_and_wrong


def right_doubted(true: NDArray, outcome: Outcome) -> int | None:
    """Right edges that the method itself calls doubtful; None if it never does."""
    if outcome.doubtful is None:
        return None
    right, _ = right_and_wrong(true, outcome)
    return int((right & outcome.doubtful).sum())


PIECE = right_doubted
