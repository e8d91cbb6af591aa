"""Post-nonlinear models: an additive model seen through an instrument that is not linear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.models.additive import additive
from scoredag.simulate.sem import (
    FloatArray,
    Function,
    Mechanism,
    Node,
    Noise,
    Progress,
    check_drawn,
    sample_sem,
)

Distortion = Callable[[FloatArray], FloatArray]

# Strictly increasing, for values of mean 0 and variance 1. The sigmoid is twice as steep as the
# logistic function, which is close to a straight line over two standard deviations.
DISTORTIONS: Mapping[str, Distortion] = MappingProxyType(
    {
        "cube": lambda z: z**3,
        "exp": np.exp,
        "sigmoid": lambda z: expit(2 * z),
        "sinh": np.sinh,
    }
)


def sample_post_nonlinear(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    distortion: str | Distortion | None = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j = h_j(f_j(parents of j) + noise_j)`` with increasing h_j.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents are distorted noise.
    n : int
        Number of rows.
    mechanism, noise, noise_variance, rng, progress
        As in `sample_anm`.
    distortion : {"cube", "exp", "sigmoid", "sinh"} or callable, optional
        h of every node; by default one of the four at random for each. A callable maps an (n,)
        array to (n,) and should be strictly increasing.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`, each with mean 0 and variance 1.

    Notes
    -----
    The sum is scaled to mean 0 and variance 1 before h, and the column after it, so that values
    neither explode nor fade down a chain. Children see the distorted values. Noise with heavy tails
    ("student_t") gives "exp" and "sinh" columns that are mostly one outlier.

    References
    ----------
    K. Zhang, A. Hyvärinen, "On the identifiability of the post-nonlinear causal model", UAI 2009.

    Examples
    --------
    >>> sample_post_nonlinear([[0, 1], [0, 0]], 100, distortion="cube", rng=0).shape
    (100, 2)
    """
    named = isinstance(distortion, str) and distortion in DISTORTIONS
    if not (distortion is None or callable(distortion) or named):
        known = ", ".join(map(repr, DISTORTIONS))
        raise ValueError(
            f"distortion must be one of {known}, a callable, or None for any of these; "
            f"got {distortion!r}"
        )

    def equation(node: Node, function: Function) -> FloatArray:
        undistorted = standardized(additive(node, function))
        h = str(node.rng.choice(list(DISTORTIONS))) if distortion is None else distortion
        distort = h if callable(h) else DISTORTIONS[h]
        return standardized(check_drawn(distort(undistorted), n, "distortion"))

    return sample_sem(
        adjacency,
        n,
        equation,
        mechanism=mechanism,
        noise=noise,
        noise_variance=noise_variance,
        rng=rng,
        progress=progress,
    )


PIECE = sample_post_nonlinear
