"""A spline basis in its natural parametrisation: orthonormal columns, diagonal penalty."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Floats = NDArray[np.float64]

_MOST_COEFFICIENTS, _FEWEST_COEFFICIENTS = 10, 3
_ROWS_PER_COEFFICIENT = 3


def basis_size(n_rows: int, n_candidates: int) -> int:
    """Coefficients of a smooth term, the constant included: the rule of CAM's authors.

    Examples
    --------
    >>> basis_size(1000, 9), basis_size(1000, 49)
    (10, 7)
    """
    if n_rows >= _MOST_COEFFICIENTS * _ROWS_PER_COEFFICIENT * n_candidates:
        return _MOST_COEFFICIENTS
    return max(_FEWEST_COEFFICIENTS, -(-n_rows // (_ROWS_PER_COEFFICIENT * n_candidates)))


@dataclass(frozen=True)
class RawBasis:
    """Basis functions whose span contains the straight lines, and their roughness penalty.

    Attributes
    ----------
    evaluate : callable
        Takes n numbers, returns the n x k values of the k basis functions.
    penalty : ndarray of shape (k, k)
        Integrated squared second derivative as a quadratic form; zero exactly for straight lines.
    """

    evaluate: Callable[[Floats], Floats]
    penalty: Floats


@dataclass(frozen=True)
class SplineBasis:
    """Centred spline columns Z with Z'Z = I over the sample and a diagonal penalty.

    Attributes
    ----------
    raw : RawBasis
        Where the columns come from.
    mean : ndarray of shape (k,)
        Means of the raw columns over the sample.
    rotation : ndarray of shape (k, q)
        Takes the centred raw columns to Z.
    penalty : ndarray of shape (q,)
        Diagonal of the penalty, increasing; the first entry, that of the straight line, is 0 and
        the smallest positive one is 1, so that a smoothing parameter has no unit.
    """

    raw: RawBasis
    mean: Floats
    rotation: Floats
    penalty: Floats

    def columns(self, x: Floats) -> Floats:
        """Values of the q columns at x, which need not be in the sample."""
        return (self.raw.evaluate(x) - self.mean) @ self.rotation


def orthonormalise(raw: RawBasis, inner: Floats, mean: Floats) -> SplineBasis:
    """Rotate a basis (the generalised eigenproblem of its penalty).

    Parameters
    ----------
    raw : RawBasis
        The basis.
    inner : ndarray of shape (k, k)
        Inner products of its centred columns over the sample.
    mean : ndarray of shape (k,)
        Means of its columns over the sample.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.regression.bases.cubic import cubic
    >>> x = np.linspace(0, 1, 50)
    >>> raw = cubic(x, size=5)
    >>> values = raw.evaluate(x)
    >>> inner = 49 * np.cov(values, rowvar=False)
    >>> basis = orthonormalise(raw, inner, values.mean(axis=0))
    >>> Z = basis.columns(x)
    >>> Z.shape, bool(np.allclose(Z.T @ Z, np.eye(4))), float(basis.penalty[0])
    ((50, 4), True, 0.0)
    """
    # Columns are scaled to unit length: only columns of zero length are dropped as small.
    unit = 1 / np.sqrt(np.maximum(inner.diagonal(), np.finfo(float).tiny))
    lengths, axes = np.linalg.eigh(inner * np.outer(unit, unit))
    # Centring removes the constant from the span; collinear columns (ties) are dropped likewise.
    kept = lengths > 1e-10 * lengths[-1]
    whiten = unit[:, None] * axes[:, kept] / np.sqrt(lengths[kept])
    roughness, rotation = np.linalg.eigh(whiten.T @ raw.penalty @ whiten)
    roughness[0] = 0.0
    if len(roughness) > 1:
        roughness = np.maximum(roughness / roughness[1], 0.0)
    return SplineBasis(raw, mean, whiten @ rotation, roughness)


def weights_with_edf(penalty: Floats, edf: float) -> Floats:
    """Scale a penalty so that a single term has ``edf`` effective degrees of freedom.

    Parameters
    ----------
    penalty : ndarray of shape (q,)
        Penalty of an orthonormal basis; the first entry, that of the line, is 0.
    edf : float
        Wanted sum of 1 / (1 + weight); at most q, the sum without a penalty.

    Examples
    --------
    >>> import numpy as np
    >>> weights = weights_with_edf(np.array([0.0, 1.0, 10.0, 100.0]), edf=2.0)
    >>> round(float((1 / (1 + weights)).sum()), 6)
    2.0
    """
    if not edf > 1:
        raise ValueError(f"edf must be more than 1, which a straight line has; got {edf!r}")
    if len(penalty) <= edf:
        return np.zeros_like(penalty)
    log_lambda = brentq(lambda t: (1 / (1 + np.exp(t) * penalty)).sum() - edf, -60.0, 60.0)
    return np.exp(log_lambda) * penalty
