"""CAM's greedy search: add the edge that explains most, forbid cycles, repeat.

Bühlmann, Peters and Ernest. CAM: causal additive models, high-dimensional order search and
penalized regression. Annals of Statistics 42:2526, 2014, section 3.

The gain of k -> j is the drop of the log residual variance of j when a smooth function of k
joins those of its parents. All regressions are parts of one Gram matrix; each is kept as a block
Cholesky factorisation that grows by one block when its node gets a parent, so that an edge costs
a few small products instead of d new fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import check_between, check_count
from scoredag.data.arrays import as_finite_matrix
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import refuse_constant
from scoredag.plugins import pick
from scoredag.regression.additive import AdditiveDesign

Floats = NDArray[np.float64]
Edges = NDArray[np.bool_]

_SMALLEST_REST = 1e-12
_JITTER = 1e-9


@dataclass(frozen=True)
class GreedyResult:
    """What the greedy search found.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    adjacency : ndarray of int, shape (d, d)
        The edges that were added; ``adjacency[i, j] == 1`` means i -> j. Every pair is joined,
        but for those that ``candidates`` left out.
    """

    order: NDArray[np.intp]
    adjacency: NDArray[np.int_]


def greedy_additive(
    X: ArrayLike,
    *,
    candidates: ArrayLike | None = None,
    edf: float = 5.0,
    size: int = 10,
    basis: str | Callable = "cubic",
    progress: Callable[[int, int], None] | None = None,
) -> GreedyResult:
    """Order the columns of a table by greedy additive regression.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    candidates : array-like of shape (d, d), optional
        Non-zero ``candidates[i, j]`` means that i -> j may be added, as from
        `scoredag.order.boosted_neighbours` or prior knowledge; by default every edge may.
    edf : float, default=5.0
        Effective degrees of freedom of a smooth term when it is alone. The order hardly depends
        on it between 4 and 7.
    size : int, default=10
        Coefficients of a smooth term before it is penalised.
    basis : {"cubic", "thin_plate"} or callable, default="cubic"
        Spline basis.
    progress : callable, optional
        Called with the number of edges added and the largest number possible.

    Returns
    -------
    GreedyResult

    Notes
    -----
    Assumes additive mechanisms, and noise that is Gaussian or close to it: the gain is a Gaussian
    log likelihood. A pair of columns whose causes act jointly is ordered by what is left of
    their effect in an additive model.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=500)
    >>> greedy_additive(np.column_stack([y, x])).order
    array([1, 0])
    """
    table = as_finite_matrix(X)
    d = table.shape[1]
    check_between(edf, "edf", 1, np.inf)  # 1 is a straight line
    check_count(size, "size", least=3)
    refuse_constant(table)
    design = AdditiveDesign.of(
        table, range(d), pick("scoredag.regression.bases", basis, "basis"), size
    )
    regressions = _Regressions(design, edf)
    allowed = ~np.eye(d, dtype=bool)
    if candidates is not None:
        allowed &= check_candidates(candidates, d)
    reaches = np.eye(d, dtype=bool)  # [a, b]: there is a path from a to b
    adjacency = np.zeros((d, d), dtype=int)
    gains = np.column_stack([regressions.gains(j, allowed[:, j]) for j in range(d)])
    while np.isfinite(gains).any():
        cause, effect = np.unravel_index(np.argmax(gains), gains.shape)
        adjacency[cause, effect] = 1
        regressions.add(int(cause), int(effect))
        reaches |= np.outer(reaches[:, cause], reaches[effect])
        allowed &= ~reaches.T
        allowed[cause, effect] = False
        gains[~allowed] = -np.inf
        gains[:, effect] = regressions.gains(int(effect), allowed[:, effect])
        if progress is not None:
            progress(int(adjacency.sum()), d * (d - 1) // 2)
    # A cause has fewer ancestors than its effect.
    return GreedyResult(np.argsort(reaches.sum(axis=0), kind="stable"), adjacency)


class _Regressions:
    """One additive regression a column, each on the parents that it has so far.

    With M the penalised Gram matrix and P the parents' coefficients, a regression is kept as
    V = L^-1 M[P, :], L the Cholesky factor of M[P, P]; as what is left of the inner products,
    r = Z'y - V'(L^-1 Z_P'y); and as what is left of every block, M_kk - V_k'V_k.
    """

    def __init__(self, design: AdditiveDesign, edf: float) -> None:
        gram, cross, weights = design.padded(edf)
        self._d, self._q = weights.shape
        self._M = gram + np.diag(weights.ravel())
        self._left = cross
        self._total, self._rest = design.squares, design.squares.copy()
        self._V = [np.empty((0, self._d * self._q)) for _ in range(self._d)]
        own = np.eye(self._q) * (1 + weights)[:, None, :]  # columns of a term are orthonormal
        self._blocks = [own.copy() for _ in range(self._d)]

    def gains(self, target: int, allowed: Edges) -> Floats:
        """Drop of the target's log residual variance for each column that is allowed to join."""
        gains = np.full(self._d, -np.inf)
        r = self._left[:, target].reshape(self._d, self._q)[allowed]
        explained = np.einsum("ki,kij,kj->k", r, np.linalg.inv(self._jittered(target)[allowed]), r)
        rest = np.maximum(self._rest[target] - explained, _SMALLEST_REST * self._total[target])
        gains[allowed] = np.log(self._rest[target] / rest)
        return gains

    def add(self, cause: int, target: int) -> None:
        """Let a column join the target's parents."""
        rows = slice(cause * self._q, (cause + 1) * self._q)
        V = self._V[target]
        L = np.linalg.cholesky(self._jittered(target)[cause])
        new = np.linalg.solve(L, self._M[rows] - V[:, rows].T @ V)
        fitted = np.linalg.solve(L, self._left[rows, target])
        self._V[target] = np.vstack([V, new])
        self._left[:, target] -= new.T @ fitted
        self._rest[target] = max(
            self._rest[target] - fitted @ fitted, _SMALLEST_REST * self._total[target]
        )
        by_block = new.reshape(self._q, self._d, self._q).transpose(1, 0, 2)
        self._blocks[target] -= by_block.transpose(0, 2, 1) @ by_block

    def _jittered(self, target: int) -> Floats:
        return self._blocks[target] + _JITTER * np.eye(self._q)
