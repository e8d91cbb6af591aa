"""A table as blocks of rows, and sums over the blocks.

Whatever the estimators compute on many rows is a sum over rows. A table that is read block by block
need not fit into memory, and the sum over blocks can be split among threads or machines. Blocks are
the same whatever computes them, and their terms are added in their order: so results have the same
bits for any number of jobs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Term = TypeVar("Term")

BLOCK_ROWS = 8192  # rows of a block: 1.3 MB for 20 columns


class RowBlocks(ABC):
    """A table in blocks of rows.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns of the whole table.
    """

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole table."""

    @abstractmethod
    def __iter__(self) -> Iterator[Floats]:
        """The blocks in the order of the rows; the same ones each time."""


class ArrayBlocks(RowBlocks):
    """An array in memory as blocks of rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    rows : int
        Rows of a block; the last one can have fewer.

    Examples
    --------
    >>> [block.shape for block in ArrayBlocks(np.zeros((5, 2)), rows=3)]
    [(3, 2), (2, 2)]
    """

    def __init__(self, X: Floats, rows: int = BLOCK_ROWS) -> None:
        self.X, self._rows = X, rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the array."""
        return self.X.shape[0], self.X.shape[1]

    def __iter__(self) -> Iterator[Floats]:
        for start in range(0, len(self.X), self._rows):
            yield self.X[start : start + self._rows]


def fold(
    function: Callable[[Floats], Term],
    combine: Callable[[Term, Term], Term],
    blocks: RowBlocks,
    n_jobs: int | None = None,
) -> Term:
    """Apply a function to every block and combine the terms in the order of the blocks.

    Parameters
    ----------
    function : callable
        From a block to a term; it must not change the block.
    combine : callable
        From two terms to one. Addition need not be associative to the last bit: the terms are
        combined from the left.
    blocks : RowBlocks
        At least one block.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.

    Examples
    --------
    >>> blocks = ArrayBlocks(np.arange(6.0).reshape(3, 2), rows=2)
    >>> fold(lambda block: block.sum(axis=0), np.add, blocks)
    array([6., 9.])
    """
    jobs = (delayed(function)(block) for block in blocks)
    terms = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator", batch_size=1)(jobs)
    total = next(terms)
    for term in terms:
        total = combine(total, term)
    return total


def sample_rows(blocks: RowBlocks, size: int, rng: np.random.Generator) -> Floats:
    """Draw rows without replacement, in one pass; all rows where there are no more.

    Examples
    --------
    >>> X = np.arange(10.0)[:, None]
    >>> drawn = sample_rows(ArrayBlocks(X, rows=4), 3, np.random.default_rng(0))
    >>> drawn.shape, bool(np.isin(drawn, X).all())
    ((3, 1), True)
    """
    n = blocks.shape[0]
    chosen = np.sort(rng.choice(n, min(size, n), replace=False))
    parts, first = [], 0
    for block in blocks:
        inside = chosen[(chosen >= first) & (chosen < first + len(block))] - first
        parts.append(block[inside])
        first += len(block)
    return np.vstack(parts)
