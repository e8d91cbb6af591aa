"""What a loader returns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoredag.graph.matrix import IntArray


@dataclass(frozen=True)
class Dataset:
    """A table with a graph to compare with.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        One row an observation.
    names : tuple of str
        The columns.
    adjacency : ndarray of int, shape (d, d)
        ``A[i, j] = 1`` means names[i] -> names[j].
    description : str
        Where data and graph come from, and what to know before quoting a number.
    """

    X: NDArray[np.float64] = field(repr=False)
    names: tuple[str, ...]
    adjacency: IntArray = field(repr=False)
    description: str = field(repr=False)
