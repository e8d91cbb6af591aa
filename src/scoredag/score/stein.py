"""Stein's estimates of the score and of its Jacobian at the samples, as functions.

The mathematics is in `scoredag.score.fields.stein`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.score.fields.stein import SteinField

Floats = NDArray[np.float64]


def stein_score(X: ArrayLike, eta: float = 1e-3) -> Floats:
    """Estimate the score grad log p at the samples (eq. (3.4) of the SCORE paper).

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge regularisation.

    Returns
    -------
    ndarray of shape (n, d)

    See Also
    --------
    stein_hessian_diagonal : the diagonal of the score's Jacobian.

    Notes
    -----
    The ridge shrinks the estimate towards zero in the tails; and with many columns (20 and
    more) an isotropic kernel sees all rows as equally far apart. Read it as a statistic that
    orders variables well, not as an unbiased estimate.

    Examples
    --------
    For a standard normal sample the score is -x, and so is the estimate's trend:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 1))
    >>> bool(np.corrcoef(stein_score(X)[:, 0], -X[:, 0])[0, 1] > 0.8)
    True
    """
    return SteinField(X, eta).score()


def stein_hessian_diagonal(X: ArrayLike, eta: float = 1e-3) -> Floats:
    """Estimate the diagonal of the score's Jacobian at the samples (eq. (4.7), Algorithm 2).

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge regularisation, shared by both regressions.

    Returns
    -------
    ndarray of shape (n, d)
        Entry (k, j) estimates d s_j / d x_j at sample k. It varies least over k for a leaf of
        the causal graph (Lemma 1 (i)).

    Notes
    -----
    Depends on the units of the columns: the median heuristic gives all of them one bandwidth.

    Examples
    --------
    For a standard normal sample the Jacobian is -1 everywhere:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 1))
    >>> bool(-1.2 < np.median(stein_hessian_diagonal(X)) < -0.8)
    True
    """
    return SteinField(X, eta).jacobian_diagonal()


def stein_jacobian_row(X: ArrayLike, l: int, eta: float = 1e-3) -> Floats:  # noqa: E741
    """Estimate row ``l`` of the score's Jacobian at the samples.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    l : int
        The row: which component of the score is differentiated.
    eta : float, default=1e-3
        Ridge regularisation.

    Returns
    -------
    ndarray of shape (n, d)
        Entry (k, j) estimates d s_l / d x_j at sample k. If ``l`` is a leaf, it varies over k
        exactly for the parents j of ``l`` (Lemma 1 (ii)).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> row = stein_jacobian_row(X, 2)
    >>> bool(np.allclose(row[:, 2], stein_hessian_diagonal(X)[:, 2]))
    True
    """
    return SteinField(X, eta).jacobian_row(l)
