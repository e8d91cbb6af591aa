"""Additive regressions of a table's columns on one another, from one Gram matrix.

Each variable gets a spline basis; all inner products between bases and variables are summed over
rows once, in chunks. Every regression of one column on others is then a sub-matrix: its cost no
longer depends on the number of rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.data.blocks import BLOCK_ROWS, ArrayBlocks, RowBlocks, as_blocks, fold
from scoredag.data.profile import profile_of
from scoredag.progress import Report
from scoredag.regression.basis import (
    RawBasis,
    SplineBasis,
    orthonormalise,
    weights_with_edf,
)
from scoredag.regression.newton import Criterion, smooth
from scoredag.regression.penalised import PenalisedProblem, PenalisedSolution
from scoredag.regression.significance import term_p_values
from scoredag.settings import EDGE_TEST

Floats = NDArray[np.float64]

# Of one call: less than a second. A block of 290 columns has as many.
_MOST_PRODUCTS = 3e10


def most_terms(n_rows: int) -> int:
    """Largest number of smooth terms in a regression on ``n_rows`` rows.

    Examples
    --------
    >>> most_terms(1000), most_terms(2)
    (250, 1)
    """
    return max(1, n_rows // EDGE_TEST.rows_per_term)


@dataclass(frozen=True)
class AdditiveDesign:
    """Inner products of the spline columns of some variables with each other and with all.

    Build a design with `AdditiveDesign.of`, then call `regress`.

    Attributes
    ----------
    variables : tuple of int
        The columns of the table that have a basis here.
    bases : tuple of SplineBasis
        The bases of ``variables``.
    starts : ndarray of int, shape (len(variables) + 1,)
        Where each basis begins among the Q stacked spline columns, and their number.
    gram, cross, squares : ndarray (Q, Q), (Q, d), (d,)
        Z'Z, Z'X and the diagonal of X'X, for centred X.
    n_rows : int
    """

    variables: tuple[int, ...]
    bases: tuple[SplineBasis, ...]
    starts: NDArray[np.intp]
    gram: Floats
    cross: Floats
    squares: Floats
    n_rows: int

    @classmethod
    def of(
        cls,
        X: Floats | RowBlocks,
        variables: Sequence[int],
        make_basis: Callable[[Floats, int], RawBasis],
        size: int,
        weights: Floats | None = None,
        n_jobs: int | None = None,
        progress: Report | None = None,
    ) -> AdditiveDesign:
        """Sum the inner products over the rows of a table, then rotate every basis.

        Parameters
        ----------
        X : ndarray of shape (n, d), or RowBlocks
            The table. That of a table in blocks is read once; the knots of its bases come from the
            sample of rows in its `scoredag.data.profile.Profile`, and from the extremes.
        variables : sequence of int
            Columns that serve as predictors.
        make_basis : callable
            A function of ``regression/bases``.
        size : int
            Number of coefficients of a basis, the constant included.
        weights : ndarray of shape (n,), optional
            Weights of the rows, with mean 1: inverse variances of the noise. Only of a table in
            memory.
        n_jobs : int, optional
            Threads over blocks of rows, as in joblib. The result does not depend on it.
        progress : callable, optional
            Called with the rows done and their total; not with weights.
        """
        if isinstance(X, np.ndarray):
            centre, values = np.average(X, axis=0, weights=weights), X
        else:
            profile = profile_of(X, n_jobs)
            centre, values = profile.mean, profile.spread_values
        raws = [make_basis(values[:, j] - centre[j], size) for j in variables]
        for raw in raws:
            if not isinstance(raw, RawBasis):
                raise TypeError(
                    f"basis must return a RawBasis (see regression/bases); got {type(raw).__name__}"
                )
        sums_of = partial(_Sums.of, centre, tuple(variables), raws)
        sums = _sums(X, sums_of, weights, n_jobs, progress)
        means, inner, cross = sums.mean, sums.centred_inner, sums.cross
        edges = np.cumsum([0] + [len(raw.penalty) for raw in raws])
        blocks = [slice(*pair) for pair in itertools.pairwise(edges)]
        bases = tuple(
            orthonormalise(raw, inner[block, block], means[block])
            for raw, block in zip(raws, blocks, strict=True)
        )
        rotations = [(block, basis.rotation) for block, basis in zip(blocks, bases, strict=True)]
        # Blocks without rows or columns stand for no variables at all.
        none = np.empty((0, len(inner)))
        half = np.vstack([none, *(rotation.T @ inner[block] for block, rotation in rotations)])
        return cls(
            variables=tuple(variables),
            bases=bases,
            starts=np.cumsum([0] + [len(basis.penalty) for basis in bases]),
            gram=np.hstack(
                [half[:, :0], *(half[:, block] @ rotation for block, rotation in rotations)]
            ),
            cross=np.vstack(
                [cross[:0], *(rotation.T @ cross[block] for block, rotation in rotations)]
            ),
            squares=sums.squares,
            n_rows=sums.n_rows,
        )

    def regress(self, target: int, predictors: Sequence[int], criterion: Criterion) -> AdditiveFit:
        """Regress a column on a smooth term of each predictor.

        Parameters
        ----------
        target : int
            Column of the table.
        predictors : sequence of int
            Columns among ``variables``.
        criterion : callable
            Chooses the smoothing parameters; a function of ``regression/smoothing``.
        """
        gram, cross = self.inner_products(target, predictors)
        blocks = [self._block(j) for j in predictors]
        problem = PenalisedProblem(
            gram=gram,
            cross=cross,
            square=float(self.squares[target]),
            n_rows=self.n_rows,
            penalty=np.concatenate([self.basis(j).penalty for j in predictors]),
            starts=np.cumsum([0] + [b.stop - b.start for b in blocks[:-1]]),
        )
        return AdditiveFit(target, tuple(predictors), smooth(problem, criterion))

    def inner_products(self, target: int, predictors: Sequence[int]) -> tuple[Floats, Floats]:
        """Z'Z and Z'y for the spline columns of some predictors and a column y of the table."""
        blocks = [self._block(j) for j in predictors]
        rows = np.concatenate([np.arange(block.start, block.stop) for block in blocks])
        return self.gram[np.ix_(rows, rows)], self.cross[rows, target]

    def padded(self, edf: float) -> tuple[Floats, Floats, Floats]:
        """Inner products in blocks of one size, and penalties that give each single term ``edf``.

        Returns
        -------
        gram, cross : ndarray (m q, m q), (m q, d)
            For m variables with at most q coefficients. A variable with fewer coefficients is
            padded with zeros, and with 1 on the diagonal, which has no effect on a regression.
        weights : ndarray of shape (m, q)
            Penalties, which a regression adds to the diagonal of ``gram``.
        """
        m, q = len(self.bases), max((len(basis.penalty) for basis in self.bases), default=0)
        places = (k * q + np.arange(len(b.penalty)) for k, b in enumerate(self.bases))
        rows = np.concatenate([np.arange(0), *places])
        gram, cross = np.eye(m * q), np.zeros((m * q, self.cross.shape[1]))
        gram[np.ix_(rows, rows)] = self.gram
        cross[rows] = self.cross
        weights = np.zeros(m * q)
        weights[rows] = np.concatenate(
            [np.zeros(0), *(weights_with_edf(b.penalty, edf) for b in self.bases)]
        )
        return gram, cross, weights.reshape(m, q)

    def explained(self, target: int) -> Floats:
        """For each of ``variables`` the sum of squares that its term alone would explain."""
        return np.add.reduceat(self.cross[:, target] ** 2, self.starts[:-1])

    def strongest(self, target: int, predictors: Sequence[int]) -> list[int]:
        """As many predictors as the rows allow: those that explain most alone, sorted."""
        most = most_terms(self.n_rows)
        if len(predictors) <= most:
            return list(predictors)
        explained = dict(zip(self.variables, self.explained(target), strict=True))
        return sorted(sorted(predictors, key=lambda k: -explained[k])[:most])

    def basis(self, variable: int) -> SplineBasis:
        """The spline basis of a column."""
        return self.bases[self.variables.index(variable)]

    def _block(self, variable: int) -> slice:
        position = self.variables.index(variable)
        return slice(int(self.starts[position]), int(self.starts[position + 1]))


class _Sums(NamedTuple):
    """Sums over rows, of raw spline columns C and of the centred columns X of the table.

    Attributes
    ----------
    n_rows : int
    total : ndarray (Q,)
        Of each column of C.
    inner, cross, squares : ndarray (Q, Q), (Q, d), (d,)
        C'C, C'X and the diagonal of X'X.
    """

    n_rows: int
    total: Floats
    inner: Floats
    cross: Floats
    squares: Floats

    @classmethod
    def of(
        cls,
        centre: Floats,
        variables: Sequence[int],
        raws: Sequence[RawBasis],
        block: Floats,
        weights: Floats | None = None,
    ) -> _Sums:
        """Sum over the rows of a block."""
        rows = block - centre
        values = (raw.evaluate(rows[:, j]) for raw, j in zip(raws, variables, strict=True))
        C = np.hstack([rows[:, :0], *values])
        weighted = C if weights is None else weights[:, None] * C
        by_weight = rows if weights is None else weights[:, None] * rows
        return cls(
            len(rows),
            weighted.sum(axis=0),
            _inner_products(C, weighted),
            weighted.T @ rows,
            np.einsum("ij,ij->j", rows, by_weight),
        )

    def plus(self, other: _Sums) -> _Sums:
        """Add the sums over further rows."""
        return _Sums(
            self.n_rows + other.n_rows,
            self.total + other.total,
            self.inner + other.inner,
            self.cross + other.cross,
            self.squares + other.squares,
        )

    @property
    def mean(self) -> Floats:
        """Means of the raw columns."""
        return self.total / self.n_rows

    @property
    def centred_inner(self) -> Floats:
        """Inner products of the raw columns once they are centred."""
        return self.inner - self.n_rows * np.outer(self.mean, self.mean)


def _inner_products(A: Floats, B: Floats) -> Floats:
    """A'B, in steps where there are so many columns that Ctrl-C would wait for seconds."""
    rows = max(1, int(_MOST_PRODUCTS // A.shape[1] ** 2)) if A.shape[1] else len(A)
    total = A[:rows].T @ B[:rows]
    for start in range(rows, len(A), rows):
        total += A[start : start + rows].T @ B[start : start + rows]
    return np.asarray(total)


def _sums(
    X: Floats | RowBlocks,
    sums_of: Callable[..., _Sums],
    weights: Floats | None,
    n_jobs: int | None,
    progress: Report | None,
) -> _Sums:
    if weights is None or not isinstance(X, np.ndarray):
        return fold(sums_of, _Sums.plus, as_blocks(X), n_jobs, progress)
    rows, by_block = ArrayBlocks(X, BLOCK_ROWS), ArrayBlocks(weights[:, None], BLOCK_ROWS)
    terms = (sums_of(X, w[:, 0]) for X, w in zip(rows, by_block, strict=True))
    return reduce(_Sums.plus, terms)


@dataclass(frozen=True)
class AdditiveFit:
    """An additive regression: one smooth term for each predictor.

    Attributes
    ----------
    target : int
    predictors : tuple of int
    solution : PenalisedSolution
        Coefficients and inverse at the chosen smoothing parameters.
    """

    target: int
    predictors: tuple[int, ...]
    solution: PenalisedSolution

    @property
    def edf(self) -> Floats:
        """Effective degrees of freedom of each term."""
        return self.solution.edf

    @property
    def scale(self) -> float:
        """Estimated noise variance."""
        return self.solution.residual_square / self.solution.residual_df

    def term(self, position: int) -> tuple[Floats, Floats]:
        """Coefficients of a term and their Bayesian covariance."""
        block = self.solution.problem.term_of == position
        inverse = self.solution.inverse[np.ix_(block, block)]
        return self.solution.beta[block], self.scale * inverse

    def p_values(self) -> Floats:
        """Wood's p-value of each term."""
        solution = self.solution
        problem = solution.problem
        # F = M^-1 A = I - M^-1 S_lambda, so that tr(2F - FF) = tr(I - (M^-1 S_lambda)^2).
        taken = solution.weights * solution.squared_inverse_by_term.sum(axis=1)
        reference_df = problem.sum_by_term(1.0 - taken)
        sizes = np.bincount(problem.term_of)
        p = np.empty(len(self.predictors))
        for size in np.unique(sizes):
            terms = np.flatnonzero(sizes == size)
            rows = problem.starts[terms, None] + np.arange(size)
            covariances = self.scale * solution.inverse[rows[:, :, None], rows[:, None, :]]
            p[terms] = term_p_values(
                solution.beta[rows], covariances, reference_df[terms], solution.residual_df
            )
        return p
