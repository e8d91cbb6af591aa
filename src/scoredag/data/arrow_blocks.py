"""Columns of Parquet files and of Arrow datasets as blocks of rows, read when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoredag.data.blocks import Floats, Part, Span, block_rows, cut, in_parts

if TYPE_CHECKING:
    import pyarrow

# Bytes of a column's pages that are read at once; by default all that a row group has of a column.
_PAGE_BYTES = 2**18


class RowGroup(NamedTuple):
    """A row group of a Parquet file.

    Attributes
    ----------
    path : str
    filesystem : pyarrow.fs.FileSystem or None
        None stands for the files of the machine that reads.
    group : int
    """

    path: str
    filesystem: Any
    group: int

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pyarrow.RecordBatch]:
        """Batches of at most so many rows, without reading the whole row group."""
        from pyarrow import parquet

        opened = parquet.ParquetFile(
            self.path, filesystem=self.filesystem, buffer_size=_PAGE_BYTES, pre_buffer=False
        )
        with opened as file:
            yield from file.iter_batches(
                batch_size=rows, row_groups=[self.group], columns=list(columns), use_threads=False
            )


class Fragment(NamedTuple):
    """A piece of an Arrow dataset in another format than Parquet."""

    fragment: Any

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pyarrow.RecordBatch]:
        """Batches of at most so many rows."""
        yield from self.fragment.to_batches(
            columns=list(columns),
            batch_size=rows,
            use_threads=False,
            batch_readahead=0,
            fragment_readahead=0,
        )


Run = RowGroup | Fragment


class ArrowBlocks:
    """Columns of Parquet files or of an Arrow dataset as blocks of rows; never the whole table.

    `scoredag.data.open_table` makes one.

    Parameters
    ----------
    runs : sequence of RowGroup or Fragment
        Where the rows are.
    lengths : sequence of int
        Their numbers of rows.
    columns : sequence of str
        The columns, all of numbers, by the names that the files have.
    codes : sequence of float
        Numbers that stand for a missing value: NaN in the blocks.
    complete : sequence of int, optional
        For each block how many of its rows have no gap: only these rows are in the table.
    """

    def __init__(
        self,
        runs: Sequence[Run],
        lengths: Sequence[int],
        columns: Sequence[str],
        *,
        codes: Sequence[float] = (),
        complete: Sequence[int] | None = None,
    ) -> None:
        self._runs, self._lengths, self._columns = tuple(runs), tuple(lengths), tuple(columns)
        self._codes, self._complete = tuple(codes), complete
        self._rows = block_rows(len(self._columns))
        spans = cut(self._lengths, self._rows)
        counts = [span.n_rows for span in spans] if complete is None else complete
        self._spans = [span for span, count in zip(spans, counts, strict=True) if count]
        self._counts = [count for count in counts if count]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table."""
        return sum(self._counts), len(self._columns)

    def __iter__(self) -> Iterator[Floats]:
        # In one go, not part by part: a run that many parts share is gone through once.
        return self._read(self._segments(self._spans))

    def parts(self) -> list[Part]:
        """Parts, each to be read by a task."""
        counts = iter(self._counts)
        return [
            Part(self._read, self._segments(spans), sum(next(counts) for _ in spans))
            for spans in in_parts(self._spans)
        ]

    def complete_rows(self, counts: Sequence[int]) -> ArrowBlocks:
        """The table without the rows that have a gap; ``counts`` has the complete rows by block."""
        return ArrowBlocks(
            self._runs, self._lengths, self._columns, codes=self._codes, complete=counts
        )

    @property
    def _read(self) -> partial[Iterator[Floats]]:
        complete = self._complete is not None
        return partial(_read, self._columns, self._rows, self._codes, complete)

    def _segments(self, spans: Sequence[Span]) -> list[tuple[Run, list[int]]]:
        """For each run of these blocks the first rows of the blocks."""
        return [
            (self._runs[run], [span.first for span in members])
            for run, members in groupby(spans, key=lambda span: span.run)
        ]


def _read(
    columns: Sequence[str],
    rows: int,
    codes: Sequence[float],
    complete: bool,
    segments: Sequence[tuple[Run, list[int]]],
) -> Iterator[Floats]:
    for run, starts in segments:
        for block in _blocks(run.batches(columns, rows), columns, rows, starts):
            if codes:
                block[np.isin(block, codes)] = np.nan
            yield block[np.isfinite(block).all(axis=1)] if complete else block


def _blocks(
    batches: Iterator[pyarrow.RecordBatch],
    columns: Sequence[str],
    rows: int,
    starts: Sequence[int],
) -> Iterator[Floats]:
    """Those blocks of so many rows, the last one fewer, that begin at some rows; from any batches.

    What comes before has to be decoded all the same, but not what comes behind.
    """
    wanted = set(starts)
    first = filled = 0
    block = np.empty((rows, len(columns)))
    for batch in batches:
        taken = 0
        while taken < batch.num_rows:
            count = min(rows - filled, batch.num_rows - taken)
            if first in wanted:
                _fill(block[filled : filled + count], batch.slice(taken, count), columns)
            filled, taken = filled + count, taken + count
            if filled == rows:
                if first in wanted:
                    yield block
                    block = np.empty((rows, len(columns)))
                first, filled = first + rows, 0
                if first > starts[-1]:
                    return
    if filled:
        yield block[:filled]


def _fill(target: Floats, batch: pyarrow.RecordBatch, columns: Sequence[str]) -> None:
    import pyarrow

    for k, name in enumerate(columns):
        cells = batch.column(name).cast(pyarrow.float64(), safe=False)
        target[:, k] = cells.to_numpy(zero_copy_only=False)


class LazyColumn:
    """A column of any kind that is read, chunk by chunk, each time that it is asked for.

    It has what `scoredag.data.columns.Columns` asks of an Arrow array.

    Parameters
    ----------
    name : str
        What the files call it.
    kind : pyarrow.DataType
    runs, lengths
        As of `ArrowBlocks`.
    """

    def __init__(
        self, name: str, kind: pyarrow.DataType, runs: Sequence[Run], lengths: Sequence[int]
    ) -> None:
        self.name, self.type = name, kind
        self._runs, self._length = runs, sum(lengths)

    def __len__(self) -> int:
        return self._length

    @property
    def chunks(self) -> Iterator[pyarrow.Array]:
        """The cells, as Arrow arrays."""
        for run in self._runs:
            for batch in run.batches([self.name], block_rows(1)):
                yield batch.column(0)

    @property
    def null_count(self) -> int:
        """Missing cells."""
        return sum(chunk.null_count for chunk in self.chunks)
