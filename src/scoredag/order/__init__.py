"""Causal orders: Algorithm 1 of the SCORE paper, CAM's greedy search, and sorting baselines.

An order lists sources first. A new leaf criterion is one new file in ``order/criteria``.
"""

from scoredag.order.greedy import GreedyResult, greedy_additive
from scoredag.order.neighbours import boosted_neighbours
from scoredag.order.peel import peel
from scoredag.order.precision import sort_by_precision
from scoredag.order.sorting import sort_by_r2, sort_by_variance

__all__ = [
    "GreedyResult",
    "boosted_neighbours",
    "greedy_additive",
    "peel",
    "sort_by_precision",
    "sort_by_r2",
    "sort_by_variance",
]
