"""A sum of one sine wave a parent: additive, bounded, not monotone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms import signed_weights, standardized


def additive_sines(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Add ``a sin(w x + phase)`` of each standardised parent x.

    Sizes of a are in [0.5, 1.5], frequencies w in [0.5, 2], phases anywhere; the sum is scaled to
    mean 0 and variance 1.

    Examples
    --------
    >>> additive_sines(np.eye(3), np.random.default_rng(0)).var().round(6)
    np.float64(1.0)
    """
    p = parents.shape[1]
    frequency = rng.uniform(0.5, 2.0, size=p)
    phase = rng.uniform(0.0, 2 * np.pi, size=p)
    waves = np.sin(standardized(parents) * frequency + phase)
    return standardized(waves @ signed_weights(0.5, 1.5, p, rng))


PIECE = additive_sines
