"""Quadratic in each parent, with products of neighbouring ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms import signed_weights, standardized

# Squares of squares along a chain would leave a few outliers and nothing else.
_FARTHEST = 3.0


def polynomial(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Weigh the parents, their squares and the products of each two that follow one another.

    Parents are standardised and cut off at 3 standard deviations; weights have either sign and
    sizes in [0.5, 1.5]; the output is scaled to mean 0 and variance 1.

    Examples
    --------
    >>> polynomial(np.eye(3), np.random.default_rng(0)).var().round(6)
    np.float64(1.0)
    """
    u = np.clip(standardized(parents), -_FARTHEST, _FARTHEST)
    terms = np.hstack([u, u**2, u[:, :-1] * u[:, 1:]])
    return standardized(terms @ signed_weights(0.5, 1.5, terms.shape[1], rng))


PIECE = polynomial
