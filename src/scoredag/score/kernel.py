"""The Gaussian kernel matrix of a table whose columns are taken away one by one.

Two n x n buffers live as long as the object: squared distances, updated in place, and the
kernel, written anew from them and then overwritten by its Cholesky factor. Both are symmetric,
so only their lower triangles are ever computed; the rest of the distances is infinite, so that
whole rows can be compared without counting a pair twice. The buffers are ordered by rows: BLAS
and LAPACK see them transposed, and our lower triangle is their upper one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from scoredag.exceptions import DataError, warn
from scoredag.score.cholesky import factorise_lower

# Rows that are worked on at a time, so that they stay in the cache between two passes.
_PANEL_ROWS = 64
# A sample of so many distances for each row brackets the median; a shift of k rows and one of
# n - k together pair every row with two others, so no row counts more than another.
_SHIFTS = 10
# Up to so many rows all distances are sorted out as quickly as a sample of them.
_FEW_ROWS = 500
# Distances are computed afresh once a removed column was this much wider (squared) than what is
# left: subtracting it leaves rounding errors of that column's size behind.
_STALE_RATIO = 1e4
# Errors of squared distances, in squared bandwidths, that the kernel does not show.
_NEGLIGIBLE = 1e-6
_LARGEST_SQUARE = 1e300
# Up to so many rows one call of BLAS or LAPACK takes less than a second; beyond, work is cut into
# pieces, between which Python sees an interrupt.
_MOST_ROWS_AT_ONCE = 4000
_COLUMNS_AT_ONCE = 16
_ANY = np.finfo(float).max


EQUAL_ROWS = (
    "At least half of all pairs of rows are equal in the columns that are left, so their median "
    "distance is zero; the median of the other distances is the kernel's bandwidth instead. The "
    "order among these columns means little: are they continuous?"
)


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
    _bulk: NDArray[np.float64]
    _widest_removed: float
    _rounding: float
    _largest_rounding: float

    def __init__(self, X: NDArray[np.float64]) -> None:
        X = np.asarray(X, dtype=np.float64)
        # Medians, since one outlier drags the mean so far away that the bulk of the rows would
        # lose its digits. Column by column in memory, as BLAS and LAPACK want what follows.
        self.X = np.asfortranarray(X - np.median(X, axis=0))
        n = len(X)
        self._distances = np.empty((n, n))
        self._kernel = np.empty((n, n))
        self._measure()
        quartiles = np.quantile(self.X, [0.25, 0.75], axis=0)
        self._bulk = (quartiles[1] - quartiles[0]) ** 2  # squared widths of the columns
        self.bandwidth = self._median_distance()

    def remove(self, position: int) -> None:
        """Take the column at this position of `X` away and recompute the bandwidth."""
        x = self.X[:, position]
        self.X = np.delete(self.X, position, axis=1)
        # -(x_i - x_j)^2 = (-x_i^2 1 + x_i x_j) + (-1 x_j^2 + x_i x_j)
        self._add_symmetric(np.column_stack([-(x**2), x]), np.column_stack([np.ones_like(x), x]))
        self._widest_removed = max(self._widest_removed, float(np.ptp(x)) ** 2)
        self._bulk = np.delete(self._bulk, position)
        if self._widest_removed > _STALE_RATIO * self._bulk.sum():
            self._measure()
        self.bandwidth = self._median_distance()

    def multiply(self, B: NDArray[np.float64]) -> NDArray[np.float64]:
        """K B; writes K from the distances, in place of any earlier factor."""
        n = len(self._kernel)
        exponent = -0.5 / self.bandwidth**2 / np.log(2)  # NumPy's exp2 is quicker than its exp
        rounding_matters = self._largest_rounding > _NEGLIGIBLE * self.bandwidth**2
        scratch = np.empty(_PANEL_ROWS * n)
        for start, stop in pairwise([*range(0, n, _PANEL_ROWS), n]):
            panel = scratch[: (stop - start) * stop].reshape(stop - start, stop)
            np.multiply(self._distances[start:stop, :stop], exponent, out=panel)
            if rounding_matters:  # rows that are nearly equal may be less than nothing apart
                np.minimum(panel, 0.0, out=panel)
            np.exp2(panel, out=panel)
            self._kernel[start:stop, :stop] = panel
        self._kernel.flat[:: n + 1] = 1.0
        return _by_columns(lambda b: blas.dsymm(1.0, self._kernel.T, b, lower=0), B)

    def solve(self, B: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
        """(K + ridge I)^-1 B for the K of the last `multiply`, which the factor overwrites."""
        n = len(self._kernel)
        self._kernel.flat[:: n + 1] += ridge
        if not self._factorise():
            raise DataError(
                f"The kernel matrix plus {ridge:g} on its diagonal is not positive definite in "
                "double precision: standardise the columns, or use a larger eta."
            )
        return _by_columns(lambda b: lapack.dpotrs(self._kernel.T, b, lower=0)[0], B)

    def _factorise(self) -> bool:
        """Overwrite the kernel by its Cholesky factor; False if it has none."""
        if len(self._kernel) > _MOST_ROWS_AT_ONCE:
            return factorise_lower(self._kernel)
        _, info = lapack.dpotrf(self._kernel.T, lower=0, clean=0, overwrite_a=1)
        return info == 0

    def _measure(self) -> None:
        """Squared distances afresh, |x_i|^2 + |x_j|^2 - 2 x_i'x_j."""
        norms = np.einsum("ij,ij->i", self.X, self.X)
        if self.X.any() and not 1 / _LARGEST_SQUARE < norms.max() < _LARGEST_SQUARE:
            raise DataError(
                f"values up to {np.abs(self.X).max():.1g} from the median are too large or too "
                "small to be squared: change the units of the columns."
            )
        # In panels: the system provides memory as it is written to, 20,000 rows in four seconds.
        for start in range(0, len(norms), _PANEL_ROWS):
            self._distances[start : start + _PANEL_ROWS] = np.inf
        self._add_symmetric(norms[:, None], np.ones((len(norms), 1)), keep=0.0)
        blas.dsyrk(-2.0, self.X, 1.0, self._distances.T, lower=0, overwrite_c=1)
        np.fill_diagonal(self._distances, np.inf)
        self._widest_removed = 0.0
        # Equal rows have a squared distance of about eps |x|^2 instead of zero.
        typical = float(np.quantile(norms[norms > 0], 0.5, method="lower")) if norms.any() else 0.0
        self._rounding = 64 * np.finfo(float).eps * typical
        self._largest_rounding = 64 * np.finfo(float).eps * float(norms.max())

    def _add_symmetric(
        self, A: NDArray[np.float64], B: NDArray[np.float64], keep: float = 1.0
    ) -> None:
        """Add A B' + B A' to the distances, or to that part of them, in place."""
        blas.dsyr2k(1.0, A, B, keep, self._distances.T, lower=0, overwrite_c=1)

    def _median_distance(self) -> float:
        """Median over all n^2 ordered pairs of rows: n zeros, then every distance twice."""
        n = len(self._distances)
        squares = self._ranked(((n * n - 1) // 2 - n) // 2, (n * n // 2 - n) // 2)
        median = float(np.sqrt(np.maximum(squares, 0.0)).mean())
        if median**2 > self._rounding:
            return median
        return self._median_positive_distance()

    def _median_positive_distance(self) -> float:
        """Bandwidth of last resort, where the plain median is zero."""
        positive = self._between(np.nextafter(self._rounding, np.inf), _ANY)[1]
        if not len(positive):
            raise DataError("All rows are equal: there is no variation to learn from.")
        warn(EQUAL_ROWS)
        return float(np.sqrt(np.median(positive)))

    def _ranked(self, low: int, high: int) -> list[float]:
        """Squared distances of two ranks, equal or successive, among the n (n - 1) / 2 pairs."""
        least, most = self._bracket(high) if len(self.X) > _FEW_ROWS else (-_ANY, _ANY)
        below, inside = self._between(least, most)
        if not below <= low <= high < below + len(inside):
            below, inside = self._between(-_ANY, _ANY)  # the bracket has missed them
        inside.partition(high - below)  # one pivot: NumPy vectorises that, and not a list of two
        upper = float(inside[high - below])
        return [upper if low == high else float(inside[: high - below].max()), upper]

    def _bracket(self, rank: int) -> tuple[float, float]:
        """Bounds that hold the squared distance of this rank, with great probability."""
        n = len(self._distances)
        shifts = np.unique(np.linspace(1, n // 2, _SHIFTS).astype(int))
        diagonals = [self._distances.diagonal(-shift) for shift in (*shifts, *(n - shifts))]
        sample = np.concatenate(diagonals)
        centre = rank * len(sample) / (n * (n - 1) / 2)
        margin = 2 * np.sqrt(len(sample))  # four standard errors of the rank of a median
        ends = np.clip([centre - margin, centre + margin], 0, len(sample) - 1).astype(int)
        least, most = (float(np.partition(sample, end)[end]) for end in ends)
        return least, most

    def _between(self, least: float, most: float) -> tuple[int, NDArray[np.float64]]:
        """How many squared distances are below a bracket, and those inside.

        The latter are in the memory of the kernel, which is free at this point.
        """
        n = len(self._distances)
        not_above, found = 0, 0
        inside = self._kernel.ravel()
        for start in range(0, n, _PANEL_ROWS):
            panel = self._distances[start : start + _PANEL_ROWS].ravel()
            selected = panel <= most
            not_above += int(np.count_nonzero(selected))
            selected &= panel >= least
            places = np.flatnonzero(selected)
            np.take(panel, places, out=inside[found : found + len(places)], mode="clip")
            found += len(places)
        return not_above - found, inside[:found]


def _by_columns(
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]], B: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Apply a linear function to the columns of a matrix, a few at a time where rows are many."""
    if len(B) <= _MOST_ROWS_AT_ONCE:
        return function(np.asfortranarray(B))
    parts = range(0, B.shape[1], _COLUMNS_AT_ONCE)
    return np.hstack([function(np.asfortranarray(B[:, k : k + _COLUMNS_AT_ONCE])) for k in parts])
