"""What an analysis in blocks knows of a table beforehand: a scan of all rows, a sample of some."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoredag.data.blocks import Floats, RowBlocks, sample_rows
from scoredag.data.scan import Scan, scan

# Rows of the sample, which answers what would need a sort of all rows ("Rows" in
# docs/decisions/0010-scale.md). The standard error of the rank of its median is 0.35% of the rows.
SAMPLE_ROWS = 20_000
SAMPLE_BYTES = 2**26  # of the sample, as float64; but never fewer rows than the next number
FEWEST_SAMPLE_ROWS = 2_000
_SEED = 20_261  # of the sample; any other number draws rows as fair


@dataclass(frozen=True)
class Profile:
    """A scan of all rows, and a sample of them.

    Attributes
    ----------
    scan : Scan
    sample : ndarray of shape (m, d)
        Rows that were drawn without replacement, in their order; all rows of a small table.
    """

    scan: Scan
    sample: Floats

    @property
    def mean(self) -> Floats:
        """Mean of each column, over all rows."""
        return self.scan.mean

    @property
    def variance(self) -> Floats:
        """Variance of each column, over all rows."""
        return self.scan.variance

    @property
    def spread_values(self) -> Floats:
        """The sample and the smallest and largest values of all rows, which a sample misses."""
        return np.vstack([self.sample, self.scan.extent.low, self.scan.extent.high])


def sample_size(n_columns: int) -> int:
    """Rows of the sample of a table with so many columns.

    Examples
    --------
    >>> sample_size(20), sample_size(1000)
    (20000, 8388)
    """
    return min(SAMPLE_ROWS, max(FEWEST_SAMPLE_ROWS, SAMPLE_BYTES // (8 * n_columns)))


def profile_of(blocks: RowBlocks, n_jobs: int | None = None, found: Scan | None = None) -> Profile:
    """The profile that a table carries, or else a new one, in two passes.

    Parameters
    ----------
    blocks : RowBlocks
        The table; a `scoredag.data.block_table.BlockTable` can have a profile.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.
    found : Scan, optional
        A scan of the table, where there is one already.
    """
    known = getattr(blocks, "profile", None)
    if isinstance(known, Profile):
        return known
    found = scan(blocks, n_jobs) if found is None else found
    rng = np.random.default_rng(_SEED)
    return Profile(found, sample_rows(blocks, sample_size(blocks.shape[1]), rng))


def means_of(X: Floats | RowBlocks) -> Floats:
    """Means of the columns of a table in memory or in blocks."""
    return X.mean(axis=0) if isinstance(X, np.ndarray) else profile_of(X).mean


def variances_of(X: Floats | RowBlocks) -> Floats:
    """Variances of the columns of a table in memory or in blocks."""
    return X.var(axis=0) if isinstance(X, np.ndarray) else profile_of(X).variance
