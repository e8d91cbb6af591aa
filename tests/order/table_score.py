"""Local scores without data: a table of losses, and a score that answers at random."""

from dataclasses import fields
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from scoredag.order.search import OrderProblem


class TableFit(NamedTuple):
    """Parents of a node, and its loss in nats."""

    parents: frozenset
    loss: float


NULL = TableFit(frozenset(), 0.0)


class TableScore:
    """Losses of nodes given their parents, read from a table as far as they were explored.

    Parameters
    ----------
    losses : dict
        Losses in nats by (node, frozenset of parents). A set that is not there is not better than
        any of its subsets.
    """

    def __init__(self, losses):
        self.all_fits = {node: [] for node, _ in losses}
        for (node, parents), loss in losses.items():
            self.all_fits[node].append(TableFit(parents, loss))
        self.known = {node: [] for node in self.all_fits}  # the fits that were found

    def best(self, node, available):
        """The best fit that `explore` has found so far."""
        return _least(self.known.get(node, ()), available)

    def explore(self, node, candidates):
        """Make the best subset of the candidates known."""
        found = _least(self.all_fits.get(node, ()), candidates)
        if found is not NULL and found not in self.known[node]:
            self.known[node].append(found)


class CompleteTableScore(TableScore):
    """A table of which all is known from the beginning."""

    def best(self, node, available):
        """The best fit of the table."""
        return _least(self.all_fits.get(node, ()), available)

    def explore(self, node, candidates):
        """There is nothing to find."""


class SharpeningTableScore(TableScore):
    """A table whose losses are more precise in a last round."""

    def __init__(self, losses, sharp_losses):
        super().__init__(losses)
        self.sharp_losses = sharp_losses

    def sharpened(self):
        """The other table, and all fits that are known of this one."""
        sharp = TableScore(self.sharp_losses)
        sharp.known |= known_fits(self)
        return sharp


class ErraticScore:
    """Finds something else every time that it explores, as no good score would."""

    def __init__(self, rng, scale, can_sharpen=False):
        self._rng, self._scale, self._can_sharpen = rng, scale, can_sharpen
        self._known = {}

    def best(self, node, available):
        """The best fit found so far."""
        return _least(self._known.get(node, ()), available)

    def explore(self, node, candidates):
        """Draw parents and a loss."""
        columns = sorted(candidates)
        parents = frozenset(k for k in columns if self._rng.random() < 0.5)
        loss = -float(self._rng.exponential(self._scale)) * len(parents)
        self._known.setdefault(node, []).append(TableFit(parents, loss))

    def sharpened(self):
        """Once, a score with the same fits."""
        if not self._can_sharpen:
            return None
        sharp = ErraticScore(self._rng, self._scale)
        sharp._known = {node: list(fits) for node, fits in self._known.items()}
        return sharp


class _WithResiduals:
    """Fits that leave residuals: those of a linear regression on the parents."""

    table: np.ndarray

    def residuals(self, node, fit, rows=None):
        """What lines leave of a column."""
        X, parents = self.table[:rows], sorted(fit.parents)
        slopes = np.linalg.lstsq(X[:, parents], X[:, node], rcond=None)[0]
        return X[:, node] - X[:, parents] @ slopes


class ErraticScoreWithResiduals(_WithResiduals, ErraticScore):
    """An erratic score that has residuals."""

    def __init__(self, rng, scale, table):
        super().__init__(rng, scale)
        self.table = table


class LinearScore(_WithResiduals, TableScore):
    """Linear regressions of the columns of a table, by Schwarz's criterion."""

    def __init__(self, X):
        self.table, (n, d) = X, X.shape
        super().__init__(
            {
                (v, frozenset(parents)): 0.5 * n * np.log(self._rest(v, parents))
                + 0.5 * len(parents) * np.log(n)
                for v in range(d)
                for size in range(1, d)
                for parents in combinations([k for k in range(d) if k != v], size)
            }
        )

    def _rest(self, node, parents):
        fit = TableFit(frozenset(parents), 0.0)
        return np.mean(self.residuals(node, fit) ** 2) / np.mean(self.table[:, node] ** 2)


def _least(fits, available):
    columns = frozenset(available)
    return min((NULL, *(fit for fit in fits if fit.parents <= columns)), key=lambda fit: fit.loss)


def table(losses):
    """A table of losses from a dict with (node, parents...) as keys."""
    return {(node, frozenset(parents)): float(loss) for (node, *parents), loss in losses.items()}


def problem_of(score, d, allowed=None, precedes=None, **options):
    """A search among d columns; by default all edges and orders are allowed."""
    return OrderProblem(
        score,
        ~np.eye(d, dtype=bool) if allowed is None else allowed,
        np.zeros((d, d), dtype=bool) if precedes is None else precedes,
        **options,
    )


def contents(state):
    """All of a state, arrays byte by byte, to be compared."""
    parts = (getattr(state, part.name) for part in fields(state))
    return tuple(part.tobytes() if isinstance(part, np.ndarray) else part for part in parts)


def known_fits(score):
    """A copy of all that a table has told."""
    return {node: list(fits) for node, fits in score.known.items()}


def random_losses(d, rng, *, monotone, scale=30.0):
    """Draw a table of losses.

    In a monotone one each set of parents is better than all of its subsets, by exponential numbers
    of nats. In another one half of the sets, drawn at random, have losses that are independent of
    each other, so that sets can be worse than their subsets, and columns matter only together.
    """
    losses = {}
    for node in range(d):
        others = [k for k in range(d) if k != node]
        for size in range(1, d):
            for parents in combinations(others, size):
                if monotone:
                    subsets = (losses.get((node, frozenset(parents) - {k}), 0.0) for k in parents)
                    losses[node, frozenset(parents)] = min(subsets) - rng.exponential(scale)
                elif rng.random() < 0.5:
                    losses[node, frozenset(parents)] = -rng.exponential(scale) * np.sqrt(size)
    return losses


def random_table(seed):
    """One of the tables of which exact answers are known: 3, 4 or 5 columns, monotone or not."""
    d = 3 + seed % 3
    losses = random_losses(d, np.random.default_rng(seed), monotone=seed % 2 == 0)
    return d, losses


def best_loss(losses, d, constraints=None):
    """The least loss of all orders, by enumeration; with constraints, of all legal orders."""
    score = CompleteTableScore(losses)
    allowed = None if constraints is None else constraints.allowed
    problem, known = problem_of(score, d, allowed), {}

    def loss(node, before):
        if (node, before) not in known:
            known[node, before] = problem.best(node, before).loss
        return known[node, before]

    return min(
        sum(loss(v, frozenset(order[:place])) for place, v in enumerate(order))
        for order in permutations(range(d))
        if constraints is None or constraints.is_legal(order)
    )
