"""Poisson counts with a log link."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import check_between
from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.sem import FloatArray, Function, Mechanism, Node, Noise, Progress, sample_sem

# Standard deviations beyond which the log rate stays constant: a rate of 150 times the median.
_FARTHEST = 5.0
# Above it NumPy has no Poisson numbers; no table of counts comes near it.
_MOST = 1e9


def sample_poisson(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    noise: str | Noise = "gaussian",
    median_count: float = 5.0,
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j ~ Poisson(exp(c + f_j(parents of j)))``.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic.
    n : int
        Number of rows.
    mechanism : str or callable, default="gp"
        Of f, as in `sample_anm`; f is scaled to mean 0 and variance 1, and parents enter as
        ``log(1 + x)``, scaled likewise.
    noise : str or callable, default="gaussian"
        Of the log rate of a root, scaled likewise; no other node has noise but its counting.
    median_count : float, default=5.0
        exp(c): the rate of a row with f = 0.
    rng, progress
        As in `sample_anm`.

    Returns
    -------
    ndarray of shape (n, d)
        Whole numbers from 0, as floats; columns in the order of `adjacency`.

    Notes
    -----
    Log rates are cut off at 5 standard deviations.

    References
    ----------
    G. Park, G. Raskutti, "Learning large-scale Poisson DAG models based on overdispersion scoring",
    NeurIPS 2015.

    Examples
    --------
    >>> sample_poisson([[0, 1], [0, 0]], 4, rng=0)[:, 0]
    array([17.,  3.,  2., 11.])
    """
    check_between(median_count, "median_count", 0, _MOST)

    def equation(node: Node, function: Function) -> FloatArray:
        logs = standardized(np.log1p(node.parents))
        log_rate = standardized(node.noise if node.is_root else function(logs))
        rate = median_count * np.exp(np.clip(log_rate, -_FARTHEST, _FARTHEST))
        return node.rng.poisson(rate).astype(float)

    return sample_sem(
        adjacency, n, equation, mechanism=mechanism, noise=noise, rng=rng, progress=progress
    )


PIECE = sample_poisson
