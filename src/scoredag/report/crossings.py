"""Orders within the layers of a drawing such that few edges cross.

Neighbouring layers k and k + 1 are joined by ``links[k]``, a 0/1 matrix of slots by slots. An order
of a layer lists its slots from one side to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scoredag.graph.matrix import IntArray

FloatArray = NDArray[np.float64]

_IDLE_SWEEPS = 3  # sweeps without a gain before a descent ends
_SHUFFLES = 8  # further starts: a descent ends in a local minimum


def fewest_crossings(links: list[FloatArray], sizes: list[int]) -> list[IntArray]:
    """Descend from several starts, and keep the orders with the fewest crossings."""
    best, fewest = _descend(links, _depth_first(links, sizes))
    for start in _further_starts(sizes):
        if fewest == 0:
            break
        orders, count = _descend(links, start)
        if count < fewest:
            best, fewest = orders, count
    return best


def _descend(links: list[FloatArray], orders: list[IntArray]) -> tuple[list[IntArray], int]:
    """Sweep down and up until that no longer helps."""
    best, fewest = orders, count_crossings(links, orders)
    idle = 0
    while fewest > 0 and idle < _IDLE_SWEEPS:
        orders = _switch_neighbours(links, _sweep_up(links, _sweep_down(links, orders)))
        count = count_crossings(links, orders)
        idle = 0 if count < fewest else idle + 1
        if count < fewest:
            best, fewest = orders, count
    return best, fewest


def _further_starts(sizes: list[int]) -> Iterator[list[IntArray]]:
    yield [np.arange(size) for size in sizes]
    rng = np.random.default_rng(0)  # fixed: the same graph is always drawn in the same way
    for _ in range(_SHUFFLES):
        yield [rng.permutation(size) for size in sizes]


def _depth_first(links: list[FloatArray], sizes: list[int]) -> list[IntArray]:
    """Order each layer as a walk along the links meets its slots, from the loosest ends first.

    Barycentres unfold a long zigzag only slowly; a walk along it has it in order at once.
    """
    bounds = np.cumsum([0, *sizes])
    joined = np.zeros((bounds[-1], bounds[-1]), dtype=bool)
    for k, link in enumerate(links):
        joined[bounds[k] : bounds[k + 1], bounds[k + 1] : bounds[k + 2]] = link > 0
    rank = np.argsort(_walk(joined | joined.T))
    return [np.argsort(rank[a:b], kind="stable") for a, b in pairwise(bounds)]


def _walk(joined: NDArray[np.bool_]) -> list[int]:
    seen = np.zeros(len(joined), dtype=bool)
    visited: list[int] = []
    for start in np.argsort(joined.sum(axis=1), kind="stable").tolist():
        stack = [start]
        while stack:
            slot = stack.pop()
            if not seen[slot]:
                seen[slot] = True
                visited.append(slot)
                stack.extend(np.flatnonzero(joined[slot] & ~seen)[::-1].tolist())
    return visited


def count_crossings(links: list[FloatArray], orders: list[IntArray]) -> int:
    """Count pairs of links that cross: the upper end before, the lower end after."""
    total = 0.0
    for link, upper, lower in zip(links, orders, orders[1:], strict=False):
        sorted_link = link[np.ix_(upper, lower)]
        # later[i, j] = links from rows after i to columns before j
        rows_after = sorted_link[::-1].cumsum(axis=0)[::-1] - sorted_link
        later = rows_after.cumsum(axis=1) - rows_after
        total += float(np.sum(sorted_link * later))
    return round(total)


def neighbour_mean(link: FloatArray, values: FloatArray, without: FloatArray) -> FloatArray:
    """Mean of each row's neighbours, or the given value where it has none."""
    degree = link.sum(axis=1)
    return np.where(degree > 0, link @ values / np.maximum(degree, 1), without)


def _sweep_down(links: list[FloatArray], orders: list[IntArray]) -> list[IntArray]:
    swept = [orders[0]]
    for link, order in zip(links, orders[1:], strict=True):
        swept.append(_by_barycentre(link.T, np.argsort(swept[-1]), order))
    return swept


def _sweep_up(links: list[FloatArray], orders: list[IntArray]) -> list[IntArray]:
    swept = [orders[-1]]
    for link, order in zip(links[::-1], orders[-2::-1], strict=True):
        swept.append(_by_barycentre(link, np.argsort(swept[-1]), order))
    return swept[::-1]


def _by_barycentre(link: FloatArray, rank: IntArray, order: IntArray) -> IntArray:
    """Sort a layer by the mean rank of each slot's neighbours; a slot without any stays put."""
    own_rank = np.argsort(order).astype(float)
    mean = neighbour_mean(link, rank.astype(float), own_rank)
    return order[np.argsort(mean[order], kind="stable")]


def _switch_neighbours(links: list[FloatArray], orders: list[IntArray]) -> list[IntArray]:
    """Swap neighbouring slots while that removes crossings, which barycentres alone leave."""
    switched = list(orders)
    for k, order in enumerate(orders):
        # cost[u, v]: how often links of u and v cross while u stands before v
        cost = np.zeros((len(order), len(order)))
        if k > 0:
            cost += _pair_crossings(links[k - 1].T[:, switched[k - 1]])
        if k < len(links):
            cost += _pair_crossings(links[k][:, switched[k + 1]])
        switched[k] = _bubbled(order, cost)
    return switched


def _pair_crossings(sorted_link: FloatArray) -> FloatArray:
    links_before = sorted_link.cumsum(axis=1) - sorted_link
    return sorted_link @ links_before.T


def _bubbled(order: IntArray, cost: FloatArray) -> IntArray:
    slots = order.tolist()
    moved = True
    while moved:
        moved = False
        for left in range(len(slots) - 1):
            u, v = slots[left], slots[left + 1]
            if cost[v, u] < cost[u, v]:
                slots[left], slots[left + 1] = v, u
                moved = True
    return np.array(slots, dtype=np.int64)
