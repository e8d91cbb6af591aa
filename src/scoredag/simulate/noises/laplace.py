"""Laplace noise: heavier tails than the Gaussian."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def laplace(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a Laplace distribution; scale b has variance 2 b².

    Examples
    --------
    >>> laplace(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    return rng.laplace(0.0, np.sqrt(variance / 2), size=n)


PIECE = laplace
