"""Moves of the search: pure functions from a state to a new state and its gain in nats.

How an edge is reversed: `make_adjacent` makes its ends adjacent in the order, which does not raise
the loss; `weigh_reversal` refits both ends in both directions and returns the gain; `reverse` swaps
the ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from scoredag.order.local_score import LocalScore
from scoredag.order.search import (
    Edge,
    Floats,
    Order,
    OrderProblem,
    SearchState,
    ancestors,
    edges,
    initial_state,
    is_reversible,
    is_worth_weighing,
    predecessors,
    reread,
    worth_weighing,
)


class Weighed(NamedTuple):
    """A state, and the gain in nats of a move from this state."""

    state: SearchState
    gain: float


class _Pair(NamedTuple):
    """The ends of an edge a -> b, the columns before both, and those that are parents of either."""

    a: int
    b: int
    before: frozenset[int]
    shared: frozenset[int]


class Relocation(NamedTuple):
    """The columns before and after a relocated column, and the gain in nats."""

    before: Order
    after: Order
    gain: float


def make_adjacent(state: SearchState, problem: OrderProblem, a: int, b: int) -> SearchState:
    """Move the columns between a and b: before a if they are ancestors of b, else after b.

    No fit loses a parent. Columns that are unrelated to a and b move behind both: a function of
    many columns leaves no trace until all of them precede the node.
    """
    i, j = state.order.index(a), state.order.index(b)
    between, leading = state.order[i + 1 : j], ancestors(state, problem, b)
    before = [v for v in between if v in leading]
    after = [v for v in between if v not in leading]
    order = (*state.order[:i], *before, a, b, *after, *state.order[j + 1 :])
    return reread(replace(state, order=order), problem, [*between, a, b])


def reverse(state: SearchState, problem: OrderProblem, a: int, b: int) -> SearchState:
    """Swap two adjacent columns, which reverses a -> b."""
    i = state.order.index(a)
    order = (*state.order[:i], b, a, *state.order[i + 2 :])
    return reread(replace(state, order=order), problem, [a, b])


def weigh_reversal(state: SearchState, problem: OrderProblem, a: int, b: int) -> Weighed:
    """Gain in nats of reversing a -> b, and the state in which a and b are adjacent.

    Only a and b are refitted, with the parents of both as candidates: in the reverse direction, and
    in the present one as well if the reverse direction is likelier then.
    """
    explore_reversals(state, problem, [(a, b)])
    return reversal_by_known_fits(state, problem, a, b)


def explore_reversals(
    state: SearchState, problem: OrderProblem, reversed_edges: Sequence[Edge]
) -> None:
    """Make the fits that `weigh_reversal` compares, for several edges of a state side by side."""
    pairs = list[_Pair]()
    for a, b in reversed_edges:
        adjacent = make_adjacent(state, problem, a, b)
        before = frozenset(adjacent.order[: adjacent.order.index(a)])
        pairs.append(_Pair(a, b, before, (adjacent.parents[a] | adjacent.parents[b]) & before))
    tasks = [[(b, shared), (a, shared | {b})] for a, b, _, shared in pairs]
    problem.explore_each(list(chain(*tasks)))
    likelier = [
        [(a, shared), (b, shared | {a})]
        for a, b, before, shared in pairs
        if _pair_loss(problem, before, b, a) < _pair_loss(problem, before, a, b)
    ]
    problem.explore_each(list(chain(*likelier)))


def reversal_by_known_fits(state: SearchState, problem: OrderProblem, a: int, b: int) -> Weighed:
    """Gain in nats of reversing a -> b by known fits, and the state in which both are adjacent."""
    state = make_adjacent(state, problem, a, b)
    before = frozenset(state.order[: state.order.index(a)])
    gain = _pair_loss(problem, before, a, b) - _pair_loss(problem, before, b, a)
    cost = state.reversal_cost.copy()
    cost[a, b], cost[b, a] = -gain, gain
    return Weighed(reread(replace(state, reversal_cost=cost), problem, [a, b]), gain)


def excluded_reversal(order: Sequence[int], score: LocalScore, a: int, b: int) -> float:
    """Gain in nats of reversing the edge a -> b of an order as if no rule directed the edge.

    NaN where a -> b is no edge, or is beside another path.
    """
    d = len(order)
    problem = OrderProblem(score, ~np.eye(d, dtype=bool), np.zeros((d, d), dtype=bool))
    state = initial_state(problem, order)
    if not is_reversible(state, problem, a, b):
        return np.nan
    return weigh_reversal(state, problem, a, b).gain


def relocation(state: SearchState, problem: OrderProblem, v: int) -> Relocation:
    """Move a node as late as its strong children allow, and its weak children before it."""
    order, place = state.order, {u: i for i, u in enumerate(state.order)}
    reached, cost = set[int](), 0.0
    for u in order[place[v] + 1 :]:
        held = v in problem.must_precede[u]
        if held or not reached.isdisjoint(predecessors(state, problem, u)):
            reached.add(u)
        elif v in state.parents[u]:
            others = [w for w in order[: place[u]] if w != v and w not in reached]
            loss = problem.best(u, others).loss - problem.fit_in(order, u).loss
            if loss > problem.settings.weak_edge:
                reached.add(u)
            else:
                cost += loss
    before = tuple(u for u in order if u != v and u not in reached)
    after = tuple(u for u in order if u in reached)
    gain = problem.fit_in(order, v).loss - problem.best(v, before).loss - cost
    return Relocation(before, after, gain)


def isolated_last(state: SearchState, problem: OrderProblem) -> SearchState:
    """Move isolated columns as late as rules allow: they may depend on too many to show it."""
    related = {v for edge in edges(state) for v in edge}
    left, order = list(state.order), list[int]()
    while left:  # Kahn's algorithm: of the columns that may come next, a related one
        placed = set(order)
        ready = (v for v in left if predecessors(state, problem, v) <= placed)
        following = min(ready, key=lambda v: v not in related)  # the first of equals
        left.remove(following)
        order.append(following)
    return replace(state, order=tuple(order))


def reversal_evidence(state: SearchState, problem: OrderProblem, n_rows: int | None) -> Floats:
    """Cost in nats of reversing each reversible edge, [i, j] for i -> j; NaN elsewhere.

    The negentropy is reduced by its error where it supports the edge, and counted in full where it
    opposes the edge.
    """
    free = np.zeros(state.settled.shape, dtype=bool)
    for a, b in edges(state):
        free[a, b] = problem.allowed[b, a] and is_reversible(state, problem, a, b)
    gain = state.negentropy_gain
    error = 0.0 if n_rows is None else problem.settings.negentropy_error(n_rows)
    counted = np.where(gain < 0, gain, np.maximum(gain - error, 0.0))
    return np.where(free, state.reversal_cost + counted, np.nan)


def _pair_loss(problem: OrderProblem, before: frozenset[int], first: int, second: int) -> float:
    return problem.best(first, before).loss + problem.best(second, before | {first}).loss


def weighed_beside(
    state: SearchState, problem: OrderProblem, a: int, b: int
) -> Iterator[tuple[SearchState, float, int, int]]:
    """Weigh the reversals of the other edges at either end of b -> a, one by one."""
    beside = [edge for edge in edges(state) if {*edge} & {a, b} and edge != (b, a)]
    explore_reversals(state, problem, worth_weighing(state, problem, beside))
    for x, y in beside:
        if is_worth_weighing(state, problem, (x, y)):
            state, gain = reversal_by_known_fits(state, problem, x, y)
            yield state, gain, x, y
