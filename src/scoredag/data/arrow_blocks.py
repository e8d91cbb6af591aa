"""Columns of Parquet files and of Arrow datasets as blocks of rows, read when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoredag.data.blocks import Floats, Part, Span, block_rows, cut, in_parts
from scoredag.exceptions import DataError

if TYPE_CHECKING:
    import pyarrow

# Bytes of a column's pages that are read at once; by default all that a row group has of a column.
_PAGE_BYTES = 2**18
# The last bytes of a Parquet file: the length of its footer, and four letters.
_LENGTH_BYTES, _LAST_BYTES = 4, 8


def footer_digest(file: pyarrow.NativeFile) -> str:
    """Tell Parquet files apart by the footer, which has the sizes and the range of each column.

    Unlike the time of the last change it is the same on all machines that see the file.

    Examples
    --------
    >>> import pyarrow
    >>> from pyarrow import parquet
    >>> def digest(values):
    ...     parquet.write_table(pyarrow.table({"x": values}), out := pyarrow.BufferOutputStream())
    ...     return footer_digest(pyarrow.BufferReader(out.getvalue()))
    >>> digest([1, 2]) == digest([1, 2]), digest([1, 2]) == digest([1, 3])
    (True, False)
    """
    size = file.size()
    end = file.read_at(_LAST_BYTES, max(0, size - _LAST_BYTES))
    length = min(int.from_bytes(end[:_LENGTH_BYTES], "little") + _LAST_BYTES, size)
    footer = file.read_at(length, size - length)
    return blake2b(footer, digest_size=16).hexdigest()


def opened_file(path: str, filesystem: Any = None) -> pyarrow.NativeFile:
    """Open a file of a file system of Arrow, by default that of this machine."""
    from pyarrow import fs

    return (filesystem or fs.LocalFileSystem()).open_input_file(path)


class RowGroup(NamedTuple):
    """A row group of a Parquet file.

    Attributes
    ----------
    path : str
    filesystem : pyarrow.fs.FileSystem or None
        None stands for the files of the machine that reads.
    group : int
    digest : str
        `footer_digest` of the file when the table was opened.
    """

    path: str
    filesystem: Any
    group: int
    digest: str

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pyarrow.RecordBatch]:
        """Batches of at most so many rows, without reading the whole row group."""
        from pyarrow import parquet

        with opened_file(self.path, self.filesystem) as source:
            if footer_digest(source) != self.digest:
                raise DataError(
                    f"{self.path} has changed since the table was opened: open the table again."
                )
            with parquet.ParquetFile(source, buffer_size=_PAGE_BYTES, pre_buffer=False) as file:
                yield from file.iter_batches(
                    batch_size=rows,
                    row_groups=[self.group],
                    columns=list(columns),
                    use_threads=False,
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
