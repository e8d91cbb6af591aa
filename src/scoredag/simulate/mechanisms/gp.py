"""The mechanism of the SCORE paper: a Gaussian process over all parents jointly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.simulate.mechanisms._gaussian_process import draw_gp


def gp(parents: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a GP with a unit-length-scale, unit-variance RBF kernel over all parents jointly.

    Exact up to 3000 rows, by 2048 random Fourier frequencies beyond. The function is not additive:
    with many parents no sum of one-parent functions comes close to it.

    References
    ----------
    A. Rahimi, B. Recht, "Random features for large-scale kernel machines", NeurIPS 2007.

    Examples
    --------
    >>> gp(np.zeros((3, 2)), np.random.default_rng(0)).round(3)
    array([0.126, 0.126, 0.126])
    """
    return draw_gp(parents, rng)


PIECE = gp
