"""Order divergence."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag.bench.scoring import Outcome
from scoredag.metrics import order_divergence


def d_top(true: NDArray, outcome: Outcome) -> float | None:
    """True edges that the order makes impossible; None for a method without an order."""
    return None if outcome.order is None else order_divergence(true, outcome.order)


PIECE = d_top
