"""Multiplicative noise: relative errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import check_between
from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.sem import FloatArray, Function, Mechanism, Node, Noise, Progress, sample_sem

# Of uniform noise with mean 1 on (0, 2).
_UNIFORM_SPREAD = float(1 / np.sqrt(3))


def sample_multiplicative(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "uniform",
    spread: float = _UNIFORM_SPREAD,
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j = f_j(parents of j) (1 + s noise_j)``, the noise of variance 1.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents are pure noise.
    n : int
        Number of rows.
    mechanism : str or callable, default="gp"
        As in `sample_anm`; f is scaled to mean 0 and variance 1, so that it crosses 0 and columns
        do not fade down a chain.
    noise : str or callable, default="uniform"
        As in `sample_anm`.
    spread : float, optional
        s above, the relative standard deviation; by default 1 / sqrt(3), with which uniform noise
        makes the factor uniform on (0, 2), so that no value changes its sign.
    noise_variance : (float, float) or float, default=(0.4, 0.8)
        Of the roots, which are pure noise.
    rng, progress
        As in `sample_anm`.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`.

    Notes
    -----
    By default this is ``Y = f(X) N`` with uniform N, as the pairs MN-U of Tagasovska et al. and the
    multiplicative noise of Immer et al., up to the units of N. It is a location-scale model with
    g = s |f|: where f crosses 0 there is no noise at all.

    References
    ----------
    N. Tagasovska, V. Chavez-Demoulin, T. Vatter, "Distinguishing cause from effect using
    quantiles: bivariate quantile causal discovery", ICML 2020.
    A. Immer et al., "On the identifiability and estimation of causal location-scale noise models",
    ICML 2023.

    Examples
    --------
    >>> sample_multiplicative([[0, 1], [0, 0]], 100, rng=0).shape
    (100, 2)
    """
    check_between(spread, "spread", 0, np.inf)

    def equation(node: Node, function: Function) -> FloatArray:
        if node.is_root:
            return node.noise
        factor = 1 + spread * node.noise / np.sqrt(node.variance)
        return standardized(function(node.parents)) * factor

    return sample_sem(
        adjacency,
        n,
        equation,
        mechanism=mechanism,
        noise=noise,
        noise_variance=noise_variance,
        rng=rng,
        progress=progress,
    )


PIECE = sample_multiplicative
