"""The search over orders as values: a problem, a state, and moves from state to state.

The loss of an order is the sum over its columns of the best local loss given the columns before
each. The best local fits of an order define a graph, and moves follow its edges. All functions are
pure, except that exploring adds fits to the cache of the local score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scoredag.jobs import run_here
from scoredag.order.local_score import LocalFit, LocalScore, Report, explore_all
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Order = tuple[int, ...]
Edge = tuple[int, int]
# An edge whose reversal began a sequence that gained nothing, and the parents of both its ends
FailedSequence = tuple[int, int, frozenset[int]]


@dataclass(frozen=True)
class OrderProblem:
    """The constant part of a search: local score, constraints and settings.

    Attributes
    ----------
    score : LocalScore
        Losses of nodes given their parents.
    allowed : ndarray of bool, shape (d, d)
        ``allowed[i, j]``: i -> j may be an edge.
    precedes : ndarray of bool, shape (d, d)
        ``precedes[i, j]``: i must come before j in the order; transitive.
    min_gain : float
        Nats that a move must gain.
    settings : SearchSettings
        Tuned numbers.
    n_jobs : int or None
        Threads for nodes that are explored side by side.
    """

    score: LocalScore
    allowed: Bools
    precedes: Bools
    min_gain: float = SEARCH.min_gain
    settings: SearchSettings = SEARCH
    n_jobs: int | None = None

    @cached_property
    def must_precede(self) -> tuple[frozenset[int], ...]:
        """For each column those that must precede it."""
        return tuple(frozenset(np.flatnonzero(c).tolist()) for c in self.precedes.T)

    @cached_property
    def _never_parents(self) -> tuple[frozenset[int], ...]:
        return tuple(frozenset(np.flatnonzero(~c).tolist()) for c in self.allowed.T)

    def best(self, node: int, columns: Iterable[int]) -> LocalFit:
        """The best known fit of a node by those of some columns that may be its parents."""
        return self.score.best(node, self._allowed(node, columns))

    def fit_in(self, order: Sequence[int], node: int) -> LocalFit:
        """The best known fit of a node by the columns before it in an order."""
        return self.best(node, order[: order.index(node)])

    def loss(self, order: Sequence[int]) -> float:
        """Sum over the columns of the loss of each given those before it."""
        return sum(self.best(v, order[:place]).loss for place, v in enumerate(order))

    def explore(self, node: int, columns: Iterable[int]) -> None:
        """Look for a better fit of a node by those of some columns that may be its parents."""
        self.score.explore(node, self._allowed(node, columns))

    def explore_all(
        self, candidates: Mapping[int, Iterable[int]], report: Report | None = None
    ) -> None:
        """Explore several nodes, each among its own candidates."""
        permitted = {v: self._allowed(v, columns) for v, columns in candidates.items()}
        explore_all(self.score, permitted, n_jobs=self.n_jobs, report=report)

    def explore_each(self, tasks: Sequence[tuple[int, frozenset[int]]]) -> None:
        """Explore nodes, each among its own candidates, in threads; a node can occur repeatedly.

        The tasks of a node are done in their order, so that no result depends on the threads.
        """
        of_node: dict[int, list[frozenset[int]]] = {}
        for node, columns in tasks:
            of_node.setdefault(node, []).append(columns)

        def explore(node: int) -> None:
            for columns in of_node[node]:
                self.explore(node, columns)

        # Last, nodes with much to explore would leave threads without work.
        busiest = sorted(of_node, key=lambda node: -sum(map(len, of_node[node])))
        run_here((partial(explore, node) for node in busiest), self.n_jobs)

    def _allowed(self, node: int, columns: Iterable[int]) -> frozenset[int]:
        return frozenset(columns) - self._never_parents[node]


@dataclass(frozen=True, eq=False)
class SearchState:
    """The variable part of a search, passed from move to move.

    Attributes
    ----------
    order : tuple of int
        The columns, sources first.
    parents : tuple of frozenset of int
        For each column the parents in its best fit when last read: the graph of the order.
    reversal_cost : ndarray of shape (d, d)
        Nats that reversing i -> j costs under the local score, at [i, j], when last weighed.
    negentropy_gain : ndarray of shape (d, d)
        Difference of negentropies of the residuals in nats, to be added to that cost; zero where
        the local score has the noise in its loss.
    settled : ndarray of bool, shape (d, d)
        Edges whose reversal is not weighed again.
    failed_sequences : frozenset
        Sequences of reversals that gained nothing.
    """

    order: Order
    parents: tuple[frozenset[int], ...]
    reversal_cost: Floats = field(repr=False)
    negentropy_gain: Floats = field(repr=False)
    settled: Bools = field(repr=False)
    failed_sequences: frozenset[FailedSequence] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        for array in (self.reversal_cost, self.negentropy_gain, self.settled):
            array.setflags(write=False)


# --- States


def initial_state(problem: OrderProblem, order: Sequence[int]) -> SearchState:
    """The state of an order before any reversal was weighed."""
    d = len(order)
    empty = SearchState(
        order=tuple(order),
        parents=(frozenset(),) * d,
        reversal_cost=np.full((d, d), np.nan),
        negentropy_gain=np.zeros((d, d)),
        settled=np.zeros((d, d), dtype=bool),
    )
    return reread(empty, problem)


def reread(
    state: SearchState, problem: OrderProblem, nodes: Iterable[int] | None = None
) -> SearchState:
    """Read the best fits again, of all nodes or of some."""
    place = {v: i for i, v in enumerate(state.order)}
    parents = list(state.parents)
    for v in state.order if nodes is None else nodes:
        parents[v] = problem.best(v, state.order[: place[v]]).parents
    return replace(state, parents=tuple(parents))


def reorder(state: SearchState, problem: OrderProblem, order: Sequence[int]) -> SearchState:
    """The same state at another order."""
    return reread(replace(state, order=tuple(order)), problem)


def explore_predecessors(
    state: SearchState, problem: OrderProblem, report: Report | None = None
) -> SearchState:
    """Explore every node among its predecessors in the order."""
    order = state.order
    problem.explore_all({v: order[:place] for place, v in enumerate(order)}, report)
    return reread(state, problem)


# --- The graph of a state. A column that must precede another one counts as its parent.


def edges(state: SearchState) -> list[tuple[int, int]]:
    """The edges of the best fits, (parent, child), those that span few columns first."""
    place = {v: i for i, v in enumerate(state.order)}
    found = [(k, v) for v, parents in enumerate(state.parents) for k in parents]
    return sorted(found, key=lambda edge: (place[edge[1]] - place[edge[0]], *edge))


def descendants(state: SearchState, problem: OrderProblem, a: int) -> frozenset[int]:
    """The columns to which a directed path leads from a."""
    reached = {a}
    for v in state.order[state.order.index(a) + 1 :]:
        if not reached.isdisjoint(predecessors(state, problem, v)):
            reached.add(v)
    return frozenset(reached - {a})


def ancestors(state: SearchState, problem: OrderProblem, b: int) -> frozenset[int]:
    """The columns from which a directed path leads to b."""
    leading = set(predecessors(state, problem, b))
    for v in reversed(state.order[: state.order.index(b)]):
        if v in leading:
            leading |= predecessors(state, problem, v)
    return frozenset(leading)


def is_reversible(state: SearchState, problem: OrderProblem, a: int, b: int) -> bool:
    """Whether a -> b is an edge and the only path from a to b, and no constraint fixes it."""
    if a not in state.parents[b] or a in problem.must_precede[b]:
        return False
    return descendants(state, problem, a).isdisjoint(predecessors(state, problem, b))


def is_worth_weighing(state: SearchState, problem: OrderProblem, edge: Edge) -> bool:
    """Whether an edge can be reversed and is not settled."""
    return not state.settled[edge] and is_reversible(state, problem, *edge)


def worth_weighing(
    state: SearchState, problem: OrderProblem, some: Iterable[Edge], most: int | None = None
) -> list[Edge]:
    """The edges among some that can be reversed and are not settled; the first few of them."""
    return list(islice((e for e in some if is_worth_weighing(state, problem, e)), most))


def predecessors(state: SearchState, problem: OrderProblem, v: int) -> frozenset[int]:
    """The parents of a column, and the columns that must precede it."""
    return state.parents[v] | problem.must_precede[v]
