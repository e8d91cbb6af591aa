"""Open Parquet files, folders of them and Arrow datasets, without loading them."""

from __future__ import annotations

import os
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.arrow_blocks import (
    ArrowBlocks,
    Fragment,
    LazyColumn,
    RowGroup,
    Run,
    footer_digest,
    opened_file,
)
from scoredag.data.block_table import BlockTable, values_refused
from scoredag.data.blocks import Floats, fold, is_blocks
from scoredag.data.checks import about_size, refuse
from scoredag.data.columnar import damaged, in_rows, refuse_nothing, stored_index
from scoredag.data.columns import Columns, about_text, about_unnamed, complaints
from scoredag.data.compressed import PACKED
from scoredag.data.dask_blocks import dask_lengths, dask_table, is_dask
from scoredag.data.formats import BY_SUFFIX
from scoredag.data.gaps import codes_of, warn_about_dropped_rows, warn_about_unused
from scoredag.data.names import about_repeated_names
from scoredag.data.nonnumeric import holds_numbers
from scoredag.data.reading import about_gaps_of_file, as_list, check_incomplete, require_arrow
from scoredag.data.scan import scan
from scoredag.data.selection import choose
from scoredag.data.sources import refuse_absent, refuse_other_content
from scoredag.data.wording import listing, name_list, quoted
from scoredag.exceptions import DataError, DataWarning, warn

PARQUET = (".parquet", ".pq")
# Tables in blocks that take no more in memory are loaded there: they are then analysed like others.
LOADED_BYTES = 2**26
_BEGINNING = 4096  # bytes that tell what a file is


def open_table(
    source: Any,
    *,
    select: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    na: Sequence[str] = (),
    incomplete: str = "refuse",
    n_jobs: int | None = None,
) -> BlockTable:
    """Open a table that may be larger than memory, and check it in one pass.

    Parameters
    ----------
    source : path or pyarrow.dataset.Dataset
        A Parquet file, a folder with Parquet files, in its own folders too (in the order of their
        names), or an Arrow dataset. Columns that stand in the names of folders, such as
        ``year=2026``, are not read, and neither are tables of other formats; a `DataWarning` names
        what is left out.
    select, drop, na, incomplete
        As in `read_table`.
    n_jobs : int, optional
        Threads, as in joblib.

    Returns
    -------
    BlockTable
        To be given to an estimator that streams, such as `scoredag.SCORE`.

    Raises
    ------
    DataError
        If the table cannot be read, or holds cells that are no finite numbers: as `read_table`
        says. What else is wrong is said by the estimator that gets the table.

    Notes
    -----
    Memory is bounded by blocks of at most 8192 rows and 8 MB, three of them a thread. Every pass
    over the rows reads the files again.

    Examples
    --------
    >>> import pathlib, tempfile, pyarrow
    >>> from pyarrow import parquet
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "doses.parquet")
    ...     parquet.write_table(pyarrow.table({"dose": [1, 2], "effect": [2.5, 3.5]}), path)
    ...     table = open_table(path)
    ...     table.names, table.shape, table.scan.mean.tolist()
    (('dose', 'effect'), (2, 2), [1.5, 3.0])
    """
    select, drop, na = (as_list(names) for names in (select, drop, na))
    check_incomplete(incomplete)
    require_arrow()
    stored = _stored(source)
    columns = stored.columns()
    chosen = stored.chosen(select, drop)
    kept = columns.take(chosen)
    instead = complaints(kept)
    usable = [
        k
        for k in chosen
        if columns.names[k] not in instead
        and columns.names[k] not in columns.unnamed
        # Of columns with one name Arrow cannot read one alone.
        and stored.names.count(stored.names[k]) == 1
    ]
    every_row = stored.blocks(usable, codes_of(na))
    of_all = scan(every_row, n_jobs) if usable else None
    dropping = incomplete == "drop" and of_all is not None and of_all.gaps.broken_rows > 0
    blocks, found = every_row, of_all
    if dropping and of_all is not None:
        blocks = every_row.complete_rows(of_all.complete)
        found = scan(blocks, n_jobs) if blocks.shape[0] else None
    problems = [
        about_unnamed(kept),
        about_repeated_names(columns.names, kept=kept.names),
        about_text(instead, len(kept.names)),
    ]
    if of_all is not None:
        problems.append(about_gaps_of_file(of_all.gaps, blocks.shape[0], columns.take(usable)))
    if any(problems):
        problems.append(about_size(stored.n_rows, len(kept.names)))
        if found is not None:
            problems += values_refused(blocks, found, columns.take(usable).names, n_jobs)
    refuse(problems, stored.label)
    _warn_about_unused(na, stored.blocks(usable, ()), stored.label, n_jobs)
    if dropping and of_all is not None:
        warn_about_dropped_rows(of_all.gaps, stored.label)
    whole = tuple(stored.is_whole(k) for k in usable)
    return BlockTable(blocks, kept.names, stored.label, whole, scan=found)


