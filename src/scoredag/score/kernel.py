"""The Gaussian kernel matrix of a table whose columns are taken away one by one.

Two n x n buffers live as long as the object: squared distances, updated in place, and the
kernel, written anew from them and then overwritten by its Cholesky factor. Both are symmetric,
so only their lower triangles are ever computed. The buffers are ordered by rows: BLAS and LAPACK
see them transposed, and our lower triangle is their upper one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from scoredag.data.caller import stacklevel_of_user
from scoredag.exceptions import DataError, DataWarning

_PANEL_ROWS = 64
_STRICTLY_LOWER = np.tri(_PANEL_ROWS, k=-1, dtype=bool)
# Distances are computed afresh once a removed column was this much wider (squared) than what is
# left: subtracting it leaves rounding errors of that column's size behind.
_STALE_RATIO = 1e4


class GaussianKernel:
    """K = exp(-D / 2 s^2) of the rows of a table, D their squared distances, s a bandwidth.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table, finite, n at least 3. Shifting a column changes nothing but rounding.

    Attributes
    ----------
    X : ndarray of shape (n, m)
        The columns that are left, less their medians.
    bandwidth : float
        s, the median of the distances between rows i and j over all i, j = 1, ..., n
        (Algorithm 2), for the columns that are left.

    Examples
    --------
    >>> import numpy as np
    >>> kernel = GaussianKernel(np.array([[0.0, 9.0], [1.0, 9.0], [3.0, 9.0]]))
    >>> kernel.bandwidth
    1.0
    """

    X: NDArray[np.float64]
    bandwidth: float
    _widest_removed: float
    _rounding: float
    _has_negatives: bool

    def __init__(self, X: NDArray[np.float64]) -> None:
        X = np.asarray(X, dtype=np.float64)
        # Medians, since one outlier drags the mean so far away that the bulk of the rows would
        # lose its digits. Column by column in memory, as BLAS and LAPACK want what follows.
        self.X = np.asfortranarray(X - np.median(X, axis=0))
        n = len(X)
        self._distances = np.empty((n, n))
        self._kernel = np.empty((n, n))
        self._measure()
        self.bandwidth = self._median_distance()

    def remove(self, position: int) -> None:
        """Take the column at this position of `X` away and recompute the bandwidth."""
        x = self.X[:, position]
        self.X = np.delete(self.X, position, axis=1)
        self._add_outer_sum(-(x**2))
        self._add_products(2.0, x[:, None])
        self._widest_removed = max(self._widest_removed, float(np.ptp(x)) ** 2)
        if self._widest_removed > _STALE_RATIO * self.X.var(axis=0).sum():
            self._measure()
        self.bandwidth = self._median_distance()

    def multiply(self, B: NDArray[np.float64]) -> NDArray[np.float64]:
        """K B; writes K from the distances, in place of any earlier factor."""
        exponent = -0.5 / self.bandwidth**2
        for rows, columns in self._panels():
            panel = self._kernel[rows, columns]
            np.multiply(self._distances[rows, columns], exponent, out=panel)
            if self._has_negatives:  # by rounding, between rows that are nearly equal
                np.minimum(panel, 0.0, out=panel)
            np.exp(panel, out=panel)
        return blas.dsymm(1.0, self._kernel.T, np.asfortranarray(B), lower=0)

    def solve(self, B: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
        """(K + ridge I)^-1 B for the K of the last `multiply`, which the factor overwrites."""
        n = len(self._kernel)
        self._kernel.flat[:: n + 1] += ridge
        factor, info = lapack.dpotrf(self._kernel.T, lower=0, clean=0, overwrite_a=1)
        if info != 0:
            raise DataError(
                f"The kernel matrix plus {ridge:g} on its diagonal is not positive definite in "
                "double precision: standardise the columns, or use a larger eta."
            )
        return lapack.dpotrs(factor, np.asfortranarray(B), lower=0, overwrite_b=1)[0]

    def _panels(self) -> Iterator[tuple[slice, slice]]:
        n = len(self._distances)
        for start in range(0, n, _PANEL_ROWS):
            stop = min(start + _PANEL_ROWS, n)
            yield slice(start, stop), slice(0, stop)

    def _measure(self) -> None:
        """Squared distances afresh, |x_i|^2 + |x_j|^2 - 2 x_i'x_j."""
        norms = np.einsum("ij,ij->i", self.X, self.X)
        self._distances[:] = 0.0
        self._add_outer_sum(norms)
        self._add_products(-2.0, self.X)
        self._widest_removed = 0.0
        # Equal rows have a squared distance of about eps |x|^2 instead of zero.
        typical = float(np.median(norms[norms > 0])) if norms.any() else 0.0
        self._rounding = 64 * np.finfo(float).eps * typical

    def _add_outer_sum(self, v: NDArray[np.float64]) -> None:
        """Add v_i + v_j to every distance, in place."""
        ones = np.ones((len(v), 1))
        blas.dsyr2k(1.0, v[:, None], ones, 1.0, self._distances.T, lower=0, overwrite_c=1)

    def _add_products(self, factor: float, A: NDArray[np.float64]) -> None:
        """Add a multiple of A A' to the distances, in place."""
        blas.dsyrk(factor, A, 1.0, self._distances.T, lower=0, overwrite_c=1)

    def _median_distance(self) -> float:
        """Median over all n^2 ordered pairs of rows: n zeros, then every distance twice."""
        n = len(self._distances)
        pairs = self._pairs()
        low, high = ((n * n - 1) // 2 - n) // 2, (n * n // 2 - n) // 2
        pairs.partition(high)  # one pivot: NumPy vectorises that, and not a list of two
        below = pairs[: high + 1] if low == high else pairs[:high]
        self._has_negatives = bool(below.min() < 0)
        median = float(np.sqrt(np.maximum([below.max(), pairs[high]], 0.0)).mean())
        if median**2 > self._rounding:
            return median
        return self._median_positive_distance(pairs)

    def _median_positive_distance(self, pairs: NDArray[np.float64]) -> float:
        """Bandwidth of last resort, where the plain median is zero."""
        positive = pairs[pairs > self._rounding]
        if not len(positive):
            raise DataError("All rows are equal: there is no variation to learn from.")
        warnings.warn(
            "At least half of all pairs of rows are equal in the columns that are left, so their "
            "median distance is zero; the median of the other distances is the kernel's bandwidth "
            "instead. The order among these columns means little: are they continuous?",
            DataWarning,
            stacklevel=stacklevel_of_user(),
        )
        return float(np.sqrt(np.median(positive)))

    def _pairs(self) -> NDArray[np.float64]:
        """All n (n - 1) / 2 squared distances, in the memory of the kernel, free at this point."""
        n = len(self._distances)
        pairs = self._kernel.ravel()[: n * (n - 1) // 2]
        filled = 0
        for rows, _ in self._panels():
            left = self._distances[rows, : rows.start]
            corner = self._distances[rows, rows]
            corner = corner[_STRICTLY_LOWER[: len(corner), : len(corner)]]
            for part in (left.ravel(), corner):
                pairs[filled : filled + part.size] = part
                filled += part.size
        return pairs
