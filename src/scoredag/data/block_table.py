"""A table in blocks with the labels of its columns: checked, and with its profile."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoredag.data.blocks import Floats, Part, RowBlocks, ScaledBlocks, parts_of, take_rows
from scoredag.data.cautions import (
    about_codes,
    about_collinearity,
    about_scales,
    about_size,
    about_ties,
)
from scoredag.data.checks import about_extent, refuse
from scoredag.data.checks import about_size as about_too_small
from scoredag.data.correlation import r_squared_given
from scoredag.data.distinct import about_copies_in_sample, distinct_rows
from scoredag.data.gaps import in_array
from scoredag.data.names import about_repeated_names
from scoredag.data.profile import Profile, profile_of
from scoredag.data.row_order import about_row_order
from scoredag.data.scan import Scan, copies_among, scan
from scoredag.data.table import Table
from scoredag.exceptions import DataError, warn

# Neighbouring rows, from the middle of the table, whose order is looked at.
STRETCH_ROWS = 8192


@dataclass(frozen=True)
class BlockTable:
    """A table that is read block by block; estimators that stream take it as it is.

    `scoredag.data.open_table` makes one of a Parquet file or folder.

    Attributes
    ----------
    blocks : RowBlocks
        The rows, all numbers.
    labels : tuple
        The column labels.
    source : str
        Where the table comes from, as messages should call it.
    whole : tuple of bool
        For each column whether it is stored as whole numbers; empty if that is not known.
    has_names : bool
        Whether the labels are the table's own, and not x0, x1, ...
    scan : Scan or None
        What a pass over all rows has told.
    profile : Profile or None
        The scan and a sample of rows: of a table that was checked.
    """

    blocks: RowBlocks
    labels: tuple[Hashable, ...]
    source: str = "the table"
    whole: tuple[bool, ...] = ()
    has_names: bool = True
    scan: Scan | None = None
    profile: Profile | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.blocks.shape

    @property
    def names(self) -> tuple[str, ...]:
        """The labels as text."""
        return tuple(str(label) for label in self.labels)

    @property
    def nbytes(self) -> int:
        """Bytes that the table would take in memory."""
        return 8 * self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.blocks)

    def parts(self) -> list[Part]:
        """Parts that tasks can read by themselves."""
        return parts_of(self.blocks)

    def load(self) -> Table:
        """The whole table in memory."""
        values, first = np.empty(self.shape), 0
        for block in self.blocks:
            values[first : first + len(block)] = block
            first += len(block)
        return Table(values, self.names, self.source, self.whole)

    def checked(self, n_jobs: int | None = None) -> BlockTable:
        """The table with its profile; `DataError` lists all that is wrong with the table.

        Refused is what `scoredag.data.check_columns` refuses, in the same words.
        """
        if self.profile is not None:
            return self
        n, d = self.shape
        found = scan(self.blocks, n_jobs) if n and self.scan is None else self.scan
        if found is not None and found.gaps.n_rows != n:
            raise DataError(
                f"{self.source}: the blocks hold {found.gaps.n_rows:,} rows, and their shape says "
                f"{n:,}. Has the table changed since it was opened?"
            )
        problems = [about_repeated_names(self.names), about_too_small(n, d)]
        if found is not None:
            problems += [
                found.gaps.describe(self.names, in_array),
                *values_refused(self.blocks, found, self.names, n_jobs),
            ]
        refuse(problems)
        return replace(self, scan=found, profile=profile_of(self.blocks, n_jobs, found))

    def standardised(self, n_jobs: int | None = None) -> BlockTable:
        """A checked table with columns of mean 0 and variance 1."""
        profile = profile_of(self, n_jobs)
        scaled = ScaledBlocks(self.blocks, profile.mean, np.sqrt(profile.variance))
        source = f"{self.source}, columns standardised"
        table = BlockTable(scaled, self.labels, source, self.whole, self.has_names)
        return table.checked(n_jobs)


def values_refused(
    blocks: RowBlocks, found: Scan, names: Sequence[str], n_jobs: int | None = None
) -> list[str]:
    """Describe constant columns, values that cannot be squared, and copies of columns."""
    return about_extent(
        found.extent,
        names,
        found.gaps.complete,
        lambda columns: copies_among(blocks, found, columns, n_jobs),
    )


def warn_about_blocks(
    table: BlockTable, *, units_matter: bool = True, keeps_copies: bool = True
) -> None:
    """Emit the warnings of `scoredag.data.warn_about` for a checked table in blocks.

    What needs a sort of all rows is looked for in the sample of the table's profile, the order of
    rows in neighbouring rows from its middle: the message says so. Copies of rows are found in the
    sample, too; a method that merges those among the rows that it draws (``keeps_copies=False``)
    says so itself.
    """
    n, d = table.shape
    names, profile = table.names, profile_of(table)
    sample, stretch = profile.sample, stretch_of(table)
    drawn = "" if len(sample) == n else f" Seen in {len(sample):,} rows drawn from {n:,}."
    middle = "" if len(stretch) == n else f" Seen in {len(stretch):,} neighbouring rows of {n:,}."
    distinct = len(distinct_rows(sample)) if keeps_copies else len(sample)
    from_sample = [
        about_ties(sample, names, table.whole),
        about_codes(sample, names),
        about_copies_in_sample(len(sample), distinct) if distinct < len(sample) else None,
    ]
    messages = [
        *(message + drawn for message in from_sample if message),
        *(message + middle for message in _about_order(stretch, names)),
        about_size(n, d),
        about_collinearity((n, d), lambda: r_squared_given(profile.scan.correlation, n), names),
        about_scales(np.sqrt(profile.variance), names) if units_matter else None,
    ]
    for message in filter(None, messages):
        warn(message)


def _about_order(stretch: Floats, names: Sequence[str]) -> list[str]:
    """Say what the order of rows tells; columns that are constant in the stretch say nothing."""
    varying = np.flatnonzero(np.ptp(stretch, axis=0) > 0).tolist()
    return about_row_order(stretch[:, varying], [names[j] for j in varying]) if varying else []


def stretch_of(table: RowBlocks) -> Floats:
    """Neighbouring rows from the middle of a table."""
    n = table.shape[0]
    first = max(0, (n - STRETCH_ROWS) // 2)
    return take_rows(table, np.arange(first, min(n, first + STRETCH_ROWS)))
