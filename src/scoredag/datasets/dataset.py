"""What a loader returns, and the loader of files in which ten data sets lie."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import is_whole_number
from scoredag.datasets.cache import cached_file
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


def load_stacked(file_name: str, number: int, description: str) -> Dataset:
    """Load one data set of a cached ``.npz`` with ``X`` (sets, n, d) and ``A`` (sets, d, d).

    Parameters
    ----------
    file_name : str
        Its name in the cache.
    number : int
        Which, counted from 1 as its authors do.
    description : str
        Where it comes from.

    Returns
    -------
    Dataset
        ``A[i, j] = 1`` means i -> j.
    """
    with np.load(cached_file(file_name)) as arrays:
        tables, graphs = arrays["X"], arrays["A"]
    if not is_whole_number(number) or not 1 <= number <= len(tables):
        raise ValueError(f"number must be a whole number from 1 to {len(tables)}; got {number!r}")
    X = np.array(tables[number - 1], dtype=np.float64)
    return Dataset(
        X=X,
        names=tuple(f"x{j}" for j in range(X.shape[1])),
        adjacency=(graphs[number - 1] != 0).astype(np.int64),
        description=description,
    )
