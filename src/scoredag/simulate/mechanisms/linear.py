"""Linear: with Gaussian noise the order is then not identifiable."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms import signed_weights, standardized


def linear(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Weigh the standardised parents by weights of either sign with sizes in [0.5, 2].

    The output is scaled to mean 0 and variance 1. Not for showing that a method works: methods for
    nonlinear additive noise have nothing to go by here. It shows what they do then.

    Examples
    --------
    >>> linear(np.eye(3), np.random.default_rng(0)).var().round(6)
    np.float64(1.0)
    """
    weights = signed_weights(0.5, 2.0, parents.shape[1], rng)
    return standardized(standardized(parents) @ weights)


PIECE = linear
