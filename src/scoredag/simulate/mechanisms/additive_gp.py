"""A sum of one Gaussian process a parent: the setting of CAM."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms.gp import gp


def additive_gp(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Add a GP draw of each parent alone, over the square root of their number.

    Each has a unit-length-scale, unit-variance RBF kernel, so the sum has unit variance. Exact up
    to 3000 rows, by 2048 random Fourier frequencies beyond.

    References
    ----------
    P. Bühlmann, J. Peters, J. Ernest, "CAM: causal additive models, high-dimensional order search
    and penalized regression", Annals of Statistics 42:2526-2556, 2014.

    Examples
    --------
    >>> additive_gp(np.zeros((3, 2)), np.random.default_rng(0)).shape
    (3,)
    """
    terms = [gp(column[:, None], rng) for column in parents.T]
    return np.sum(terms, axis=0) / np.sqrt(len(terms))


PIECE = additive_gp
