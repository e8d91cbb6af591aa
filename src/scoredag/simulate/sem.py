"""Structural equation models: one equation for every node of a given graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, is_whole_number
from scoredag.graph.dag import check_dag, topological_order
from scoredag.plugins import pick

FloatArray = NDArray[np.float64]
Mechanism = Callable[[FloatArray, np.random.Generator], FloatArray]
Noise = Callable[[int, float, np.random.Generator], FloatArray]
Progress = Callable[[int, int], object]

MECHANISMS = "scoredag.simulate.mechanisms"
NOISES = "scoredag.simulate.noises"


class Node(NamedTuple):
    """What an equation has at hand for one node."""

    # Draws with mean 0 and this variance.
    noise: FloatArray
    variance: float
    # (n, p), finished columns; p = 0 for a root.
    parents: FloatArray
    # The stream of the random functions.
    rng: np.random.Generator

    @property
    def is_root(self) -> bool:
        """Whether the node has no parents."""
        return self.parents.shape[1] == 0


# Draws a random function and returns its values at the rows of the parents.
Function = Callable[[FloatArray], FloatArray]
Equation = Callable[[Node, Function], FloatArray]


def sample_sem(
    adjacency: ArrayLike,
    n: int,
    equation: Equation,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of a structural equation model.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic.
    n : int
        Number of rows.
    equation : callable
        ``f(node, function)`` returns the column of a `Node`; ``function(parents)`` draws a random
        function from `mechanism`. Called once a node, parents first.
    mechanism : str or callable, default="gp"
        A module of ``scoredag.simulate.mechanisms``, or ``f(parents, rng)`` that maps an (n, p)
        array to (n,).
    noise : str or callable, default="gaussian"
        A module of ``scoredag.simulate.noises``, or ``f(n, variance, rng)``.
    noise_variance : (float, float) or float, default=(0.4, 0.8)
        Bounds of the uniform distribution from which each node's noise variance is drawn, or one
        variance for all.
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
    Variances, noise and functions have streams of their own: another noise on the same seed meets
    the same functions' random numbers and the same variances.

    Examples
    --------
    >>> def difference(node, function):
    ...     return node.noise if node.is_root else function(node.parents) - node.noise
    >>> sample_sem([[0, 1], [0, 0]], 100, difference, rng=0).shape
    (100, 2)
    """
    edges = check_dag(adjacency, "adjacency")
    if not is_whole_number(n) or n < 1:
        raise ValueError(f"n must be a whole number of rows, at least 1; got {n!r}")
    draw_function = pick(MECHANISMS, mechanism, "mechanism")
    draw_noise = pick(NOISES, noise, "noise")
    for_variances, for_noise, for_functions = as_generator(rng).spawn(3)
    variances = for_variances.uniform(*_bounds(noise_variance), size=len(edges))

    def function(parents: FloatArray) -> FloatArray:
        return check_drawn(draw_function(parents, for_functions), n, "mechanism")

    X = np.empty((n, len(edges)))
    for done, column in enumerate(topological_order(edges), start=1):
        variance = float(variances[column])
        drawn = check_drawn(draw_noise(n, variance, for_noise), n, "noise")
        node = Node(drawn, variance, X[:, np.flatnonzero(edges[:, column])], for_functions)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused below
            values = equation(node, function)
        X[:, column] = check_drawn(values, n, "equation")
        if progress is not None:
            progress(done, len(edges))
    return X


def check_drawn(values: ArrayLike, n: int, argument: str) -> FloatArray:
    """Return what a callable has drawn, or raise ValueError if that is no column of n numbers.

    Examples
    --------
    >>> check_drawn([1.0, 2.0], 2, "noise")
    array([1., 2.])
    """
    column = np.asarray(values)
    if column.shape != (n,) or column.dtype.kind not in "biuf":
        raise ValueError(
            f"{argument} must return {n} finite numbers; got shape {column.shape} of {column.dtype}"
        )
    if lost := int((~np.isfinite(column)).sum()):
        raise ValueError(
            f"{lost} of {n} values of a column are NaN or infinite: a parameter of the simulation "
            f"is too large, or {argument} returns them"
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
