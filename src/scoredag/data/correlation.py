"""Correlations, and how well each column is a linear function of the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Keeps the inverse finite where columns are exactly collinear; far below any R^2 that is reported.
RIDGE = 1e-12


def unit_columns(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre the columns and scale them to unit length, so that ``Z.T @ Z`` holds correlations.

    Examples
    --------
    >>> Z = unit_columns(np.array([[1.0, 5.0], [2.0, 3.0], [3.0, 1.0]]))
    >>> (Z.T @ Z).round(6).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    Z = X - X.mean(axis=0)
    Z /= abs(Z).max(axis=0)
    return Z / np.sqrt(np.einsum("ij,ij->j", Z, Z))


def unexplained_share(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of each column's variance that no linear function of the others explains, 1 - R^2.

    One inverse of the correlation matrix serves all d regressions: its j-th diagonal entry is
    1 / (1 - R_j^2).

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        No constant columns.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> unexplained_share(np.column_stack([a, b, a + b])).round(6).tolist()
    [0.0, 0.0, 0.0]
    """
    Z = unit_columns(X)
    return _unexplained(Z.T @ Z)


def r_squared_on_others(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Regress each column linearly on all the others and return the adjusted R^2 of each.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        No constant columns, and n > d.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> r_squared_on_others(np.column_stack([a, b, a + b])).round(6).tolist()
    [1.0, 1.0, 1.0]
    """
    Z = unit_columns(X)
    return r_squared_given(Z.T @ Z, len(X))


def r_squared_given(correlation: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Like `r_squared_on_others`, from the correlations of the columns over n rows.

    Examples
    --------
    >>> r_squared_given(np.array([[1.0, 0.6], [0.6, 1.0]]), 1_000_000).round(3).tolist()
    [0.36, 0.36]
    """
    return 1 - _unexplained(correlation) * (n - 1) / (n - len(correlation))


def _unexplained(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    inverse = np.linalg.inv(correlation + RIDGE * np.eye(len(correlation)))
    return 1 / np.maximum(inverse.diagonal(), 1.0)
