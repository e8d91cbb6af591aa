"""A random neural network: smooth, bounded, with interactions of all parents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms import signed_weights, standardized

_UNITS = 10


def tanh_network(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Pass the standardised parents through one hidden layer of 10 tanh units.

    Input weights are Gaussian with variance 4 / p, biases standard Gaussian, output weights of
    either sign with sizes in [0.5, 1.5]; the output is scaled to mean 0 and variance 1.

    Examples
    --------
    >>> tanh_network(np.eye(3), np.random.default_rng(0)).var().round(6)
    np.float64(1.0)
    """
    p = parents.shape[1]
    weights = rng.normal(0.0, 2 / np.sqrt(p), size=(p, _UNITS))
    hidden = np.tanh(standardized(parents) @ weights + rng.standard_normal(_UNITS))
    return standardized(hidden @ signed_weights(0.5, 1.5, _UNITS, rng))


PIECE = tanh_network