def matrix_or_blocks(X: Any) -> Floats | BlockTable:
    """A table in blocks as a `BlockTable`, any other as a matrix of finite numbers.

    Examples
    --------
    >>> matrix_or_blocks([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    table = table_in_blocks(X)
    return as_finite_matrix(X) if table is None else table


def counted_partitions(X: Any) -> list[int] | None:
    """Rows of each partition of a Dask collection, for the functions below; None for other tables.

    Examples
    --------
    >>> counted_partitions(np.zeros((3, 2))) is None
    True
    """
    return dask_lengths(X) if is_dask(X) else None


def table_in_blocks(X: Any, lengths: Sequence[int] | None = None) -> BlockTable | None:
    """Blocks, a Dask collection or an Arrow dataset as a `BlockTable`; None for other tables.

    Parameters
    ----------
    X : object
        Any table.
    lengths : sequence of int, optional
        `counted_partitions` of it, counted here by default.

    Raises
    ------
    DataError
        If columns have no name or hold no numbers; it lists all that is wrong with the table.

    Examples
    --------
    >>> table_in_blocks(np.zeros((3, 2))) is None
    True
    """
    if isinstance(X, BlockTable):
        return X
    if is_blocks(X):
        return BlockTable(X, tuple(f"x{j}" for j in range(X.shape[1])), has_names=False)
    if is_dask(X):
        return dask_table(X, lengths)
    return open_table(X) if is_arrow_dataset(X) else None


def fits_in_memory(X: Any, *, streams: bool, lengths: Sequence[int] | None = None) -> bool:
    """Whether a table is to be analysed in memory, because it is there or takes little of it.

    Parameters
    ----------
    X : object
        Any table.
    streams : bool
        Whether the method can read blocks: who hands blocks to such a method wants that.
    lengths : sequence of int, optional
        `counted_partitions` of the table, counted here by default.

    Examples
    --------
    >>> from scoredag.data.blocks import ArrayBlocks
    >>> blocks = ArrayBlocks(np.zeros((100, 2)))
    >>> fits_in_memory(blocks, streams=True), fits_in_memory(blocks, streams=False)
    (False, True)
    """
    if is_blocks(X):
        return not streams and _nbytes(X.shape) <= LOADED_BYTES
    if is_arrow_dataset(X):
        return _nbytes((X.count_rows(), len(X.schema.names))) <= LOADED_BYTES
    if is_dask(X):
        lengths = dask_lengths(X) if lengths is None else lengths
        return _nbytes((sum(lengths), X.shape[1])) <= LOADED_BYTES
    return True


def in_memory(X: Any) -> Any:
    """A table that `fits_in_memory`, as a library would have it there.

    Examples
    --------
    >>> from scoredag.data.blocks import ArrayBlocks
    >>> in_memory(ArrayBlocks(np.zeros((100, 2)))).shape
    (100, 2)
    """
    if is_blocks(X):
        table = table_in_blocks(X)
        assert table is not None
        return table.load() if table.has_names else table.load().values
    if is_arrow_dataset(X):
        return X.to_table(use_threads=False)
    return X.compute() if is_dask(X) else X


def _nbytes(shape: tuple[int, int]) -> int:
    return 8 * shape[0] * shape[1]


def is_arrow_dataset(X: object) -> bool:
    """Whether something is a ``pyarrow.dataset.Dataset``, without importing Arrow."""
    return any(
        kind.__name__ == "Dataset" and kind.__module__ == "pyarrow._dataset"
        for kind in type(X).__mro__
    )


class TableSize(NamedTuple):
    """Rows, columns and columns of numbers of a table, as its files say without being read."""

    n_rows: int
    n_columns: int
    n_numeric: int

    @property
    def nbytes(self) -> int:
        """Bytes that the table takes in memory."""
        return 8 * self.n_rows * self.n_columns


def stored_size(
    path: str | os.PathLike[str],
    select: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> TableSize:
    """Rows and chosen columns of a Parquet file or folder; the arguments are those of `open_table`.

    Examples
    --------
    >>> TableSize(1_000_000, 20, 20).nbytes
    160000000
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # said when the table is opened
        stored = _stored(path)
    chosen = stored.chosen(as_list(select), as_list(drop))
    numeric = [k for k in chosen if holds_numbers(stored.kinds[k])]
    return TableSize(stored.n_rows, len(chosen), len(numeric))


def may_be_large(path: str | os.PathLike[str]) -> bool:
    """Whether a path is of the kind that can be read in blocks: a folder or a Parquet file.

    Examples
    --------
    >>> may_be_large("doses.parquet"), may_be_large("doses.csv"), may_be_large("-")
    (True, False, False)
    """
    return Path(path).is_dir() or Path(path).suffix.lower() in PARQUET


