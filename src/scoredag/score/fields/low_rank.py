"""Stein estimators in the span of kernel functions at a few landmarks, for many rows.

With landmarks Z (m rows), Kn = k(X, Z), Kmm = k(Z, Z) and s the bandwidth, functions k(., Z) c take
the place of k(., X) c in the regressions of the Stein estimators:

====================================================  ==========================================
``r = Kn' 1``, ``P = Kn' X``, ``Q = Kn' X^2``          sums over rows
``g = (Z r - P) / s^2``                               <grad, k(Z, .)>, eq. (3.4) of the paper
``h = -r / s^2 + (Z^2 r - 2 Z P + Q) / s^4``          <grad^2_diag, k(Z, .)>, eq. (4.7)
``[c, b] = (Kn' Kn + eta s Kmm)^-1 [-g, h]``          one m x m system for both
``score = k(., Z) c``, ``J = k(., Z) b - score^2``    at any point, also away from the samples
====================================================  ==========================================

With the samples as landmarks these are the exact estimators. All sums run over blocks of rows: one
pass for the coefficients, one for the moments of J.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.spatial.distance import pdist

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.blocks import (
    ArrayBlocks,
    RowBlocks,
    fold,
    is_blocks,
    reads_blocks,
    sample_rows,
)

Floats = NDArray[np.float64]

# Eigenvalues of Kmm below this share of the largest one are left out: rounding errors of Kn'Kn are
# divided by them.
_LEAST_EIGENVALUE = 1e-8


@reads_blocks
class LowRankField:
    """Low-rank Stein estimates on a shrinking set of columns; a `scoredag.score.ScoreField`.

    Parameters
    ----------
    X : array-like of shape (n, d), or RowBlocks
        The samples.
    eta : float, default=1e-3
        Ridge of both regressions; the paper's constant.
    rank : int, default=300
        Number of landmarks.
    rng : numpy.random.Generator, optional
        Draws the landmarks.
    n_jobs : int, optional
        Threads over blocks of rows, as in joblib. The result does not depend on it.
    """

    bandwidth_rows = 2000

    def __init__(
        self,
        X: Any,
        eta: float = 1e-3,
        *,
        rank: int = 300,
        landmarks: str = "uniform",
        rng: np.random.Generator | None = None,
        n_jobs: int | None = None,
    ) -> None:
        rng = np.random.default_rng(0) if rng is None else rng
        self._blocks: RowBlocks = X if is_blocks(X) else ArrayBlocks(as_finite_matrix(X))
        self.eta, self._n_jobs = eta, n_jobs
        self.columns = np.arange(self._blocks.shape[1])
        sample = sample_rows(self._blocks, max(self.bandwidth_rows, 10 * rank), rng)
        self._centre = np.median(sample, axis=0)
        sample = sample - self._centre
        order = rng.permutation(len(sample))
        self._sample = sample[order[: self.bandwidth_rows]]
        self._landmarks = _CHOICES[landmarks](sample[order], rank, rng)

    def diagonal_moments(self) -> tuple[Floats, Floats]:
        """Mean and variance over the samples of the derivatives d s_j / d x_j."""
        kernel, c, b = self._coefficients()
        moments_of = partial(_moments_of_block, self._part, kernel, c, b)
        moments = fold(moments_of, _Moments.merge, self._blocks, self._n_jobs)
        return moments.mean, moments.squares / moments.n

    def jacobian_diagonal(self) -> Floats:
        """The derivatives d s_j / d x_j at the samples."""
        kernel, c, b = self._coefficients()
        return np.vstack([_diagonal(kernel, self._part(block), c, b) for block in self._blocks])

    def score(self) -> Floats:
        """The score at the samples."""
        kernel, c, _ = self._coefficients()
        return np.vstack([kernel(self._part(block)) @ c for block in self._blocks])

    def remove(self, column: int) -> None:
        """Go on with the marginal of the other columns."""
        self.columns = self.columns[self.columns != column]

    @property
    def _part(self) -> Callable[[Floats], Floats]:
        # Not a method of the field: what travels to a cluster must not hold the blocks.
        return partial(_centred, self.columns, self._centre[self.columns])

    def _coefficients(self) -> tuple[_Kernel, Floats, Floats]:
        Z = self._landmarks[:, self.columns]
        s = float(np.median(pdist(self._sample[:, self.columns])))
        kernel = _Kernel(Z, s)
        sums_of = partial(_sums_of_block, self._part, kernel)
        gram, cross = fold(sums_of, _added, self._blocks, self._n_jobs)
        m = len(self.columns)
        r, P, Q = cross[:, :1], cross[:, 1 : m + 1], cross[:, m + 1 :]
        g = (Z * r - P) / s**2
        h = -r / s**2 + (Z**2 * r - 2 * Z * P + Q) / s**4
        values, vectors = eigh(kernel(Z))
        kept = values > _LEAST_EIGENVALUE * values[-1]
        T = vectors[:, kept] / np.sqrt(values[kept])
        A = T.T @ gram @ T
        A.flat[:: len(A) + 1] += self.eta * s
        solution = T @ cho_solve(cho_factor(A), T.T @ np.hstack([-g, h]))
        return kernel, solution[:, :m], solution[:, m:]


def _centred(columns: NDArray[np.intp], centre: Floats, block: Floats) -> Floats:
    return block[:, columns] - centre


class _Kernel(NamedTuple):
    Z: Floats
    s: float

    def __call__(self, X: Floats) -> Floats:
        """k(X, Z)."""
        Z, scale = self.Z / self.s, 1 / np.log(2)
        X = X / self.s
        left = np.column_stack([X, -0.5 * (X**2).sum(axis=1), np.ones(len(X))]) * scale
        right = np.vstack([Z.T, np.ones(len(Z)), -0.5 * (Z**2).sum(axis=1)])
        exponents = left @ right
        np.minimum(exponents, 0.0, out=exponents)
        return np.exp2(exponents, out=exponents)


class _Moments(NamedTuple):
    n: int
    mean: Floats
    squares: Floats  # sums of squared deviations

    @staticmethod
    def merge(a: _Moments, b: _Moments) -> _Moments:
        n, gap = a.n + b.n, b.mean - a.mean
        squares = a.squares + b.squares + gap**2 * (a.n * b.n / n)
        return _Moments(n, a.mean + gap * (b.n / n), squares)


def _sums_of_block(part: Callable, kernel: _Kernel, block: Floats) -> tuple[Floats, ...]:
    X = part(block)
    K = kernel(X)
    return K.T @ K, K.T @ np.hstack([np.ones((len(X), 1)), X, X**2])


def _added(a: tuple[Floats, ...], b: tuple[Floats, ...]) -> tuple[Floats, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _diagonal(kernel: _Kernel, X: Floats, c: Floats, b: Floats) -> Floats:
    both = kernel(X) @ np.hstack([c, b])
    m = c.shape[1]
    return both[:, m:] - both[:, :m] ** 2


def _moments_of_block(
    part: Callable, kernel: _Kernel, c: Floats, b: Floats, block: Floats
) -> _Moments:
    J = _diagonal(kernel, part(block), c, b)
    mean = J.mean(axis=0)
    return _Moments(len(J), mean, ((J - mean) ** 2).sum(axis=0))


def _uniform(sample: Floats, rank: int, rng: np.random.Generator) -> Floats:
    return sample[:rank]


def _spread(sample: Floats, rank: int, rng: np.random.Generator) -> Floats:
    """k-means++ seeding: far rows are likelier."""
    chosen = [0]
    distances = ((sample - sample[0]) ** 2).sum(axis=1)
    while len(chosen) < min(rank, len(sample)):
        k = int(rng.choice(len(sample), p=distances / distances.sum()))
        chosen.append(k)
        distances = np.minimum(distances, ((sample - sample[k]) ** 2).sum(axis=1))
    return sample[chosen]


def _kmeans(sample: Floats, rank: int, rng: np.random.Generator) -> Floats:
    from sklearn.cluster import KMeans

    seed = int(rng.integers(2**31))
    model = KMeans(min(rank, len(sample)), n_init=1, max_iter=10, random_state=seed)
    return model.fit(sample).cluster_centers_


_CHOICES = {"uniform": _uniform, "spread": _spread, "kmeans": _kmeans}

PIECE = LowRankField
