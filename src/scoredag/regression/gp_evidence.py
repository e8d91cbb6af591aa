"""The evidence of a Gaussian process for one column as a joint function of others.

The function has the kernel

    k(x, x') = a exp(-1/2 sum_k r_k^2 (x_k - x'_k)^2),

with one relevance r_k for each predictor: the inverse of its length-scale, so that r_k = 0 removes
the predictor. The amplitude a is relative to the variance of the noise, which is profiled out: with
M = K + I = CC', b = M^-1 y and q = y'b = |C^-1 y|^2,

    L = n/2 log(q / n) + 1/2 log |M|

is the negative log marginal likelihood up to a constant, and 0 for y of unit variance without
any predictor. With P = M^-1 - n/q b b' its derivatives are 1/2 sum(P * dM), matrix products
throughout: for W = P * K, dL/d log a = 1/2 sum(W) and
dL/dr_k = -r_k (sum_i x_ik^2 (W 1)_i - x_k' W x_k).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.lapack import routines
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]

# Rows of a matrix that are worked on at a time, so that they stay in the cache.
_PANEL_ROWS = 64


class Slope(NamedTuple):
    """L and its derivatives by the logarithm of the amplitude and by the relevances."""

    value: float
    by_log_amplitude: float
    by_relevances: Floats


class LeaveOneOut(NamedTuple):
    """The terms of L, standardised residuals, and the share of free residuals.

    Residuals are standardised up to the standard deviation sqrt(q / n) of the noise. The share is
    tr(M^-1) / n, one minus the mean leverage: the degrees of freedom that the function leaves to
    n residuals, over n.
    """

    terms: tuple[int, float, float]
    residuals: Floats
    share: float


class JointEvidence:
    """Negative log marginal likelihood of a column given others, and its gradient.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        The predictors, with standard deviations of about 1.
    y : ndarray of shape (n,)
        The response, of mean 0.
    log_variance : ndarray of shape (n,), optional
        Logarithms w of the variances of the noise, up to a common factor, for M = K + diag(exp w);
        by default 0. With D = diag(exp(w/2)), M = D (D^-1 K D^-1 + I) D: rows are divided by D.
    mixed : bool, default=False
        Use single precision where M is well conditioned: see `SearchSettings.single_condition`.
    settings : SearchSettings
        Tuned numbers.

    Notes
    -----
    Time O(n^3): about 6 ms for 500 rows and 35 ms for 1000 with the gradient, less than half of
    that without, and about half of all these in single precision. Memory two n x n matrices of
    each precision in use, which every call overwrites: one object a thread.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.data.standardise import standardise
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(200, 2))
    >>> y = np.sin(2 * x[:, 0]) + 0.3 * rng.normal(size=200)
    >>> evidence = JointEvidence(x, standardise(y))
    >>> with_both = evidence.value(0.0, np.array([1.0, 1.0]))
    >>> with_cause = evidence.value(0.0, np.array([1.0, 0.0]))
    >>> bool(with_cause < with_both < 0)
    True
    """

    def __init__(
        self,
        X: Floats,
        y: Floats,
        log_variance: Floats | None = None,
        *,
        mixed: bool = False,
        settings: SearchSettings = SEARCH,
    ) -> None:
        self._X = np.asfortranarray(X)
        self._half = np.zeros(len(y)) if log_variance is None else 0.5 * log_variance
        self._y = np.ascontiguousarray(y * np.exp(-self._half))
        # The largest eigenvalue of D^-1 K D^-1 is at most its trace, a sum(exp(-w)), and the
        # smallest one of M is at least 1.
        self._log_trace = float(np.log(np.exp(-2 * self._half).sum()))
        self._log_single = np.log(settings.single_condition) if mixed else -np.inf
        self._workspaces = dict[bool, _Workspace]()

    def value(self, log_amplitude: float, relevances: Floats) -> float:
        """L at these hyper-parameters; infinite where M cannot be factorised."""
        return profiled([self.terms(log_amplitude, relevances)])

    def terms(self, log_amplitude: float, relevances: Floats) -> tuple[int, float, float]:
        """The terms of L: n, q and 1/2 log |M|, to be summed over blocks of rows."""
        return self._terms(*self._factorise(self._kernel(log_amplitude, relevances)))

    def residuals(self, log_amplitude: float, relevances: Floats) -> Floats:
        """Residuals y - K b = b of the posterior mean; NaN where M cannot be factorised."""
        work, half = self._factorise(self._kernel(log_amplitude, relevances))
        work.routines.solve_factor(work.factor, half, transposed=True)
        return half.astype(float)

    def leave_one_out(self, log_amplitude: float, relevances: Floats) -> LeaveOneOut:
        """The terms of L, and leave-one-out residuals over their standard deviations.

        With P = M^-1 the leave-one-out residual is b_i / P_ii, of variance P_ii^-1 in units of the
        noise's (Rasmussen and Williams, 2006, section 5.4.2).
        """
        work, half = self._factorise(self._kernel(log_amplitude, relevances))
        terms = self._terms(work, half)
        if not np.isfinite(terms[2]):
            return LeaveOneOut(terms, half.astype(float), np.nan)
        b = half
        work.routines.solve_factor(work.factor, b, transposed=True)
        diagonal = work.routines.inverse_diagonal(work.factor)
        return LeaveOneOut(terms, b / np.sqrt(diagonal), float(diagonal.mean()))

    def slope(self, log_amplitude: float, relevances: Floats) -> Slope:
        """L and its derivatives; the derivative by a relevance of 0 is 0."""
        work, half = self._factorise(self._kernel(log_amplitude, relevances), keep_kernel=True)
        terms, active = self._terms(work, half), np.flatnonzero(relevances)
        n, q, _ = terms
        gradient, value = np.zeros(len(relevances)), profiled([terms])
        if not np.isfinite(value):
            return Slope(value, 0.0, gradient)
        b, P = half, work.factor
        work.routines.solve_factor(work.factor, b, transposed=True)
        work.routines.invert_from_factor(P)
        work.routines.add_outer(P, -n / q, b)
        P *= work.kernel  # now W
        X = self._X[:, active]
        predictors = np.hstack([X, np.ones((n, 1))]).astype(work.dtype, order="F")
        product = work.routines.times(P, predictors).astype(float)
        row_sums = product[:, -1]
        curvature = (X**2).T @ row_sums - np.einsum("ij,ij->j", X, product[:, :-1])
        gradient[active] = -relevances[active] * curvature
        return Slope(value, 0.5 * float(row_sums.sum()), gradient)

    def _kernel(self, log_amplitude: float, relevances: Floats) -> _Workspace:
        """Lower triangle of K, in the precision that its condition allows."""
        single = log_amplitude + self._log_trace < self._log_single
        if single not in self._workspaces:
            self._workspaces[single] = _Workspace(len(self._y), single)
        work = self._workspaces[single]
        n, active = len(self._y), np.flatnonzero(relevances)
        scaled = self._X[:, active] * relevances[active]
        own, one = 0.5 * (log_amplitude - (scaled**2).sum(axis=1)) - self._half, np.ones(n)
        # The exponents are x_i' x_j + own_i + own_j, as one product; NumPy's exp2 is quicker than
        # its exp. Exponents are differences of large numbers: the product has double precision.
        left = np.column_stack([scaled, own, one]) / np.log(2)
        right = np.vstack([scaled.T, one, own])
        by_rows = work.kernel.T  # rows from the diagonal on are contiguous here
        scratch = np.empty(_PANEL_ROWS * n)
        for start in range(0, n, _PANEL_ROWS):
            rows = by_rows[start : start + _PANEL_ROWS, start:]
            panel = scratch[: rows.size].reshape(rows.shape)
            np.matmul(left[start : start + _PANEL_ROWS], right[:, start:], out=panel)
            np.exp2(panel, out=rows, dtype=work.dtype, casting="same_kind")
        return work

    def _factorise(self, work: _Workspace, keep_kernel: bool = False) -> tuple[_Workspace, Any]:
        """Compute the Cholesky factor C of M, and return C^-1 y; NaN if that fails."""
        if keep_kernel:
            work.factor[...] = work.kernel
        else:
            work.kernel, work.factor = work.factor, work.kernel
        n = len(work.factor)
        diagonal = work.factor.reshape(-1, order="F")[:: n + 1]
        diagonal += 1.0
        if not work.routines.factorise(work.factor):
            work.factor.fill(np.nan)
            return work, np.full(n, np.nan)
        half = self._y.astype(work.dtype)
        work.routines.solve_factor(work.factor, half)
        return work, half

    def _terms(self, work: _Workspace, half: Any) -> tuple[int, float, float]:
        """n, q = |C^-1 y|^2 and 1/2 log |M|, from the factor of D^-1 M D^-1."""
        n = len(half)
        diagonal = work.factor.reshape(-1, order="F")[:: n + 1].astype(float)
        half = half.astype(float)
        return n, float(half @ half), float(np.log(diagonal).sum() + self._half.sum())


class _Workspace:
    """Two matrices, which every evaluation overwrites, and the routines of their precision."""

    def __init__(self, n: int, single: bool) -> None:
        self.dtype = np.dtype(np.float32 if single else np.float64)
        # Kept, since allocating matrices of this size takes time.
        self.kernel, self.factor = np.zeros((2, n, n), self.dtype).swapaxes(1, 2)
        self.routines = routines(self.dtype)


def profiled(terms: Iterable[tuple[int, float, float]]) -> float:
    """L of blocks of rows that share the variance of the noise, each with a function of its own.

    Parameters
    ----------
    terms : iterable of tuple
        From `JointEvidence.terms`, one for each block. Infinite if a factorisation has failed.

    Examples
    --------
    >>> profiled([(100, 100.0, 0.0)])
    0.0
    """
    n, q, half_log_determinant = (sum(part) for part in zip(*terms, strict=True))
    if not q > 0:
        return np.inf
    return float(0.5 * n * np.log(q / n) + half_log_determinant)
