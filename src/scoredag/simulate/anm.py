"""Data from an additive-noise model over a given graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, is_whole_number
from scoredag.graph.dag import check_dag, topological_order
from scoredag.plugins import pick
from scoredag.simulate.mechanisms import standardized

FloatArray = NDArray[np.float64]
Mechanism = Callable[[FloatArray, np.random.Generator], FloatArray]
Noise = Callable[[int, float, np.random.Generator], FloatArray]


def sample_anm(
    adjacency: ArrayLike,
    n: int,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    standardize: bool = False,
    rng: np.random.Generator | int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j = f_j(parents of j) + noise_j``.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents are pure noise.
    n : int
        Number of rows.
    mechanism : str or callable, default="gp"
        A module of ``scoredag.simulate.mechanisms``, or ``f(parents, rng)`` that maps an (n, p)
        array to (n,). It is called once a node and draws its own random function.
    noise : str or callable, default="gaussian"
        A module of ``scoredag.simulate.noises``, or ``f(n, variance, rng)``.
    noise_variance : (float, float) or float, default=(0.4, 0.8)
        Bounds of the uniform distribution from which each node's noise variance is drawn, or one
        variance for all.
    standardize : bool, default=False
        Scale the finished columns to mean 0 and variance 1, so that variances tell nothing about
        the order.
    rng : numpy.random.Generator, int or None
        Source of randomness, or a seed for one.
    progress : callable, optional
        Called as ``progress(done, total)`` after each node.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`.

    Notes
    -----
    Variances, noise and functions have streams of their own: another noise on the same seed
    meets the same functions' random numbers and the same variances.

    Examples
    --------
    >>> X = sample_anm([[0, 1], [0, 0]], n=100, rng=0)
    >>> X.shape
    (100, 2)
    """
    edges = check_dag(adjacency, "adjacency")
    if not is_whole_number(n) or n < 1:
        raise ValueError(f"n must be a whole number of rows, at least 1; got {n!r}")
    draw_function = pick("scoredag.simulate.mechanisms", mechanism, "mechanism")
    draw_noise = pick("scoredag.simulate.noises", noise, "noise")
    for_variances, for_noise, for_functions = as_generator(rng).spawn(3)
    variances = for_variances.uniform(*_bounds(noise_variance), size=len(edges))
    X = np.empty((n, len(edges)))
    for done, node in enumerate(topological_order(edges), start=1):
        X[:, node] = _drawn(draw_noise(n, float(variances[node]), for_noise), n, "noise")
        parents = np.flatnonzero(edges[:, node])
        if parents.size:
            X[:, node] += _drawn(draw_function(X[:, parents], for_functions), n, "mechanism")
        if progress is not None:
            progress(done, len(edges))
    return standardized(X) if standardize else X


def _drawn(values: ArrayLike, n: int, argument: str) -> FloatArray:
    """Return what a mechanism or a noise has drawn, or raise if that is no column of numbers."""
    column = np.asarray(values)
    if column.shape != (n,) or column.dtype.kind not in "biuf" or not np.isfinite(column).all():
        raise ValueError(
            f"{argument} must return {n} finite numbers; got shape {column.shape} of {column.dtype}"
        )
    return column


def _bounds(noise_variance: float | tuple[float, float]) -> tuple[float, float]:
    given = np.atleast_1d(np.asarray(noise_variance))
    bounds = given.astype(float) if given.dtype.kind in "iuf" else np.full(1, np.nan)
    if bounds.shape not in ((1,), (2,)) or not 0 < bounds[0] <= bounds[-1] < np.inf:
        raise ValueError(
            "noise_variance must be positive, a number or (lowest, highest); "
            f"got {noise_variance!r}"
        )
    return float(bounds[0]), float(bounds[-1])
