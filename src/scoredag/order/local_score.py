"""The interface between search and model: the local loss of a node given its parents.

The joint log-likelihood of a DAG is a sum over nodes of a term for the node given its parents, so
the loss of an order is the sum of the best local losses that the order allows. A search over orders
needs nothing else. Another model of a node given its parents (another noise, another regression, a
prior on parents) is another `LocalScore`: one new file in ``order/local_scores``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scoredag.jobs import run_here
from scoredag.threads import one_blas_thread

Floats = NDArray[np.float64]
Report = Callable[[int, int], None]


class LocalFit(Protocol):
    """A model of one node given some parents.

    Attributes
    ----------
    parents : frozenset of int
        The columns that the fit uses.
    loss : float
        Penalised negative log-likelihood in nats, relative to that of a normal column without
        parents. The loss of an order is the sum over its nodes.
    """

    @property
    def parents(self) -> frozenset[int]:
        """The columns that the fit uses."""
        ...

    @property
    def loss(self) -> float:
        """Loss of the node in nats."""
        ...


Fit = TypeVar("Fit", bound=LocalFit)


class LocalScore(Protocol):
    """Local losses for a search over orders. `explore` must be thread-safe for different nodes."""

    def best(self, node: int, available: Iterable[int]) -> LocalFit:
        """Of all fits known so far, the best that uses only these columns; never fits anything."""
        ...

    def explore(self, node: int, candidates: Iterable[int]) -> None:
        """Look for a better fit of a node among these candidates, and remember the fit."""
        ...


@runtime_checkable
class Sharpens(Protocol):
    """A local score that offers a higher precision, for the last round of the search."""

    def sharpened(self) -> LocalScore | None:
        """A score with the same fits that fits more precisely, or None if there is none."""
        ...


@runtime_checkable
class HasResiduals(Protocol):
    """A local score whose fits have residuals, which estimate the noise."""

    @property
    def table(self) -> Floats:
        """The rows on which fits are compared, standardised, shape (n, d)."""
        ...

    def residuals(self, node: int, fit: Any, rows: int | None = None) -> Floats:
        """Residuals of a node under a fit, in the first ``rows`` rows."""
        ...


@runtime_checkable
class HasNoise(Protocol):
    """A local score whose loss includes scale and density of the noise."""

    def noise(self, node: int, fit: Any) -> Any:
        """Scale and density of the noise of a node under a fit."""
        ...


class FitCache(Generic[Fit]):
    """All fits found so far, by node.

    A fit is valid for every set of columns that contains its parents. Hence moving a node past
    unrelated nodes needs no new fit, and losses only fall as more candidates are explored.

    Parameters
    ----------
    null_fits : sequence of LocalFit
        For each node the fit without parents.

    Examples
    --------
    >>> from scoredag.regression.gp_fit import GPFit
    >>> cache = FitCache([GPFit.null(2), GPFit.null(2)])
    >>> cache.add(1, frozenset({0}), GPFit(frozenset({0}), -5.0, 0.0, np.ones(2)))
    >>> cache.best(1, {0}).loss, cache.best(1, {}).loss
    (-5.0, 0.0)
    """

    def __init__(self, null_fits: Sequence[Fit]) -> None:
        self._fits = [[fit] for fit in null_fits]
        # For each node: the candidates of an earlier search, and the parents that it found.
        self._covered: list[list[tuple[frozenset[int], frozenset[int]]]] = [[] for _ in null_fits]

    def best(self, node: int, available: Iterable[int]) -> Fit:
        """The fit of least loss whose parents are all available."""
        columns = frozenset(available)
        usable = (fit for fit in self._fits[node] if fit.parents <= columns)
        return min(usable, key=lambda fit: fit.loss)

    def is_unexplored(self, node: int) -> bool:
        """Whether only the fit without parents is known."""
        return len(self._fits[node]) == 1

    def covers(self, node: int, candidates: frozenset[int]) -> bool:
        """Whether a search in a superset of the candidates found parents among the candidates."""
        return any(found <= candidates <= tried for tried, found in self._covered[node])

    def add(self, node: int, candidates: frozenset[int], fit: Fit) -> None:
        """Remember what a search among these candidates found."""
        self._covered[node].append((candidates, fit.parents))
        self._fits[node].append(fit)

    def copy_fits(self) -> FitCache[Fit]:
        """A cache of the same fits in which no set of candidates counts as explored."""
        copy = FitCache([fits[0] for fits in self._fits])
        copy._fits = [list(fits) for fits in self._fits]
        return copy


def order_loss(score: LocalScore, order: Sequence[int]) -> float:
    """Sum over the columns of the loss of each given those before it in an order."""
    return sum(score.best(v, order[:place]).loss for place, v in enumerate(order))


def explore_all(
    score: LocalScore,
    candidates: Mapping[int, Iterable[int]],
    *,
    n_jobs: int | None = None,
    report: Report | None = None,
) -> None:
    """Explore several nodes, each among its own candidates, in threads.

    Threads suffice, because the work is in BLAS and NumPy; no two threads explore the same node.
    The score remembers what it fits: the work stays in this process, whatever joblib is told.
    """
    # Those with the most candidates take longest: last, they would leave threads without work.
    longest = sorted(candidates.items(), key=lambda item: -len(frozenset(item[1])))
    tasks = (partial(score.explore, node, columns) for node, columns in longest)
    with one_blas_thread():
        run_here(tasks, n_jobs, None if report is None else lambda k: report(k, len(longest)))
