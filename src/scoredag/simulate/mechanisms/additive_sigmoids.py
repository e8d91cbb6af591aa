"""A sum of one sigmoid a parent: additive, monotone, nearly linear or nearly a step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms import signed_weights, standardized


def additive_sigmoids(
    parents: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Add ``a u / (1 + |u|)`` with ``u = b (x + c)`` of each standardised parent x.

    The sizes of a are 1 plus an exponential variable of mean 1/4, those of b are in [0.5, 2] with
    either sign, and c is in [-2, 2]; the sum is scaled to mean 0 and variance 1.

    References
    ----------
    P. Bühlmann, J. Peters, J. Ernest, "CAM: causal additive models, high-dimensional order search
    and penalized regression", Annals of Statistics 42:2526-2556, 2014.

    Examples
    --------
    >>> additive_sigmoids(np.eye(3), np.random.default_rng(0)).var().round(6)
    np.float64(1.0)
    """
    p = parents.shape[1]
    size = 1 + rng.exponential(1 / 4, size=p)
    slope = signed_weights(0.5, 2.0, p, rng)
    u = slope * (standardized(parents) + rng.uniform(-2.0, 2.0, size=p))
    return standardized((u / (1 + np.abs(u))) @ size)


PIECE = additive_sigmoids
