"""Rounding: columns with few values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import check_count
from scoredag.simulate.models.additive import sample_anm
from scoredag.simulate.sem import FloatArray, Mechanism, Noise, Progress


def sample_rounded(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    levels: int = 30,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of an additive-noise model, and round the columns.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic.
    n : int
        Number of rows.
    mechanism, noise, noise_variance, rng, progress
        As in `sample_anm`.
    levels : int, default=30
        Equally spaced values that a column may have.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`.

    Notes
    -----
    Only what is written down is rounded: children depend on the exact values.

    Examples
    --------
    >>> X = sample_rounded([[0, 1], [0, 0]], 1000, levels=5, rng=0)
    >>> [len(np.unique(column)) for column in X.T]
    [5, 5]
    """
    check_count(levels, "levels", least=2)
    X = sample_anm(adjacency, n, mechanism, noise, noise_variance, rng=rng, progress=progress)
    return round_columns(X, levels)


def round_columns(X: ArrayLike, levels: int = 30) -> FloatArray:
    """Round each column to equally spaced levels from its smallest to its largest value.

    Examples
    --------
    >>> round_columns([[0.0], [1.2], [4.0]], levels=3)
    array([[0.],
           [2.],
           [4.]])
    """
    check_count(levels, "levels", least=2)
    values = np.asarray(X, dtype=float)
    lowest = values.min(axis=0)
    step = np.ptp(values, axis=0) / (levels - 1)
    return lowest + step * np.round((values - lowest) / np.where(step > 0, step, 1.0))


PIECE = sample_rounded
