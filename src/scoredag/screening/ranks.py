"""Dependence of columns as correlations between polynomials of their ranks.

With P_a the Legendre polynomial of degree a, and u and v the ranks of two columns,

    dependence = sum over a, b = 1, ..., q of corr(P_a(u), P_b(v))^2

is the leading part of the mean-square contingency of the two columns (Pearson's phi^2): it is zero
for independent columns and does not depend on increasing transforms of either. For independent
columns n times that sum has about a chi-square distribution with q^2 degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]

# Largest degree of the polynomials: the mechanisms of the paper (one length-scale of a Gaussian
# process over two standard deviations on either side) bend two or three times.
DEGREE = 4
# Rows from which dependences are estimated, evenly spaced where there are more: a squared
# correlation of 0.01 has a chi-square of 40 there.
_MOST_ROWS = 4000
# Share of a polynomial's variance that polynomials of lower degree must leave; ranks with few
# distinct values have fewer polynomials than degrees.
_SMALLEST_SHARE = 1e-6


def rank_features(X: Floats, degree: int = DEGREE) -> Floats:
    """Polynomials of the ranks of every column, orthonormal over the sample.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    degree : int, default=4
        Number of polynomials of a column.

    Returns
    -------
    ndarray of shape (m, d, degree)
        m is n, or fewer where there are more than 4,000 rows. Of a column with too few distinct
        values for its last polynomials these are zero.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> F = rank_features(X)
    >>> np.allclose(F[:, 0].T @ F[:, 0] / 100, np.eye(4))
    True
    >>> np.array_equal(rank_features(np.exp(X)), F)
    True
    """
    rows = np.linspace(0, len(X) - 1, min(len(X), _MOST_ROWS)).astype(int)
    n, d = len(rows), X.shape[1]
    ranks = (rankdata(X[rows], axis=0) - 0.5) / n
    raw = np.polynomial.legendre.legvander(2 * ranks - 1, degree)[..., 1:]
    features = np.zeros((n, d, degree), order="F")
    for a in range(degree):  # Gram-Schmidt in all columns at once; the constant is the mean
        f = raw[:, :, a] - raw[:, :, a].mean(axis=0)
        size = (f**2).mean(axis=0)
        for b in range(a):
            f -= (f * features[:, :, b]).mean(axis=0) * features[:, :, b]
        rest = (f**2).mean(axis=0)
        features[:, :, a] = f * np.where(
            rest > _SMALLEST_SHARE * size, 1 / np.sqrt(np.where(rest > 0, rest, 1)), 0
        )
    return features


def rank_dependence(X: Floats, degree: int = DEGREE) -> Floats:
    """Sum of squared correlations between the polynomials of each pair of columns.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric, with a zero diagonal.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 500))
    >>> y = np.cos(2 * x) + 0.5 * rng.normal(size=500)
    >>> rank_dependence(np.column_stack([x, y, z])).round(1)
    array([[0. , 0.7, 0. ],
           [0.7, 0. , 0. ],
           [0. , 0. , 0. ]])
    """
    features = rank_features(X, degree)
    n, d, _ = features.shape
    dependence = np.zeros((d, d))
    # Pair by pair of degrees, so that no matrix is larger than d x d.
    for a in range(degree):
        for b in range(degree):
            dependence += (features[:, :, a].T @ features[:, :, b] / n) ** 2
    np.fill_diagonal(dependence, 0.0)
    return dependence