class _Piece(NamedTuple):
    """A file, or a fragment of a dataset."""

    label: str
    schema: Any
    runs: list[Run]
    lengths: list[int]


class _Stored(NamedTuple):
    """Columns of pieces that belong together.

    Attributes
    ----------
    label : str
        What messages call the whole.
    names : list of str
        The columns, as the pieces call them.
    kinds : list of pyarrow.DataType
        Their types.
    pieces : list of _Piece
    of_folders : tuple of str
        Columns that stand in the names of folders alone, and are not read.
    """

    label: str
    names: list[str]
    kinds: list[Any]
    pieces: list[_Piece]
    of_folders: tuple[str, ...] = ()

    @property
    def runs(self) -> list[Run]:
        return [run for piece in self.pieces for run in piece.runs]

    @property
    def lengths(self) -> list[int]:
        return [length for piece in self.pieces for length in piece.lengths]

    @property
    def n_rows(self) -> int:
        return sum(self.lengths)

    def columns(self) -> Columns:
        """The columns for the checks that `read_table` makes, read when they are asked for."""
        lazy: list[Any] = [
            LazyColumn(name, kind, self.runs, self.lengths)
            for name, kind in zip(self.names, self.kinds, strict=True)
        ]
        return Columns.named(self.names, lazy, self.where)

    def chosen(self, select: Sequence[str], drop: Sequence[str]) -> list[int]:
        """Positions of the columns to analyse."""
        try:
            return choose(self.columns().names, select, drop)
        except DataError as error:
            hint = f" {_about_folder_names(self.of_folders)}" if self.of_folders else ""
            raise DataError(f"{self.label}: {error}{hint}") from None

    def blocks(self, positions: Sequence[int], codes: Sequence[float]) -> ArrowBlocks:
        names = [self.names[k] for k in positions]
        return ArrowBlocks(self.runs, self.lengths, names, codes=codes)

    def is_whole(self, position: int) -> bool:
        from pyarrow import types

        return bool(types.is_integer(self.kinds[position]))

    def where(self, rows: Sequence[int]) -> str:
        """Say where rows are: of several files, in which."""
        if len(self.pieces) == 1:
            return in_rows(rows)
        ends = list(accumulate(sum(piece.lengths) for piece in self.pieces))
        found = []
        for row in rows:
            k = bisect_right(ends, row)
            found.append(f"row {row + 1 - (ends[k - 1] if k else 0)} of {self.pieces[k].label}")
        return listing(found)


def _stored(source: Any) -> _Stored:
    if is_arrow_dataset(source):
        try:
            fragments = list(source.get_fragments())
        except ValueError as error:  # Arrow knows the rows of a filter only when it has read all
            raise DataError(
                "a filtered or projected dataset cannot be read in blocks: write the rows that it "
                "keeps to a file, or filter a Dask data frame."
            ) from error
        label, pieces = "the dataset", list(map(_piece_of_fragment, fragments))
        return _without_index(label, source.schema, pieces)
    if not isinstance(source, str | os.PathLike):
        raise DataError(f"the source of a table must be a path or a dataset; got {source!r}.")
    path = Path(source)
    refuse_absent(path)
    files = _files_of(path)
    pieces = [_piece_of_file(file) for file in files]
    stored = _without_index(str(path), pieces[0].schema, pieces)
    of_folders = _columns_of_folders(path, files, stored.names)
    for message in _about_left_out(path, of_folders):
        warn(message)
    return stored._replace(of_folders=of_folders)


def _without_index(label: str, schema: Any, pieces: list[_Piece]) -> _Stored:
    """Columns of pieces that belong together, but for row labels that pandas has stored."""
    index = stored_index(schema, label)
    columns = [pair for pair in zip(*_columns(schema), strict=True) if pair[0] not in index]
    names, kinds = [name for name, _ in columns], [kind for _, kind in columns]
    stored = _Stored(label, names, kinds, _alike(pieces, names, index))
    refuse_nothing(stored.n_rows, len(names), label)
    return stored


def _columns(schema: Any) -> tuple[list[str], list[Any]]:
    """Names and types of a schema; Arrow makes both lists anew whenever they are asked for."""
    return list(schema.names), list(schema.types)


def _files_of(path: Path) -> list[Path]:
    """The Parquet files of a folder; names that begin with a dot or an underscore are notes."""
    if not path.is_dir():
        if path.suffix.lower() not in PARQUET:
            raise DataError(
                f"{path} is no Parquet file by its name (.parquet, .pq): only these can be read "
                "in blocks. scoredag.data.read_table reads other files."
            )
        return [path]
    files = [file for file in _visible(path) if file.suffix.lower() in PARQUET]
    if not files:
        raise DataError(f"{path} is a directory without Parquet files (.parquet, .pq).")
    return files


