"""Kernel ridge regression with the errors of leave-one-out cross-validation in closed form.

With a Gaussian kernel k, m centres Z and f(x) = k(x, Z) c, the coefficients minimise
|y - f(X)|^2 + lambda c' k(Z, Z) c. With L L' = k(Z, Z) and F = k(X, Z) L'^-1 this is ordinary ridge
regression on F, whose hat matrix is H = F (F'F + lambda I)^-1 F'. The error of row i without row i
is (y - H y)_i / (1 - H_ii), so that one eigendecomposition of F'F serves every lambda and no
regression is repeated. With all rows as centres the regression is exact (Z = X: F F' = K).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, eigh, solve_triangular
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]

# Added to the diagonal of k(Z, Z), which is 1: near-equal centres make it singular in double
# precision. Far below any ridge in use.
_JITTER = 1e-8


def leave_one_out_residuals(
    X: Floats, y: Floats, *, centres: Floats, bandwidth: float, ridges: Sequence[float]
) -> Floats:
    """Errors of a column predicted from others, each row by a regression without that row.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        The predictors, on one scale.
    y : ndarray of shape (n,)
        The column to predict; its mean is subtracted first.
    centres : ndarray of shape (m, p)
        Z, at which the kernel functions stand; ``X`` itself for the exact regression.
    bandwidth : float
        s of k(x, z) = exp(-|x - z|^2 / 2 s^2), in the units of ``X``.
    ridges : sequence of float
        Values of lambda, against a kernel that is 1 on its diagonal; the one with the smallest
        mean squared error is taken.

    Returns
    -------
    ndarray of shape (n,)
        In the units of ``y``.

    Notes
    -----
    Time O(n m^2 + m^3), memory O(n m). The mean of ``y`` is that of all rows. Not for predictors on
    different scales: the kernel has one bandwidth.

    References
    ----------
    Rasmussen and Williams. Gaussian processes for machine learning. 2006, section 5.4.2.

    Examples
    --------
    >>> import numpy as np
    >>> x, noise = np.random.default_rng(0).normal(size=(2, 300))
    >>> y = np.sin(2 * x) + 0.1 * noise
    >>> errors = leave_one_out_residuals(
    ...     x[:, None], y, centres=x[::3, None], bandwidth=0.5, ridges=(0.1, 1.0)
    ... )
    >>> bool(0.08 < errors.std() < 0.14)
    True
    """
    gram = _gaussian(centres, centres, bandwidth)
    gram.flat[:: len(gram) + 1] += _JITTER
    factor, _ = cho_factor(gram, lower=True)
    F = solve_triangular(factor, _gaussian(centres, X, bandwidth), lower=True).T
    eigenvalues, vectors = eigh(F.T @ F)
    F = F @ vectors
    target = y - y.mean()
    projected, leverages = F.T @ target, F**2
    weights = 1 / (np.maximum(eigenvalues, 0.0) + np.asarray(ridges)[:, None])  # ridges x m
    fitted, hat_diagonal = (weights * projected) @ F.T, weights @ leverages.T
    errors = (target - fitted) / (1 - hat_diagonal)
    return np.asarray(errors[(errors**2).sum(axis=1).argmin()])


def _gaussian(A: Floats, B: Floats, bandwidth: float) -> Floats:
    return np.exp(cdist(A, B, "sqeuclidean") * (-0.5 / bandwidth**2))
