"""Causal orders: Algorithm 1 of the SCORE paper, and the sorting baselines.

An order lists sources first. A new leaf criterion is one new file in ``order/criteria``.
"""

from scoredag.order.peel import peel
from scoredag.order.sorting import sort_by_r2, sort_by_variance

__all__ = ["peel", "sort_by_r2", "sort_by_variance"]
