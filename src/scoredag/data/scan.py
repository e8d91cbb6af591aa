"""What one pass over a table tells of its columns: gaps, extent, means and covariances.

Scans of two stretches of rows merge, so that a table larger than memory is scanned block by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import add

import numpy as np
from numpy.typing import NDArray

from scoredag.data.blocks import Floats, RowBlocks, fold
from scoredag.data.checks import COPY_TOLERANCE, Copy, Extent
from scoredag.data.gaps import Gaps

# One pass gives correlations to about 1e-12; pairs with less than this cannot be copies.
_SUSPICIOUS = 1 - 2 * COPY_TOLERANCE


@dataclass(frozen=True)
class Scan:
    """Sums and extremes of the columns over the rows of a stretch.

    Attributes
    ----------
    gaps : Gaps
    extent : Extent
    mean : ndarray of shape (d,)
    products : ndarray of shape (d, d)
        Inner products of the centred columns.
    complete : tuple of int
        For each block the number of rows without a gap.
    """

    gaps: Gaps
    extent: Extent
    mean: Floats
    products: Floats
    complete: tuple[int, ...]

    @classmethod
    def of(cls, block: Floats) -> Scan:
        """Scan a block.

        Examples
        --------
        >>> found = Scan.of(np.array([[1.0, 5.0], [3.0, 1.0]]))
        >>> found.mean.tolist(), found.variance.tolist()
        ([2.0, 3.0], [1.0, 4.0])
        """
        gaps = Gaps.of(block)
        # Of columns that will be refused, sums may overflow.
        with np.errstate(over="ignore", invalid="ignore"):
            mean = block.mean(axis=0)
            centred = block - mean
            products = centred.T @ centred
        return cls(gaps, Extent.of(block), mean, products, (gaps.n_rows - gaps.broken_rows,))

    def __add__(self, other: Scan) -> Scan:
        """Put the rows of another stretch behind these (Chan, Golub and LeVeque 1979)."""
        share = other.n_rows / (self.n_rows + other.n_rows)
        with np.errstate(over="ignore", invalid="ignore"):
            gap = other.mean - self.mean
            between = np.outer(gap, gap) * (self.n_rows * share)
            return Scan(
                self.gaps + other.gaps,
                self.extent | other.extent,
                self.mean + gap * share,
                self.products + other.products + between,
                self.complete + other.complete,
            )

    @property
    def n_rows(self) -> int:
        """Rows that were scanned."""
        return self.gaps.n_rows

    @property
    def variance(self) -> Floats:
        """Variance of each column."""
        return self.products.diagonal() / self.n_rows

    @property
    def correlation(self) -> Floats:
        """Correlations of the columns, none of which is constant."""
        length = np.sqrt(self.products.diagonal())
        return self.products / length / length[:, None]


def scan(blocks: RowBlocks, n_jobs: int | None = None) -> Scan:
    """Scan a table in one pass."""
    return fold(Scan.of, add, blocks, n_jobs)


def copies_among(
    blocks: RowBlocks, found: Scan, columns: list[int], n_jobs: int | None = None
) -> list[Copy]:
    """Pairs of columns that are copies, as `scoredag.data.check_columns` finds them in memory.

    Correlations select the pairs that are compared cell by cell, in a second pass; mostly none are.

    Parameters
    ----------
    blocks : RowBlocks
        The table.
    found : Scan
        Its scan.
    columns : list of int
        Columns without gaps that are not constant.
    n_jobs : int, optional
        Threads, as in joblib.

    Returns
    -------
    list of (int, int, bool)
        Positions in ``columns``, and whether one is a shifted or rescaled version of the other.
    """
    part = found.products[np.ix_(columns, columns)]
    length = np.sqrt(part.diagonal())
    correlation = part / length / length[:, None]
    pairs = np.argwhere(np.triu(abs(correlation) > _SUSPICIOUS, k=1))
    if not len(pairs):
        return []
    signs = np.sign(correlation[tuple(pairs.T)])
    compare = partial(_agree, columns, pairs, signs, found.mean[columns], length)
    alike, equal = fold(compare, _both, blocks, n_jobs)
    return [
        (int(i), int(j), not same) for (i, j), same in zip(pairs[alike], equal[alike], strict=True)
    ]


Agreement = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def _agree(
    columns: list[int],
    pairs: NDArray[np.intp],
    signs: Floats,
    mean: Floats,
    length: Floats,
    block: Floats,
) -> Agreement:
    """For each pair whether its unit columns agree up to a sign, and whether it is equal as is."""
    X = block[:, columns]
    Z = (X - mean) / length
    i, j = pairs.T
    return (
        np.asarray((abs(Z[:, i] - signs * Z[:, j]) <= COPY_TOLERANCE).all(axis=0)),
        np.asarray((X[:, i] == X[:, j]).all(axis=0)),
    )


def _both(some: Agreement, more: Agreement) -> Agreement:
    return some[0] & more[0], some[1] & more[1]
