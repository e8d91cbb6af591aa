"""Dask arrays and data frames as blocks of rows, computed partition by partition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.data.arrays import about_held, frame_of, held_in, numbers_of
from scoredag.data.block_table import BlockTable, values_refused
from scoredag.data.blocks import Floats, Part, RowBlocks, block_rows, cut, in_parts
from scoredag.data.checks import about_size, refuse
from scoredag.data.gaps import in_array
from scoredag.data.names import about_equal_labels, about_missing_names, about_repeated_names
from scoredag.data.scan import scan
from scoredag.exceptions import DataError


def is_dask(X: object) -> bool:
    """Whether something is a collection of Dask that may be a table.

    Examples
    --------
    >>> is_dask(np.zeros((3, 2)))
    False
    """
    return hasattr(type(X), "__dask_graph__") and hasattr(type(X), "to_delayed")


def dask_table(X: Any, lengths: Sequence[int] | None = None) -> BlockTable:
    """A Dask array or data frame as a table in blocks.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        The table.
    lengths : sequence of int, optional
        What `dask_lengths` says of it, if that is known already: it can take a pass over the rows.

    Raises
    ------
    DataError
        If columns of a data frame have no name or hold no numbers; it lists all that is wrong.
    """
    refuse_no_table(X)
    if not hasattr(type(X), "columns"):
        blocks = DaskBlocks(X, lengths=lengths)
        whole = (X.dtype.kind in "iu",) * blocks.shape[1]
        labels = tuple(f"x{j}" for j in range(blocks.shape[1]))
        return BlockTable(blocks, labels, whole=whole, has_names=False)
    labels, kinds = tuple(X.columns), [dtype.kind for dtype in X.dtypes]
    held = {
        k: found
        for k, kind in enumerate(kinds)
        if kind not in "biuf" and (found := held_in(DaskColumn(X, k))) is not None
    }
    names = [str(label) for label in labels]
    problems = [
        about_missing_names(labels),
        about_repeated_names(names),
        about_equal_labels(labels),
        about_held({names[k]: found for k, found in held.items()}),
    ]
    kept = [k for k in range(len(labels)) if k not in held]
    blocks = DaskBlocks(X, kept, lengths)
    if any(problems):
        refuse([*problems, *_about_numbers(blocks, [names[k] for k in kept], len(labels))])
    return BlockTable(blocks, labels, whole=tuple(kind in "iu" for kind in kinds))


def refuse_no_table(X: Any) -> None:
    """Raise `DataError` unless a Dask collection is a data frame or an array of numbers, n x d."""
    if hasattr(type(X), "columns"):
        return
    shape: tuple[Any, ...] | None = getattr(X, "shape", None)
    if shape is None:
        raise DataError(f"X must be a Dask array or data frame; got {type(X).__name__}.")
    if len(shape) != 2 or shape[1] != shape[1]:
        raise DataError(
            f"X must be a table of numbers, n rows by d columns; got shape {tuple(shape)}"
        )
    if X.dtype.kind not in "biufO":  # cells of objects are looked at when they are read
        raise DataError(f"X must be a table of real numbers; got a Dask array of {X.dtype}.")


def _about_numbers(blocks: RowBlocks, names: Sequence[str], n_columns: int) -> list[str | None]:
    """Describe the problems of the columns of numbers, beside those that hold something else."""
    n = blocks.shape[0]
    problems = [about_size(n, n_columns)]
    if n and names:
        found = scan(blocks)
        problems += [
            found.gaps.describe(names, in_array),
            *values_refused(blocks, found, names),
        ]
    return problems


class DaskBlocks:
    """Columns of a Dask data frame, or a Dask array, as blocks of rows.

    A partition is computed whenever its rows are asked for, dozens of times in a fit: persist what
    takes long to compute. In memory is at most one partition for each task.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        The table.
    columns : sequence of int, optional
        Positions of the columns of a data frame to keep.
    lengths : sequence of int, optional
        Rows of each partition, counted by default.
    """

    def __init__(
        self,
        X: Any,
        columns: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
    ) -> None:
        self._columns = None if columns is None else tuple(columns)
        self._partitions = partitions_of(X)
        self._lengths = dask_lengths(X) if lengths is None else list(lengths)
        width = X.shape[1] if columns is None else len(columns)
        self._shape = sum(self._lengths), int(width)
        self._rows = block_rows(self._shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table."""
        return self._shape

    def __iter__(self) -> Iterator[Floats]:
        for partition, length in zip(self._partitions, self._lengths, strict=True):
            starts = range(0, length, self._rows)
            yield from _read(self._columns, self._rows, [starts], [partition.compute()])

    def parts(self) -> list[Part]:
        """Parts, each for a task that gets the partitions which it needs."""
        parts = []
        for spans in in_parts(cut(self._lengths, self._rows)):
            runs = [(run, list(members)) for run, members in groupby(spans, lambda span: span.run)]
            starts = [[span.first for span in members] for _, members in runs]
            source = [self._partitions[run] for run, _ in runs]
            read = partial(_read, self._columns, self._rows, starts)
            parts.append(Part(read, source, sum(span.n_rows for span in spans)))
        return parts

    def __reduce__(self) -> Any:
        raise TypeError(
            "blocks of a Dask collection do not travel: give scoredag.data.blocks.fold a function "
            "that holds the arrays that it needs, and not the object that holds the blocks"
        )


class DaskColumn:
    """A column of a Dask data frame, of any kind: partition by partition, whenever asked for."""

    def __init__(self, X: Any, position: int) -> None:
        self._partitions, self._position = partitions_of(X), position

    def __iter__(self) -> Iterator[NDArray[Any]]:
        for partition in self._partitions:
            frame = frame_of(partition.compute())
            assert frame is not None  # a partition of a data frame is one
            yield frame.columns[self._position]


def partitions_of(X: Any) -> list[Any]:
    """Promises of the partitions of a Dask collection; of an array, all columns together."""
    if hasattr(type(X), "columns"):
        return list(X.to_delayed())
    refuse_no_table(X)
    return list(X.rechunk({1: -1}).to_delayed().ravel())


def dask_lengths(X: Any) -> list[int]:
    """Rows of each partition; they are counted where Dask does not know them: a pass over them."""
    refuse_no_table(X)
    from dask.base import compute
    from dask.delayed import delayed

    known = () if hasattr(type(X), "columns") else X.chunks[0]
    if len(known) and not np.isnan(known).any():
        return [int(length) for length in known]
    return list(compute(*(delayed(len)(partition) for partition in partitions_of(X))))


def _read(
    columns: Sequence[int] | None, rows: int, starts: Sequence[Sequence[int]], partitions: Any
) -> Iterator[Floats]:
    for partition, firsts in zip(partitions, starts, strict=True):
        rows_of = partition.iloc if hasattr(partition, "iloc") else partition
        for first in firsts:
            yield _numbers(columns, rows_of[first : first + rows])


def _numbers(columns: Sequence[int] | None, rows: Any) -> Floats:
    frame = frame_of(rows)
    if frame is None:
        return np.asarray(rows, dtype=np.float64)
    kept = range(len(frame.columns)) if columns is None else columns
    return numbers_of([frame.columns[k] for k in kept], len(rows))
