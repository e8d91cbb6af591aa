"""Scales on which a table may be analysed."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def standardised(X: Floats) -> Floats:
    """Every column with mean 0 and variance 1."""
    centred = X - X.mean(axis=0)
    return centred / centred.std(axis=0)


def _log_standardised(X: Floats) -> Floats:
    return standardised(np.log(X))


SCALES: MappingProxyType[str, Callable[[Floats], Floats]] = MappingProxyType(
    {"raw": np.asarray, "standardised": standardised, "log": _log_standardised}
)


def on_scale(X: Floats, scale: str) -> Floats:
    """Bring a table to a scale.

    Examples
    --------
    >>> on_scale(np.array([[1.0], [3.0]]), "standardised")
    array([[-1.],
           [ 1.]])
    """
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(map(repr, SCALES))}; got {scale!r}")
    return SCALES[scale](X)
