"""Mechanisms, one a file: the shelf behind ``sample_anm(mechanism=...)``.

A mechanism is ``f(parents, rng)``: it draws a random function and returns its values at the rows of
`parents`, an (n, p) array with p >= 1, as an (n,) array. Values have a variance of about 1, so that
noise of variance 0.4 to 0.8 neither drowns nor vanishes, however long the chain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

__all__ = ["signed_weights", "standardized"]


def standardized(values: FloatArray) -> FloatArray:
    """Shift and scale each column to mean 0 and variance 1; a constant one becomes 0.

    Unlike `scoredag.data.standardise`, it does not round: the bits of simulated data are fixed.
    """
    spread = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def signed_weights(
    low: float, high: float, size: int | tuple[int, ...], rng: np.random.Generator
) -> FloatArray:
    """Draw weights of either sign whose sizes are uniform in [low, high], away from 0."""
    return rng.choice([-1.0, 1.0], size=size) * rng.uniform(low, high, size=size)
