"""Additive noise: the model of the SCORE paper."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.sem import FloatArray, Function, Mechanism, Node, Noise, Progress, sample_sem


def sample_anm(
    adjacency: ArrayLike,
    n: int,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    standardize: bool = False,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
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
    meets the same functions' random numbers and the same variances. With ``mechanism="linear"``
    and noise that is not Gaussian this is the model of LiNGAM.

    Examples
    --------
    >>> X = sample_anm([[0, 1], [0, 0]], n=100, rng=0)
    >>> X.shape
    (100, 2)
    """
    X = sample_sem(
        adjacency,
        n,
        additive,
        mechanism=mechanism,
        noise=noise,
        noise_variance=noise_variance,
        rng=rng,
        progress=progress,
    )
    return standardized(X) if standardize else X


def additive(node: Node, function: Function) -> FloatArray:
    """Add the function of the parents to the noise; a root is pure noise.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> node = Node(np.ones(2), 1.0, np.zeros((2, 1)), rng)
    >>> additive(node, lambda parents: np.array([2.0, 3.0]))
    array([3., 4.])
    """
    return node.noise if node.is_root else node.noise + function(node.parents)


PIECE = sample_anm
