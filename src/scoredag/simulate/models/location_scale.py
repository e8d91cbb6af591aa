"""Location-scale noise: the parents move a node, and say how much it varies."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.arguments import check_between
from scoredag.plugins import pick
from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.sem import (
    MECHANISMS,
    FloatArray,
    Function,
    Mechanism,
    Node,
    Noise,
    Progress,
    check_drawn,
    sample_sem,
)


def sample_location_scale(
    adjacency: ArrayLike,
    n: int,
    *,
    mechanism: str | Mechanism = "gp",
    scale_mechanism: str | Mechanism | None = None,
    log_scale_sd: float = 0.7,
    noise: str | Noise = "gaussian",
    noise_variance: float | tuple[float, float] = (0.4, 0.8),
    rng: np.random.Generator | int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Draw n rows of ``X_j = f_j(parents of j) + g_j(parents of j) noise_j``.

    Parameters
    ----------
    adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j; acyclic. Nodes without parents are pure noise.
    n : int
        Number of rows.
    mechanism : str or callable, default="gp"
        Of f, as in `sample_anm`.
    scale_mechanism : str or callable, optional
        Of log g; the same as `mechanism` by default, with a function of its own.
    log_scale_sd : float, default=0.7
        Standard deviation of log g over the rows. At 0.7, g differs by a factor of four between
        rows one standard deviation above and below the mean.
    noise, noise_variance, rng, progress
        As in `sample_anm`.

    Returns
    -------
    ndarray of shape (n, d)
        Columns in the order of `adjacency`.

    Notes
    -----
    g has mean square 1, so that a node's noise has the same variance as in an additive model: only
    where it falls differs. With the mechanisms "gp" and "additive_sigmoids" and d = 2 these are
    close to the pairs LS and LS-s of Tagasovska et al.

    References
    ----------
    N. Tagasovska, V. Chavez-Demoulin, T. Vatter, "Distinguishing cause from effect using
    quantiles: bivariate quantile causal discovery", ICML 2020.
    A. Immer et al., "On the identifiability and estimation of causal location-scale noise models",
    ICML 2023.

    Examples
    --------
    >>> sample_location_scale([[0, 1], [0, 0]], 100, rng=0).shape
    (100, 2)
    """
    check_between(log_scale_sd, "log_scale_sd", 0, np.inf)
    of_scale = mechanism if scale_mechanism is None else scale_mechanism
    draw_log_scale = pick(MECHANISMS, of_scale, "scale_mechanism")

    def equation(node: Node, function: Function) -> FloatArray:
        if node.is_root:
            return node.noise
        location = function(node.parents)
        drawn = check_drawn(draw_log_scale(node.parents, node.rng), n, "scale_mechanism")
        scale = np.exp(log_scale_sd * standardized(drawn))
        return location + scale / np.sqrt(np.mean(scale**2)) * node.noise

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


PIECE = sample_location_scale
