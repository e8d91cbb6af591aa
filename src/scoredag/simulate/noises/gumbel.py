"""Gumbel noise: skewed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def gumbel(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a centred Gumbel distribution; scale b has mean γ b and variance π² b² / 6.

    Examples
    --------
    >>> gumbel(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    scale = np.sqrt(6 * variance) / np.pi
    return rng.gumbel(-np.euler_gamma * scale, scale, size=n)


PIECE = gumbel
