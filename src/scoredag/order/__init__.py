"""Causal orders: the SCORE paper's Algorithm 1, CAM's search, sorting, and refinement of any.

An order lists sources first. A new leaf criterion is one new file in ``order/criteria``, a new
local score one in ``order/local_scores``, a new refiner one in ``order/refiners``.
"""

from scoredag.order.descent import RefinedOrder
from scoredag.order.greedy import GreedyResult, greedy_additive
from scoredag.order.lingam import lingam_order
from scoredag.order.neighbours import boosted_neighbours
from scoredag.order.peel import peel
from scoredag.order.precision import sort_by_precision
from scoredag.order.refine import refine_order
from scoredag.order.sorting import sort_by_r2, sort_by_variance

__all__ = [
    "GreedyResult",
    "RefinedOrder",
    "boosted_neighbours",
    "greedy_additive",
    "lingam_order",
    "peel",
    "refine_order",
    "sort_by_precision",
    "sort_by_r2",
    "sort_by_variance",
]
