"""Number of wrong edges that the method doubts."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome, right_and_wrong


def wrong_doubted(true: NDArray, outcome: Outcome) -> int | None:
    """Wrong edges that the method itself calls doubtful; None if it never does."""
    if outcome.doubtful is None:
        return None
    _, wrong = right_and_wrong(true, outcome)
    return int((wrong & outcome.doubtful).sum())


PIECE = wrong_doubted
