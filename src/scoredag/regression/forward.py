"""One additive regression that grows term by term, as a block Cholesky factorisation.

With M the penalised Gram matrix of the candidate terms and P the coefficients of the terms in the
regression, V = L^-1 M[P, :] is kept, L the Cholesky factor of M[P, P]; the inner products of the
terms with the residuals, Z'y - V'(L^-1 Z_P'y); and the diagonal blocks of the Schur complement,
M_kk - V_k'V_k. One more term costs a few small products instead of new fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SMALLEST_REST = 1e-12  # of the total sum of squares
_JITTER = 1e-9  # on the diagonal of blocks of unit size


@dataclass(frozen=True)
class ForwardRegression:
    """A regression of one column on the smooth terms that were added so far.

    Attributes
    ----------
    M : ndarray of shape (m q, m q)
        Penalised Gram matrix of m terms with q coefficients each.
    V : ndarray of shape (p q, m q)
        L^-1 M[P, :] for the p terms in the regression.
    cross : ndarray of shape (m, q)
        Inner products of each term with the residuals.
    schur : ndarray of shape (m, q, q)
        Diagonal blocks of the Schur complement of M[P, P], one for each term.
    total, rest : float
        Sum of squares of the column, and the penalised residual sum of squares.
    """

    M: Floats
    V: Floats
    cross: Floats
    schur: Floats
    total: float
    rest: float

    @classmethod
    def of(
        cls,
        gram: Floats,
        cross: Floats,
        weights: Floats,
        total: float,
        terms: Sequence[int] | None = None,
    ) -> ForwardRegression:
        """The regression without terms, from what `AdditiveDesign.padded` returns.

        Parameters
        ----------
        gram, cross, weights : ndarray
            Inner products of the terms with each other and with the column, and penalties.
        total : float
            Sum of squares of the column.
        terms : sequence of int, optional
            Terms that may be added; by default all.
        """
        q = weights.shape[1]
        if terms is not None:
            rows = (np.asarray(terms, dtype=np.intp)[:, None] * q + np.arange(q)).ravel()
            gram, cross, weights = gram[np.ix_(rows, rows)], cross[rows], weights[list(terms)]
        m = len(weights)
        return cls(
            M=gram + np.diag(weights.ravel()),
            V=np.empty((0, m * q)),
            cross=cross.reshape(m, q),
            schur=np.eye(q) * (1 + weights)[:, None, :],  # columns of a term are orthonormal
            total=float(total),
            rest=float(total),
        )

    def of_column(self, cross: Floats, total: float) -> ForwardRegression:
        """The regression of another column on the same terms, none of which was added yet.

        It shares the Gram matrix: a copy for each of d columns would take d^3 numbers.
        """
        return replace(
            self, cross=cross.reshape(self.cross.shape), total=float(total), rest=float(total)
        )

    def gains(self, allowed: NDArray[np.bool_] | None = None) -> Floats:
        """Drop of the log residual variance for each term that may join; -inf for others."""
        if allowed is None:
            allowed = np.ones(len(self.cross), dtype=bool)
        gains = np.full(len(self.cross), -np.inf)
        r = self.cross[allowed]
        explained = np.einsum("ki,kij,kj->k", r, np.linalg.inv(self._jittered[allowed]), r)
        rest = np.maximum(self.rest - explained, _SMALLEST_REST * self.total)
        gains[allowed] = np.log(self.rest / rest)
        return gains

    def with_term(self, term: int) -> ForwardRegression:
        """The regression with one more term."""
        m, q = self.cross.shape
        rows = slice(term * q, (term + 1) * q)
        L = np.linalg.cholesky(self._jittered[term])
        new = np.linalg.solve(L, self.M[rows] - self.V[:, rows].T @ self.V)
        fitted = np.linalg.solve(L, self.cross[term])
        by_block = new.reshape(q, m, q).transpose(1, 0, 2)
        return replace(
            self,
            V=np.vstack([self.V, new]),
            cross=self.cross - (new.T @ fitted).reshape(m, q),
            schur=self.schur - by_block.transpose(0, 2, 1) @ by_block,
            rest=max(self.rest - float(fitted @ fitted), _SMALLEST_REST * self.total),
        )

    @property
    def _jittered(self) -> Floats:
        return self.schur + _JITTER * np.eye(self.cross.shape[1])
