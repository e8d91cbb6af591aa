"""Gaussian noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def gaussian(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from N(0, variance).

    Examples
    --------
    >>> gaussian(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    return rng.normal(0.0, np.sqrt(variance), size=n)


PIECE = gaussian
