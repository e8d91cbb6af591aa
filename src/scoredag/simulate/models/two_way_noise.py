"""Noise before and after a distortion: neither additive nor post-nonlinear."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import check_between
from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.models.additive import additive
from scoredag.simulate.models.post_nonlinear import DISTORTIONS
from scoredag.simulate.sem import (
    FloatArray,
    Function,
    Mechanism,
    Node,
    Noise,
    Progress,
    sample_sem,
)


def sample_two_way_noise(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    outer_share: float = 0.2,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j = h_j(f_j(parents of j) + noise_j) + further normal noise``.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents have both noises, too.
    n : int
        Number of rows.
    mechanism, noise, noise_variance, rng, progress
        As in `sample_anm`.
    outer_share : float, default=0.2
        Share of the variance of a column that comes after the distortion, between 0 and 1.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`, each with mean 0 and variance 1.

    Notes
    -----
    h_j is one of the distortions of `sample_post_nonlinear` at random. Children see both noises, so
    that the graph is right, but no model with one noise a node holds: a method should doubt what
    the data do not support. Not measurement error, which children do not see.

    References
    ----------
    K. Zhang, A. Hyvärinen, "On the identifiability of the post-nonlinear causal model", UAI 2009.

    Examples
    --------
    >>> sample_two_way_noise([[0, 1], [0, 0]], 100, rng=0).shape
    (100, 2)
    """
    check_between(outer_share, "outer_share", 0, 1)

    def equation(node: Node, function: Function) -> FloatArray:
        inner = standardized(additive(node, function))
        distort = DISTORTIONS[str(node.rng.choice(list(DISTORTIONS)))]
        outer = np.sqrt(outer_share) * node.rng.standard_normal(n)
        return standardized(np.sqrt(1 - outer_share) * standardized(distort(inner)) + outer)

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


PIECE = sample_two_way_noise
