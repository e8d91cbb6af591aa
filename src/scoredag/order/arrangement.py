"""An order and what it says: which columns explain which, and what moves in it would gain.

The state of the search in `scoredag.order.refine`. Everything here is read from, or added to, the
`scoredag.regression.explanations.Explanations` that all orders of a search share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.explanations import Explanations
from scoredag.regression.independence import MOST_ROWS
from scoredag.regression.relevance import Explanation

Floats = NDArray[np.float64]
Allowed = NDArray[np.bool_]
Report = Callable[[int, int], None]

_WEAK = 20.0  # nats that a column may lose with a cause that is put behind it
# The shape of noise is looked at in so many rows first, and in all if fewer nats are left.
_FEW_ROWS, _BEYOND_DOUBT = 400, 60.0
# Nats within which the shape of noise is known, from up to about 1,000 rows
SHAPE_ERROR = 10.0
_PLAINLY_DEPENDENT = 1e-4  # p-value below which noise is not independent of a cause


class _Move(NamedTuple):
    """What is before and after a column that is put off, and nats gained by it."""

    before: list[int]
    after: list[int]
    gain: float


class Arrangement:
    """An order, and for each column the causes it needs among those before it."""

    def __init__(
        self,
        known: Explanations,
        order: list[int],
        allowed: Allowed,
    ) -> None:
        self.known = known
        self.order = list(order)
        self.allowed = allowed
        # [i, j]: not worth asking whether i -> j turns
        self.settled = np.zeros(allowed.shape, dtype=bool)
        self.needs = np.zeros(allowed.shape, dtype=bool)  # [i, j]: i explains j
        # [i, j]: nats that turning i -> j would cost, when last tried
        self.costs = np.full(allowed.shape, np.nan)
        # [i, j]: and what the shape of the noise adds to them
        self.shapes = np.zeros(allowed.shape)
        self.refresh(self.order)

    def refresh(self, columns: list[int]) -> None:
        """Read again what these columns need."""
        place = {v: i for i, v in enumerate(self.order)}
        for v in columns:
            self.needs[:, v] = False
            self.needs[list(self.known.best(v, self.order[: place[v]]).causes), v] = True

    @property
    def loss(self) -> float:
        """Of the order, as far as it is known."""
        return self.known.loss(self.order)

    @property
    def explanations(self) -> list[Explanation]:
        """For each column the best by those before it."""
        place = {v: i for i, v in enumerate(self.order)}
        return [self.known.best(v, self.order[: place[v]]) for v in range(len(self.order))]

    def causes(self, v: int) -> frozenset[int]:
        """What a column needs."""
        return frozenset(np.flatnonzero(self.needs[:, v]).tolist())

    def edges(self) -> Iterator[tuple[int, int]]:
        """The edges as they are now, short ones first."""
        place = np.argsort(self.order)
        causes, effects = np.nonzero(self.needs)
        for i in np.argsort(place[effects] - place[causes], kind="stable"):
            yield int(causes[i]), int(effects[i])

    def can_turn(self, a: int, b: int) -> bool:
        """Whether a -> b could be turned, and is worth asking about."""
        return not self.settled[a, b] and self.joins_only(a, b)

    def gain_over(self, order: list[int]) -> float:
        """Nats by which this order is better than another, as far as both are known."""
        return self.known.loss(order) - self.loss

    def joins_only(self, a: int, b: int) -> bool:
        """Whether a -> b is there and is the only path from a to b."""
        if not self.needs[a, b]:
            return False
        return not (self.reached_from(a) & self.needs[:, b]).any()

    def reached_from(self, a: int) -> NDArray[np.bool_]:
        """The columns that a path leads to from a."""
        reached = self.needs[a].copy()
        for v in self.order[self.order.index(a) + 1 :]:
            if reached[v]:
                reached |= self.needs[v]
        return reached

    def bring_together(self, a: int, b: int) -> None:
        """Move what is between them: before a if it leads to b, or else after b.

        What is related to neither goes behind both: a column that depends on many others seems to
        depend on none until all of them are before it.
        """
        i, j = self.order.index(a), self.order.index(b)
        between, leading = self.order[i + 1 : j], self.leading_to(b)
        before = [v for v in between if leading[v]]
        after = [v for v in between if not leading[v]]
        self.order[i : j + 1] = [*before, a, b, *after]
        self.refresh([*between, a, b])

    def leading_to(self, b: int) -> NDArray[np.bool_]:
        """The columns that a path leads from to b."""
        leading = self.needs[:, b].copy()
        for v in reversed(self.order[: self.order.index(b)]):
            if leading[v]:
                leading |= self.needs[:, v]
        return leading

    def look_back(self, n_jobs: int | None, report: Report | None = None) -> None:
        """Explain every column by those before it."""
        before = {v: self.order[:place] for place, v in enumerate(self.order)}
        self._explore_all(before, n_jobs, report)
        self.refresh(self.order)

    def look_around(self, margin: float, n_jobs: int | None, report: Report | None = None) -> bool:
        """Explain every column by all that it does not lead to; whether that made a difference.

        A column can be put behind all of these, with what it leads to behind it, and nothing
        else loses a cause but those to which it matters little.
        """
        loss = self.loss
        self._explore_all({v: self._put_off(v).before for v in self.order}, n_jobs, report)
        self.refresh(self.order)
        gains = {v: self._put_off(v).gain for v in self.order}
        for v in sorted(gains, key=lambda v: -gains[v]):
            move = self._put_off(v)
            if move.gain > margin:
                self.order = [*move.before, v, *move.after]
                self.refresh(self.order)
        return self.loss < loss - margin

    def _put_off(self, v: int) -> _Move:
        """Put a column as late as possible, and before it what it hardly matters to."""
        place = {u: i for i, u in enumerate(self.order)}
        reached, cost = np.zeros(len(self.order), dtype=bool), 0.0
        for u in self.order[place[v] + 1 :]:
            if (reached & self.needs[:, u]).any():
                reached[u] = True
            elif self.needs[v, u]:
                without = [w for w in self.order[: place[u]] if w != v and not reached[w]]
                loss = self.known.best(u, without).loss - self._loss_of(u)
                reached[u] = loss > _WEAK
                cost += 0.0 if reached[u] else loss
        before = [u for u in self.order if u != v and not reached[u]]
        after = [u for u in self.order if reached[u]]
        return _Move(before, after, self._loss_of(v) - self.known.best(v, before).loss - cost)

    def put_strangers_last(self) -> None:
        """Put what is related to nothing behind all others: it may depend on too many to show."""
        related = set(np.concatenate(np.nonzero(self.needs)).tolist())
        self.order.sort(key=lambda v: v not in related)

    def gain_of_turning(self, a: int, b: int) -> float:
        """Nats gained by b -> a instead of a -> b, which are brought together for it.

        Both columns may be explained by what either needs, in both directions.
        """
        self.bring_together(a, b)
        before = frozenset(self.order[: self.order.index(a)])
        shared = (self.causes(a) | self.causes(b)) & before
        self._explore(b, shared)
        self._explore(a, shared | {b})
        if self._loss(before, b, a) < self._loss(before, a, b):
            self._explore(a, shared)
            self._explore(b, shared | {a})
        gain = self._loss(before, a, b) - self._loss(before, b, a)
        self.costs[a, b], self.costs[b, a] = -gain, gain
        self.refresh([a, b])
        return gain

    def gain_by_noise(self, a: int, b: int) -> float:
        """Nats gained by turning a -> b, without taking the noise for normal.

        If x causes y, x and the noise of y are independent, and their entropies add up to that of
        both columns; the other way round they add up to more, whatever the shape of the noise.
        """
        self.bring_together(a, b)
        before = frozenset(self.order[: self.order.index(a)])
        if not self.settled[a, b]:
            self.gain_of_turning(a, b)
        for rows in (_FEW_ROWS, None):
            shape = self._shape(before, a, b, rows) - self._shape(before, b, a, rows)
            # Equal values have no shape.
            self.shapes[a, b] = shape if np.isfinite(shape) else 0.0
            if self.costs[a, b] + self.shapes[a, b] > _BEYOND_DOUBT:
                break
        self.shapes[b, a] = -self.shapes[a, b]
        return -float(self.costs[a, b] + self.shapes[a, b])

    def noise_fits_turned(self, a: int, b: int) -> bool:
        """Whether noise is independent of the cause with b -> a, and more so than with a -> b.

        If the noise depends on the cause both ways, entropies do not tell which is right.
        """
        before = frozenset(self.order[: self.order.index(a)])
        turned = self.known.best(a, before | {b})
        if b not in turned.causes:
            return False
        (p_turned,) = self.known.noise_independence(a, turned, [b])
        (p_now,) = self.known.noise_independence(b, self.known.best(b, before | {a}), [a])
        # Where other edges are still wrong, it may only be much less dependent.
        return p_turned > max(p_now, min(_PLAINLY_DEPENDENT, p_now ** (1 / 3)))

    def noise_independence(self) -> Floats:
        """p-values, [i, j], for the noise of j not to depend on its cause i; NaN for no cause."""
        p_values = np.full(self.needs.shape, np.nan)
        for v, best in enumerate(self.explanations):
            if causes := sorted(best.causes):
                p_values[causes, v] = self.known.noise_independence(v, best, causes, MOST_ROWS)
        return p_values

    def noise_shares(self) -> Floats:
        """What is noise of the variance of each column."""
        shares = [self.known.noise_share(v, e, MOST_ROWS) for v, e in enumerate(self.explanations)]
        return np.array(shares)

    def costs_of_turning(self) -> Floats:
        """Nats lost by turning each edge, [i, j] for i -> j; NaN where another path fixes it.

        The shape of the noise counts as far as it is known for an edge, and whole against it.
        """
        free = np.zeros(self.needs.shape, dtype=bool)
        for a, b in self.edges():
            free[a, b] = self.joins_only(a, b)
        shapes = np.where(self.shapes < 0, self.shapes, np.maximum(self.shapes - SHAPE_ERROR, 0.0))
        return np.where(free, self.costs + shapes, np.nan)

    def turn(self, a: int, b: int) -> None:
        """Swap two neighbours."""
        i = self.order.index(a)
        self.order[i : i + 2] = [b, a]
        self.refresh([a, b])

    def _loss_of(self, v: int) -> float:
        return self.known.best(v, self.order[: self.order.index(v)]).loss

    def _loss(self, before: frozenset[int], first: int, second: int) -> float:
        known = self.known
        return known.best(first, before).loss + known.best(second, before | {first}).loss

    def _shape(self, before: frozenset[int], first: int, second: int, rows: int | None) -> float:
        known, both = self.known, before | {first}
        shape = known.noise_shape(first, known.best(first, before), rows)
        return shape + known.noise_shape(second, known.best(second, both), rows)

    def _explore_all(
        self,
        candidates: dict[int, list[int]],
        n_jobs: int | None,
        report: Report | None,
    ) -> None:
        permitted = {v: [u for u in us if self.allowed[u, v]] for v, us in candidates.items()}
        self.known.explore_all(permitted, n_jobs=n_jobs, progress=report)

    def _explore(self, target: int, candidates: frozenset[int]) -> None:
        self.known.explore(target, (k for k in candidates if self.allowed[k, target]))
