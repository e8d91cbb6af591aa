"""Exponential noise: skewed, with a density that jumps at its lower end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def exponential(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a centred exponential distribution; scale b has mean b and variance b².

    Examples
    --------
    >>> exponential(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    scale = np.sqrt(variance)
    return rng.exponential(scale, size=n) - scale


PIECE = exponential
