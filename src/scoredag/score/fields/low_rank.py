"""Stein's estimate of the score in the span of kernel functions at a few landmarks, for many rows.

With landmarks Z (m rows), Kn = k(X, Z), Kmm = k(Z, Z) and s the bandwidth, functions k(., Z) c take
the place of k(., X) c in the regression of the Stein estimator:

====================================================  ==========================================
``r = Kn' 1``, ``P = Kn' X``                          sums over rows
``g = (Z r - P) / s^2``                               <grad, k(Z, .)>, eq. (3.4) of the paper
``c = -(Kn' Kn + eta s Kmm)^-1 g``                    one m x m system
``score = k(., Z) c``                                 at any point, also away from the samples
``J_lj = (k(., Z) (z_j c_l) - x_j score_l) / s^2``    its derivative, d score_l / d x_j
====================================================  ==========================================

With the samples as landmarks the score is that of `scoredag.score.fields.stein`. The Jacobian is
not: the exact field, which knows the score at the samples only, has a second regression for it, eq.
(4.7), from which the square of the score is subtracted. Here the score is a function, and J its
derivative, which makes fewer mistakes (decision "Jacobian of the low-rank score" in 0010-scale).
All sums run over blocks of rows (`scoredag.data.blocks`): one pass for the coefficients, one for
the moments of J.

References
----------
P. Rolland, V. Cevher, M. Kleindessner, C. Russell, B. Schölkopf, D. Janzing and F. Locatello.
Score matching enables causal discovery of nonlinear additive noise models. ICML 2022.
C. Williams and M. Seeger. Using the Nyström method to speed up kernel machines. NIPS 2000.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import blas, cho_factor, cho_solve, eigh
from scipy.spatial.distance import pdist

from scoredag.arguments import as_generator, check_between, check_count
from scoredag.costs import low_rank_leaf
from scoredag.data.arrays import as_finite_matrix
from scoredag.data.blocks import (
    ArrayBlocks,
    RowBlocks,
    fold,
    is_blocks,
    reads_blocks,
    sample_rows,
)
from scoredag.exceptions import DataError, warn
from scoredag.progress import Phases, Report
from scoredag.score.fields.stein import about_ridge
from scoredag.score.kernel import EQUAL_ROWS

Floats = NDArray[np.float64]

# Rows of which the median distance is the bandwidth: its error is about 1%.
_BANDWIDTH_ROWS = 2000
# Shares of the time of the two passes of a step, for the progress bar.
_PASSES = (2.0, 1.0)
# Eigenvalues of Kmm below this share of the largest one are left out: rounding errors of Kn'Kn are
# divided by them.
_LEAST_EIGENVALUE = 1e-8


def default_rank(n_rows: int) -> int:
    """Landmarks by default: 10 sqrt(n), at most 600. Decision "Rank" in 0010-scale.

    Examples
    --------
    >>> [default_rank(n) for n in (100, 1000, 3000, 1_000_000)]
    [100, 316, 547, 600]
    """
    return min(n_rows, int(10 * math.sqrt(n_rows)), 600)


@reads_blocks
class LowRankField:
    """Low-rank estimates of the score on a shrinking set of columns: a `scoredag.score.ScoreField`.

    Parameters
    ----------
    X : array-like of shape (n, d), or RowBlocks
        The samples. Members that have a row for each sample need an array.
    eta : float, default=1e-3
        Ridge of the regression; the paper's constant.
    rank : int, optional
        Number of landmarks; by default `default_rank`.
    rng : numpy.random.Generator or int, optional
        Draws the landmarks, rows of the table, and the rows whose distances give the bandwidth; a
        fixed seed by default.
    n_jobs : int, optional
        Threads over blocks of rows, as in joblib. The result does not depend on it.

    Notes
    -----
    Time O(n m^2) for m landmarks and each column that is removed, memory O(m) for each row of the
    blocks in work and O(m^2). Not for few rows, where `SteinField` is exact and as quick; nor for
    many columns, among which a kernel with one bandwidth tells little.

    Examples
    --------
    >>> from scoredag.score import SteinField
    >>> X = np.random.default_rng(0).normal(size=(400, 3))
    >>> exact, low_rank = (field.score().ravel() for field in (SteinField(X), LowRankField(X)))
    >>> bool(np.corrcoef(exact, low_rank)[0, 1] > 0.95)
    True
    """

    def __init__(
        self,
        X: Any,
        eta: float = 1e-3,
        *,
        rank: int | None = None,
        rng: np.random.Generator | int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        check_between(eta, "eta", 0, np.inf)
        self._array = None if is_blocks(X) else as_finite_matrix(X)
        self._blocks: RowBlocks = X if self._array is None else ArrayBlocks(self._array)
        n, d = self._blocks.shape
        if n < 3:
            raise ValueError(f"X must be a table of at least 3 rows; got shape {(n, d)}")
        rank = default_rank(n) if rank is None else rank
        check_count(rank, "rank", 2)
        generator = as_generator(0 if rng is None else rng)
        self.eta, self._n_jobs = eta, n_jobs
        self._progress: Report | None = None
        self.columns = np.arange(d)
        sample = sample_rows(self._blocks, max(_BANDWIDTH_ROWS, rank), generator)
        # Medians, as in `GaussianKernel`; distances between landmarks lose no digits to the mean.
        self._centre = np.median(sample, axis=0)
        sample = generator.permutation(sample - self._centre)
        self._sample = sample[:_BANDWIDTH_ROWS]
        self._landmarks = sample[:rank]
        problem = about_ridge(eta, self._bandwidth())
        if problem:
            warn(problem)

    @property
    def description(self) -> str:
        """The estimates in a few words, for results."""
        n = self._blocks.shape[0]
        return f"low-rank Stein estimate: {len(self._landmarks):,} landmarks, {n:,} rows"

    @property
    def X(self) -> Floats:
        """The samples in the columns that are left, less the medians of a sample: n x m."""
        if self._array is None:
            raise DataError(
                "rows are read in blocks, and this criterion or pruner needs all of them at once: "
                "choose another one, or hand over a table that fits into memory"
            )
        return self._part(self._array)

    def score(self) -> Floats:
        """Score at the samples, n x m."""
        X, fit = self.X, self._fit()
        return fit.kernel(X) @ fit.c

    def score_at(self, points: ArrayLike) -> Floats:
        """Score at other points, in the columns that are left."""
        fit = self._fit()
        return fit.kernel(as_finite_matrix(points, "points") - self._centre[self.columns]) @ fit.c

    def jacobian_diagonal(self) -> Floats:
        """The derivatives d s_j / d x_j at the samples: n x m."""
        return self._fit().diagonal(self.X)

    def jacobian_row(self, column: int) -> Floats:
        """Estimates of d s_l / d x_j at the samples for l = ``column``: n x m."""
        return self._fit().row(self.X, int(np.flatnonzero(self.columns == column)[0]))

    def diagonal_moments(self) -> tuple[Floats, Floats]:
        """Mean and variance over the samples of `jacobian_diagonal`, in two passes over blocks."""
        phases = Phases(self._progress, _PASSES)
        moments = partial(_moments_of_block, self._part, self._fit(phases.begin()))
        total = fold(moments, _Moments.merged, self._blocks, self._n_jobs, phases.begin())
        return total.mean, total.squares / total.n

    def leaf_work(self, left: int, asked: int) -> float:
        """Estimated seconds of a step with so many columns left."""
        return low_rank_leaf(self._blocks.shape[0], left, len(self._landmarks)).seconds()

    def report_to(self, progress: Report | None) -> None:
        """Report the rows that `diagonal_moments` has read, in both passes, to a function."""
        self._progress = progress

    def remove(self, column: int) -> None:
        """Go on with the marginal of the other columns."""
        if column not in self.columns:
            raise ValueError(f"column {column} is not among the columns left, {self.columns}")
        if len(self.columns) == 1:
            raise ValueError(f"column {column} is the last one: there is no score without columns")
        self.columns = self.columns[self.columns != column]

    @property
    def _part(self) -> Callable[[Floats], Floats]:
        # Not a method of the field: what travels to a cluster must not hold the blocks.
        return partial(_centred, self.columns, self._centre[self.columns])

    def _bandwidth(self) -> float:
        """Median distance of the rows of the sample, or of those that are apart."""
        distances = pdist(self._sample[:, self.columns])
        s = float(np.median(distances))
        if s > 0:
            return s
        apart = distances[distances > 0]
        if not len(apart):
            raise DataError(
                f"all of {len(self._sample):,} rows drawn at random are equal in the columns that "
                "are left: there is no variation to learn from."
            )
        warn(EQUAL_ROWS)
        return float(np.median(apart))

    def _fit(self, report: Report | None = None) -> _Fit:
        """Coefficients of the score."""
        Z = self._landmarks[:, self.columns]
        s = self._bandwidth()
        kernel = _Kernel(Z, s)
        sums = partial(_sums_of_block, self._part, kernel)
        gram, cross = fold(sums, _added, self._blocks, self._n_jobs, report)
        gram = np.tril(gram) + np.tril(gram, -1).T
        r, P = cross[:, :1], cross[:, 1:]
        g = (Z * r - P) / s**2
        # In the eigenvectors of Kmm, over the roots of their eigenvalues, Kmm is the identity.
        values, vectors = eigh(kernel(Z))
        kept = values > _LEAST_EIGENVALUE * values[-1]
        T = vectors[:, kept] / np.sqrt(values[kept])
        A = T.T @ gram @ T
        A.flat[:: len(A) + 1] += self.eta * s
        return _Fit(kernel, T @ cho_solve(cho_factor(A), -T.T @ g))


def _centred(columns: NDArray[np.intp], centre: Floats, block: Floats) -> Floats:
    return block[:, columns] - centre


@dataclass(frozen=True)
class _Kernel:
    """The Gaussian kernel with bandwidth s between points and landmarks Z."""

    Z: Floats
    s: float

    def __call__(self, X: Floats) -> Floats:
        """k(X, Z)."""
        X, Z = X / self.s, self.Z / self.s
        left = np.column_stack([X, -0.5 * (X**2).sum(axis=1), np.ones(len(X))])
        right = np.vstack([Z.T, np.ones(len(Z)), -0.5 * (Z**2).sum(axis=1)])
        exponents = (left / np.log(2)) @ right  # NumPy's exp2 is quicker than its exp
        np.minimum(exponents, 0.0, out=exponents)  # rounding, where a row is a landmark
        return np.asarray(np.exp2(exponents, out=exponents))


class _Fit(NamedTuple):
    """The score as a function: its coefficients c at the landmarks."""

    kernel: _Kernel
    c: Floats

    def diagonal(self, X: Floats) -> Floats:
        """J_jj = (k(., Z) (z_j c_j) - x_j score_j) / s^2, for all columns j."""
        m = self.c.shape[1]
        both = self.kernel(X) @ np.hstack([self.c, self.kernel.Z * self.c])
        return np.asarray((both[:, m:] - X * both[:, :m]) / self.kernel.s**2)

    def row(self, X: Floats, position: int) -> Floats:
        """J_lj = (k(., Z) (z_j c_l) - x_j score_l) / s^2, for one column l and all columns j."""
        c = self.c[:, [position]]
        both = self.kernel(X) @ np.hstack([c, self.kernel.Z * c])
        return np.asarray((both[:, 1:] - X * both[:, :1]) / self.kernel.s**2)


class _Moments(NamedTuple):
    n: int
    mean: Floats
    squares: Floats  # sums of squared deviations

    def merged(self, other: _Moments) -> _Moments:
        """Moments of the rows of both (Chan, Golub and LeVeque, 1983)."""
        n, gap = self.n + other.n, other.mean - self.mean
        squares = self.squares + other.squares + gap**2 * (self.n * other.n / n)
        return _Moments(n, self.mean + gap * (other.n / n), squares)


def _sums_of_block(
    part: Callable[[Floats], Floats], kernel: _Kernel, block: Floats
) -> tuple[Floats, Floats]:
    """Kn'Kn, its lower half alone, and Kn'[1, X]."""
    X = part(block)
    K = kernel(X)
    gram = blas.dsyrk(1.0, K, trans=1, lower=1)
    return gram, K.T @ np.hstack([np.ones((len(X), 1)), X])


def _moments_of_block(part: Callable[[Floats], Floats], fit: _Fit, block: Floats) -> _Moments:
    J = fit.diagonal(part(block))
    mean = J.mean(axis=0)
    return _Moments(len(J), mean, ((J - mean) ** 2).sum(axis=0))


def _added(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return a[0] + b[0], a[1] + b[1]


PIECE = LowRankField
