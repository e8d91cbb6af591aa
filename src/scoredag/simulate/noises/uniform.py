"""Uniform noise: bounded, lighter tails than the Gaussian."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def uniform(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from U(-h, h); its variance is h² / 3.

    Examples
    --------
    >>> uniform(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    half_width = np.sqrt(3 * variance)
    return rng.uniform(-half_width, half_width, size=n)


PIECE = uniform
