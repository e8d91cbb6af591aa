"""Penalised least squares for given smoothing parameters, and quantities for its derivatives.

Coefficients come in blocks, one a smooth term. Term j has penalty lambda_j S_j, S_j diagonal;
S_lambda is their sum, A = Z'Z, M = A + S_lambda, b = Z'y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

Floats = NDArray[np.float64]

# Smallest residual sum of squares, relative to the response's, that inner products resolve.
_SMALLEST_REST = 1e-12


@dataclass(frozen=True)
class PenalisedProblem:
    """A centred response on blocks of centred columns, as inner products.

    Attributes
    ----------
    gram, cross, square : ndarray (Q, Q), ndarray (Q,), float
        Z'Z, Z'y and y'y.
    n_rows : int
        Number of rows behind these sums; the intercept takes one degree of freedom.
    penalty : ndarray of shape (Q,)
        The diagonals of all S_j, one after the other.
    starts : ndarray of int, shape (p,)
        Where the blocks begin.
    """

    gram: Floats
    cross: Floats
    square: float
    n_rows: int
    penalty: Floats
    starts: NDArray[np.intp]

    @cached_property
    def term_of(self) -> NDArray[np.intp]:
        """For each coefficient the term that it belongs to."""
        sizes = np.diff(np.append(self.starts, len(self.penalty)))
        return np.repeat(np.arange(len(self.starts)), sizes)

    @cached_property
    def ranks(self) -> Floats:
        """For each term the number of its penalised coefficients."""
        return self.sum_by_term((self.penalty > 0).astype(np.float64))

    def sum_by_term(self, values: Floats) -> Floats:
        """Add rows up that belong to the same term."""
        return np.add.reduceat(values, self.starts, axis=0)

    def solve(self, log_lambda: Floats) -> PenalisedSolution:
        """Minimise ||y - Z beta||^2 + sum_j lambda_j beta_j' S_j beta_j."""
        weights = np.exp(log_lambda)[self.term_of] * self.penalty
        factor = self._factor(weights)
        log_det = 2 * np.log(factor.diagonal()).sum()
        lower = lapack.dpotri(factor, lower=1)[0]
        inverse = lower + lower.T
        inverse.flat[:: len(weights) + 1] *= 0.5
        return PenalisedSolution(self, log_lambda, weights, inverse, float(log_det))

    def _factor(self, weights: Floats) -> Floats:
        """Cholesky factor of M; with a ridge where columns are collinear."""
        for ridge in (0.0, 1e-10, 1e-7, 1e-4):
            M = self.gram.T.copy(order="F")  # symmetric, so this is a plain copy for LAPACK
            M.T.flat[:: len(weights) + 1] += weights + ridge
            factor, info = lapack.dpotrf(M, lower=1, overwrite_a=1)
            if info == 0:
                return factor
        raise np.linalg.LinAlgError("the Gram matrix has NaN or infinite entries")


@dataclass(frozen=True)
class PenalisedSolution:
    """The minimiser, and the quantities that smoothing criteria and tests use.

    Attributes
    ----------
    weights : ndarray of shape (Q,)
        Diagonal of S_lambda.
    inverse : ndarray of shape (Q, Q)
        M^-1.
    log_det : float
        log |M|.
    """

    problem: PenalisedProblem
    log_lambda: Floats
    weights: Floats
    inverse: Floats
    log_det: float

    @cached_property
    def beta(self) -> Floats:
        """Coefficients, M^-1 b."""
        return self.inverse @ self.problem.cross

    @cached_property
    def pull(self) -> Floats:
        """S_lambda beta: its block j is the vector g_j = lambda_j S_j beta."""
        return self.weights * self.beta

    @cached_property
    def residual_square(self) -> float:
        """||y - Z beta||^2."""
        return self._rest(float(self.beta @ (self.problem.cross + self.pull)))

    @cached_property
    def penalised_square(self) -> float:
        """||y - Z beta||^2 + beta' S_lambda beta, what the coefficients minimise."""
        return self._rest(float(self.beta @ self.problem.cross))

    def _rest(self, explained: float) -> float:
        """Residual sum of squares, bounded from below: rounding can make an exact fit negative."""
        return max(self.problem.square - explained, _SMALLEST_REST * self.problem.square)

    @cached_property
    def shrinkage(self) -> Floats:
        """t_j = lambda_j tr(M^-1 S_j): degrees of freedom that the penalty takes from term j."""
        return self.problem.sum_by_term(self.weights * self.inverse.diagonal())

    @cached_property
    def edf(self) -> Floats:
        """Effective degrees of freedom of each term, tr of its block of F = M^-1 A."""
        return np.bincount(self.problem.term_of) - self.shrinkage

    @cached_property
    def residual_df(self) -> float:
        """N - 1 - tr F."""
        return float(self.problem.n_rows - 1 - self.edf.sum())

    @cached_property
    def squared_inverse_by_term(self) -> Floats:
        """Q x p: column j is (M^-1 squared entry by entry) times block j of ``weights``."""
        return self.inverse**2 @ self.spread(self.weights)

    @cached_property
    def traces(self) -> Floats:
        """T_ij = lambda_i lambda_j tr(M^-1 S_i M^-1 S_j)."""
        return self.problem.sum_by_term(self.weights[:, None] * self.squared_inverse_by_term)

    @cached_property
    def pull_response(self) -> Floats:
        """Q x p: column j is M^-1 g_j, minus the derivative of beta by log lambda_j."""
        return self.inverse @ self.spread(self.pull)

    def spread(self, values: Floats) -> Floats:
        """Q x p matrix with block j of ``values`` in column j and zeros elsewhere."""
        out = np.zeros((len(values), len(self.problem.starts)))
        out[np.arange(len(values)), self.problem.term_of] = values
        return out
