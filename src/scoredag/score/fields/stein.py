"""The Stein estimators of the score and of its Jacobian, in matrix form.

With K the kernel matrix, s its bandwidth, r = K 1, and products taken row by row, the sums over
pairs of samples in the paper reduce to products with K, so that no n x n x d tensor appears:

====================================================  =============================
``g = -(X r - K X) / s^2``                            -<grad, K> of eq. (3.4)
``h = -r / s^2 + (X^2 r - 2 X K X + K X^2) / s^4``    <grad^2_diag, K> of eq. (4.7)
``[G, B] = (K + eta s I)^-1 [g, h]``                  one Cholesky factor for both
``J = B - G^2``                                       eq. (4.7)
====================================================  =============================

The published experiments divide the kernel by s. The factor cancels in ``[G, B]`` but for the
ridge: with the plain kernel it is eta s.

References
----------
P. Rolland, V. Cevher, M. Kleindessner, C. Russell, B. Schölkopf, D. Janzing and F. Locatello.
Score matching enables causal discovery of nonlinear additive noise models. ICML 2022.
Y. Li and R. E. Turner. Gradient estimators for implicit models. ICLR 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import is_number
from scoredag.costs import exact_leaf, exact_memory
from scoredag.data.arrays import as_finite_matrix
from scoredag.data.budget import refuse_beyond_budget
from scoredag.exceptions import warn
from scoredag.score.kernel import GaussianKernel

Floats = NDArray[np.float64]

# Against a kernel that is 1 on its diagonal. On the paper's data in other units the order is as
# good within these bounds and gets worse beyond them.
_SMALLEST_RIDGE, _LARGEST_RIDGE = 1e-7, 1.0


class SteinField:
    """Stein estimates on a shrinking set of columns; a `scoredag.score.ScoreField`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge of both regressions; the paper's constant.
    quiet : bool, default=False
        Whether to leave out the warning about a ridge far from that of the paper's experiments.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are left.
    ridge_problem : str or None
        What that warning says of the table, if anything.

    Notes
    -----
    Memory is two n x n matrices, time O(n^3 / 3 + n^2 m) a call. Not for more than about
    20,000 rows.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.score import SteinField
    >>> field = SteinField(np.random.default_rng(0).normal(size=(50, 3)))
    >>> field.remove(1)
    >>> field.columns
    array([0, 2])
    >>> field.score().shape
    (50, 2)
    """

    def __init__(self, X: ArrayLike, eta: float = 1e-3, *, quiet: bool = False) -> None:
        X = as_finite_matrix(X)
        if len(X) < 3:
            raise ValueError(f"X must be a table of at least 3 rows; got shape {X.shape}")
        if not (is_number(eta) and 0 < eta < np.inf):
            raise ValueError(f"eta must be a positive number; got {eta!r}")
        refuse_beyond_budget(
            exact_memory(len(X), 1),
            f"The exact score of {len(X):,} rows, which needs two matrices of as many rows and "
            "columns,",
            "Choose score_estimator='low_rank', or draw fewer rows.",
        )
        self.eta = eta
        self.columns = np.arange(X.shape[1])
        self._kernel = GaussianKernel(X)
        self.ridge_problem = about_ridge(eta, self._kernel.bandwidth)
        if self.ridge_problem and not quiet:
            warn(self.ridge_problem)

    @property
    def description(self) -> str:
        """The estimates in a few words, for results."""
        return f"exact Stein estimates: {len(self._kernel.X):,} rows"

    @property
    def X(self) -> Floats:
        """The samples in the columns that are left, less their medians: n x m."""
        return self._kernel.X

    def score(self) -> Floats:
        """Stein gradient estimator, eq. (3.4): n x m."""
        X = self._kernel.X
        KX, _, r = self._multiply_by_kernel(X, X[:, :0])
        return self._solve(self._gradient_side(X, KX, r))

    def jacobian_diagonal(self, columns: ArrayLike | None = None) -> Floats:
        """Stein Hessian estimator, eq. (4.7): the derivatives d s_j / d x_j at the samples.

        Parameters
        ----------
        columns : array-like of int, optional
            Some of the columns that are left; by default all. A column costs 8 n^2 flops, beside
            the n^3 / 3 of the factorisation.

        Returns
        -------
        ndarray of shape (n, m), a column for each of ``columns``
        """
        X, s = self._kernel.X, self._kernel.bandwidth
        if columns is not None:
            X = X[:, [self._position(column) for column in np.asarray(columns)]]
        m = X.shape[1]
        KX, KX2, r = self._multiply_by_kernel(X, X**2)
        h = -r / s**2 + (X**2 * r - 2 * X * KX + KX2) / s**4
        solution = self._solve(np.hstack([self._gradient_side(X, KX, r), h]))
        G, B = solution[:, :m], solution[:, m:]
        return B - G**2

    def jacobian_row(self, column: int) -> Floats:
        """Estimates of d s_l / d x_j at the samples for l = ``column``: n x m."""
        X, s, m = self._kernel.X, self._kernel.bandwidth, len(self.columns)
        row = self._position(column)
        x = X[:, [row]]
        KX, KxX, r = self._multiply_by_kernel(X, x * X)
        # sum_i (x_k - x_i)_l (x_k - x_i)_j K_ki, multiplied out
        h = (x * X * r - x * KX - X * KX[:, [row]] + KxX) / s**4
        h[:, [row]] -= r / s**2
        solution = self._solve(np.hstack([self._gradient_side(X, KX, r), h]))
        G, B = solution[:, :m], solution[:, m:]
        return B - G[:, [row]] * G

    def diagonal_moments(self, columns: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """Mean and variance over the samples of `jacobian_diagonal`, of all columns or of some."""
        J = self.jacobian_diagonal(columns)
        return J.mean(axis=0), J.var(axis=0)

    def leaf_work(self, left: int, asked: int) -> float:
        """Estimated seconds of the criterion of some columns."""
        return exact_leaf(len(self.X), asked).seconds()

    def remove(self, column: int) -> None:
        """Go on with the marginal of the other columns."""
        position = self._position(column)
        if len(self.columns) == 1:
            raise ValueError(f"column {column} is the last one: there is no score without columns")
        self._kernel.remove(position)
        self.columns = np.delete(self.columns, position)

    def _position(self, column: int) -> int:
        positions = np.flatnonzero(self.columns == column)
        if not len(positions):
            raise ValueError(f"column {column} is not among the columns left, {self.columns}")
        return int(positions[0])

    def _multiply_by_kernel(self, X: Floats, extra: Floats) -> tuple[Floats, Floats, Floats]:
        """K X for some columns X, K times the extra columns, and r = K 1, in one product."""
        m = X.shape[1]
        product = self._kernel.multiply(np.hstack([X, extra, np.ones((len(X), 1))]))
        return product[:, :m], product[:, m:-1], product[:, -1:]

    def _solve(self, right_side: Floats) -> Floats:
        return self._kernel.solve(right_side, ridge=self.eta * self._kernel.bandwidth)

    def _gradient_side(self, X: Floats, KX: Floats, r: Floats) -> Floats:
        return -(X * r - KX) / self._kernel.bandwidth**2


def about_ridge(eta: float, bandwidth: float) -> str | None:
    """Far from the scale of the paper's experiments its ridge is too large or too small.

    Examples
    --------
    >>> about_ridge(1e-3, 2.0) is None, about_ridge(1e-3, 1e4)[:21]
    (True, 'rows are about 1e+04 ')
    """
    ridge = eta * bandwidth
    if _SMALLEST_RIDGE <= ridge <= _LARGEST_RIDGE:
        return None
    effect = "smooths the score away" if ridge > 1 else "leaves the noise in the score"
    return (
        f"rows are about {bandwidth:.3g} apart, and the ridge grows with that "
        f"distance: eta={eta:g} {effect}, and what is found may not be worth much. "
        "Standardise the columns, or choose another eta."
    )


PIECE = SteinField
