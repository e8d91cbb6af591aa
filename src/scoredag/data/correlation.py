"""Correlations, and how well each column is a linear function of the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Keeps the inverse finite where columns are exactly collinear; far below any R^2 that is reported.
RIDGE = 1e-12


def standardise(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre the columns and scale them to unit length, so that ``Z.T @ Z`` holds correlations.

    Examples
    --------
    >>> Z = standardise(np.array([[1.0, 5.0], [2.0, 3.0], [3.0, 1.0]]))
    >>> (Z.T @ Z).round(6).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    Z = X - X.mean(axis=0)
    Z /= abs(Z).max(axis=0)
    return Z / np.sqrt(np.einsum("ij,ij->j", Z, Z))


def r_squared_on_others(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Regress each column linearly on all the others and return the adjusted R^2 of each.

    One inverse of the correlation matrix serves all d regressions: the j-th diagonal entry of
    the inverse is 1 / (1 - R_j^2).

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        No constant columns, and n > d.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> X[:, 2] = X[:, 0] + X[:, 1] + 0.001 * X[:, 2]
    >>> r_squared_on_others(X).round(4).tolist()
    [1.0, 1.0, 1.0]
    """
    n, d = X.shape
    Z = standardise(X)
    inverse = np.linalg.inv(Z.T @ Z + RIDGE * np.eye(d))
    unexplained = 1 / np.maximum(np.diag(inverse), 1.0)
    return 1 - unexplained * (n - 1) / (n - d)
