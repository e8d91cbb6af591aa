"""Is a smooth term zero? Wood's test (2013, Biometrika 100:221).

The statistic is T = b' V^{r-} b: b the term's coefficients (in an orthonormal basis), V their
Bayesian covariance, r the term's reference degrees of freedom, and V^{r-} a pseudo-inverse of
rank r. For r = k + nu between two whole numbers the last two directions are weighted by
[[1, rho], [rho, nu]], rho = sqrt(nu (1 - nu) / 2), and T is distributed as
chi2(k - 1) + c+ chi2(1) + c- chi2(1), c+- = (1 + nu +- sqrt(1 - nu^2)) / 2. The signs of
eigenvectors are arbitrary, and that of rho with them: the p-value is the mean over both signs.

With an estimated noise variance T is compared with a ratio. In polar coordinates the weighted sum
is a chi2(k + 1) radius times a mean weight h over an independent direction, so that

    P(ratio > T) = E_h P( F(k + 1, residual df) > T / ((k + 1) h) ),
    h = 1 - u + u ( (1 + nu) / 2 + cos(2 theta) sqrt(1 - nu^2) / 2 ),

with u ~ Beta(1, (k - 1) / 2) and theta uniform: two Gauss rules over F tails, which stay
accurate relative to the p-value itself however small that is.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

_SHARE_NODES = 5
_ANGLE_NODES = 8
# Below this the fractional part changes a p-value by less than one part in a thousand.
_WHOLE = 1e-6


def term_p_values(
    coefficients: Floats, covariances: Floats, reference_df: Floats, residual_df: float
) -> Floats:
    """P-values of several terms with q coefficients each.

    Parameters
    ----------
    coefficients : ndarray of shape (terms, q)
        In bases that are orthonormal over the sample.
    covariances : ndarray of shape (terms, q, q)
        Bayesian posterior covariances.
    reference_df : ndarray of shape (terms,)
        r = tr(2 F - F F) over each term.
    residual_df : float
        Residual degrees of freedom of the regression.

    Examples
    --------
    One coefficient at twice its standard error is the two-sided t test:

    >>> import numpy as np
    >>> p = term_p_values(np.array([[2.0]]), np.array([[[1.0]]]), np.array([1.0]), 100)
    >>> from scipy import stats
    >>> bool(np.isclose(p[0], 2 * stats.t.sf(2, 100)))
    True
    """
    q = coefficients.shape[1]
    variances, axes = np.linalg.eigh(covariances)
    z = np.einsum("tij,ti->tj", axes, coefficients) / np.sqrt(np.maximum(variances, 1e-300))
    z = z[:, ::-1]  # directions of the largest variance first
    r = np.clip(reference_df, 1.0, q)
    k = np.floor(r + _WHOLE).astype(int)
    nu = np.maximum(r - k, 0.0)
    sums = np.cumsum(z**2, axis=1)
    terms = np.arange(len(z))
    p = special.fdtrc(k, residual_df, sums[terms, k - 1] / k)
    part = np.flatnonzero(nu > _WHOLE)
    if len(part):
        k, nu = k[part], nu[part]
        last, beyond = z[part, k - 1], z[part, k]
        base = sums[part, k - 1] + nu * beyond**2
        twist = 2 * np.sqrt(nu * (1 - nu) / 2) * last * beyond
        both = _ratio_tail(np.stack([base + twist, base - twist]), k, nu, residual_df)
        p[part] = both.mean(axis=0)
    return p


def _ratio_tail(T: Floats, k: NDArray[np.intp], nu: Floats, residual_df: float) -> Floats:
    """P(chi2(k-1) + c+ chi2(1) + c- chi2(1) > T chi2(residual_df) / residual_df).

    The last axis of T runs over the terms, as k and nu do.
    """
    u, weight = (rule[k - 1] for rule in _share_rules(int(k.max())))
    cosine = np.cos((2 * np.arange(_ANGLE_NODES) + 1) * np.pi / (2 * _ANGLE_NODES))
    pair = (1 + nu[:, None]) / 2 + np.sqrt(1 - nu[:, None] ** 2) / 2 * cosine
    h = 1 - u[:, :, None] + u[:, :, None] * pair[:, None, :]
    k1 = (k + 1)[:, None, None]
    tails = special.fdtrc(k1, residual_df, T[..., None, None] / (k1 * h))
    return np.einsum("ti,...tij->...t", weight, tails) / _ANGLE_NODES


@cache
def _share_rules(largest: int) -> tuple[Floats, Floats]:
    """Gauss-Jacobi nodes and weights for u ~ Beta(1, (k - 1) / 2), a row for each k up to largest.

    The first row, k = 1, is u = 1.
    """
    nodes, weights = np.ones((2, largest, _SHARE_NODES))
    for k in range(2, largest + 1):
        x, weights[k - 1] = special.roots_jacobi(_SHARE_NODES, (k - 1) / 2 - 1, 0)
        nodes[k - 1] = (1 + x) / 2
    return nodes, weights / weights.sum(axis=1, keepdims=True)