def _visible(folder: Path) -> list[Path]:
    """All files below a folder by name, but for notes and what lies in folders of notes."""
    return sorted(
        file
        for file in folder.rglob("*")
        if not file.is_dir()
        and not any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
    )


def _columns_of_folders(path: Path, files: Sequence[Path], names: Sequence[str]) -> tuple[str, ...]:
    """Columns that stand in the names of folders, as in ``year=2026``, and not in the files."""
    folders = [part for file in files for part in file.relative_to(path).parts[:-1]]
    keys = [folder.partition("=")[0] for folder in folders if "=" in folder]
    return tuple(dict.fromkeys(key for key in keys if key and key not in names))


def _about_left_out(path: Path, of_folders: Sequence[str]) -> Iterator[str]:
    """Say what a folder holds that is not read: columns in names of folders, and other tables."""
    if of_folders:
        yield f"{path}: {_about_folder_names(of_folders)}"
    tables = {*BY_SUFFIX, *PACKED} - {*PARQUET}
    found = _visible(path) if path.is_dir() else []
    others = [str(file.relative_to(path)) for file in found if file.suffix.lower() in tables]
    if others:
        yield (
            f"{path}: only the Parquet files of a folder are read; left out: {name_list(others)}. "
            "Convert them if they belong to the table."
        )


def _about_folder_names(columns: Sequence[str]) -> str:
    return (
        f"{name_list(columns)} in the names of folders are left out, because no file has such "
        "columns. To analyse them, write them into the files."
    )


def _piece_of_file(path: Path) -> _Piece:
    import pyarrow
    from pyarrow import parquet

    try:
        with opened_file(str(path)) as source, parquet.ParquetFile(source) as file:
            digest = footer_digest(source)
            groups = range(file.num_row_groups)
            lengths = [file.metadata.row_group(group).num_rows for group in groups]
            schema = file.schema_arrow
    except (pyarrow.ArrowException, OSError) as error:
        with path.open("rb") as opened:
            refuse_other_content(opened.read(_BEGINNING), BY_SUFFIX[path.suffix.lower()], str(path))
        raise damaged(str(path), "Parquet", error) from error
    runs: list[Run] = [RowGroup(str(path), None, group, digest) for group in groups]
    return _Piece(str(path), schema, runs, lengths)


def _piece_of_fragment(fragment: Any) -> _Piece:
    from pyarrow import dataset

    if isinstance(fragment, dataset.ParquetFileFragment):
        groups, filesystem = fragment.row_groups, fragment.filesystem
        with opened_file(fragment.path, filesystem) as source:
            digest = footer_digest(source)
        return _Piece(
            fragment.path,
            fragment.physical_schema,
            [RowGroup(fragment.path, filesystem, group.id, digest) for group in groups],
            [group.num_rows for group in groups],
        )
    label = getattr(fragment, "path", "a fragment in memory")
    return _Piece(label, fragment.physical_schema, [Fragment(fragment)], [fragment.count_rows()])


def _alike(pieces: list[_Piece], names: Sequence[str], index: Sequence[str] = ()) -> list[_Piece]:
    """Return the pieces, or raise `DataError` if their columns, but for the index, differ."""
    first, expected = pieces[0] if pieces else None, {*names, *index}
    kinds_of_first: dict[str, Any] = {}
    for piece in pieces:
        its_names, its_types = _columns(piece.schema)
        kinds = dict(zip(its_names, its_types, strict=True))
        kinds_of_first = kinds_of_first or kinds
        lacking = [name for name in names if name not in kinds]
        further = [name for name in its_names if name not in expected]
        for found, has in ((lacking, "has no column"), (further, "alone has the column")):
            if found:
                raise DataError(
                    f"{piece.label} {has} {quoted(found[0])}: all files of a table must have the "
                    "same columns. Columns that stand in the names of folders are none."
                )
        assert first is not None
        for name in dict.fromkeys(names):
            here, there = kinds_of_first[name], kinds[name]
            if here != there and holds_numbers(here) != holds_numbers(there):
                raise DataError(
                    f"{quoted(name)} holds {here} in {first.label} and {there} in "
                    f"{piece.label}: write it in one way."
                )
    return pieces


def _warn_about_unused(
    na: Sequence[str], blocks: ArrowBlocks, label: str, n_jobs: int | None
) -> None:
    if not na:
        return
    codes = codes_of(na)
    occurs = fold(partial(_occurring, np.array(codes)), or_, blocks, n_jobs)
    warn_about_unused(na, dict(zip(codes, occurs.tolist(), strict=True)), set(), label)


def _occurring(codes: Floats, block: Floats) -> NDArray[np.bool_]:
    return np.array([bool((block == code).any()) for code in codes], dtype=bool)
