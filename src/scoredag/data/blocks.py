"""A table as blocks of rows, and sums over the blocks.

Whatever the estimators compute on many rows is a sum over rows. A table that is read block by block
need not fit into memory, and the sum over blocks can be split among threads or machines. Blocks are
the same whatever computes them, and so is the tree in which their terms are added: results have the
same bits for any number of jobs, in threads and on a cluster.

Memory: a block has at most ``BLOCK_ROWS`` rows and ``BLOCK_BYTES``. `fold` with j jobs holds at
most 3 j + 1 blocks, what the function needs for j of them, and a few terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from joblib import delayed, effective_n_jobs
from numpy.typing import NDArray

from scoredag.data.cluster import active_cluster
from scoredag.exceptions import DataError
from scoredag.jobs import results_of
from scoredag.progress import Report
from scoredag.threads import one_blas_thread

Floats = NDArray[np.float64]
Term = TypeVar("Term")
Function = TypeVar("Function", bound=Callable[..., object])

BLOCK_ROWS = 8192  # rows of a block: 1.3 MB for 20 columns
BLOCK_BYTES = 2**23  # of a block, as float64: wide tables have blocks of fewer rows
FEWEST_BLOCK_ROWS = 256  # however many columns there are
# Terms that are combined at once, from the left. On a cluster one task computes so many blocks, and
# one further task combines so many results.
FAN_IN = 16


class RowBlocks(Protocol):
    """A table in blocks of rows.

    A table whose blocks can be read on another machine has a third member, ``parts()``, a list of
    `Part`: then `fold` computes on a cluster where there is one.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns of the whole table.
    """

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole table."""
        ...

    def __iter__(self) -> Iterator[Floats]:
        """The blocks in the order of the rows; the same ones each time, none of them empty."""
        ...


class Part(NamedTuple):
    """Neighbouring blocks that one task reads and sums up: `FAN_IN` of them, the last part fewer.

    Attributes
    ----------
    read : callable
        From the source to an iterator over the blocks; it travels to the task.
    source : object
        Where the blocks are: a value, such as the name of a file, or something that Dask replaces
        by its value before the task starts.
    n_rows : int
    """

    read: Callable[[Any], Iterator[Floats]]
    source: Any
    n_rows: int


class Span(NamedTuple):
    """Rows ``first`` to ``first + n_rows`` of a run: a row group of a file, a partition."""

    run: int
    first: int
    n_rows: int


class ArrayBlocks:
    """An array in memory as blocks of rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    rows : int, optional
        Rows of a block; the last one can have fewer. By default those of `block_rows`.

    Examples
    --------
    >>> [block.shape for block in ArrayBlocks(np.zeros((5, 2)), rows=3)]
    [(3, 2), (2, 2)]
    """

    def __init__(self, X: Floats, rows: int | None = None) -> None:
        self._X, self._rows = X, rows or block_rows(X.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the array."""
        return self._X.shape[0], self._X.shape[1]

    def __iter__(self) -> Iterator[Floats]:
        for start in range(0, len(self._X), self._rows):
            yield self._X[start : start + self._rows]


class ScaledBlocks:
    """Blocks of a table whose columns are shifted and divided.

    Parameters
    ----------
    blocks : RowBlocks
        The table.
    centre, scale : ndarray of shape (d,)
        What is subtracted from each column, and what it is divided by then.

    Examples
    --------
    >>> blocks = ScaledBlocks(ArrayBlocks(np.array([[1.0], [3.0]])), np.ones(1), np.full(1, 2.0))
    >>> [block.tolist() for block in blocks]
    [[[0.0], [1.0]]]
    """

    def __init__(self, blocks: RowBlocks, centre: Floats, scale: Floats) -> None:
        self._blocks, self._centre, self._scale = blocks, centre, scale

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table."""
        return self._blocks.shape

    def __iter__(self) -> Iterator[Floats]:
        return _scaled(self._centre, self._scale, iter(self._blocks))

    def parts(self) -> list[Part]:
        """Parts for tasks, each of which scales what it reads; none for a table in memory."""
        return [
            part._replace(read=partial(_read_scaled, part.read, self._centre, self._scale))
            for part in parts_of(self._blocks)
        ]


def _scaled(centre: Floats, scale: Floats, blocks: Iterator[Floats]) -> Iterator[Floats]:
    for block in blocks:
        yield (block - centre) / scale


def _read_scaled(
    read: Callable[[Any], Iterator[Floats]], centre: Floats, scale: Floats, source: Any
) -> Iterator[Floats]:
    return _scaled(centre, scale, read(source))


def is_blocks(X: object) -> bool:
    """Tell blocks of rows from what holds its numbers, as arrays and data frames do.

    Examples
    --------
    >>> is_blocks(ArrayBlocks(np.zeros((5, 2)))), is_blocks(np.zeros((5, 2)))
    (True, False)
    """
    kind = type(X)
    return (
        hasattr(kind, "shape")
        and hasattr(kind, "__iter__")
        and not any(hasattr(kind, name) for name in ("__array__", "__dataframe__", "toarray"))
    )


def reads_blocks(function: Function) -> Function:
    """Mark a piece of a shelf (a score estimator, a pruner) that takes tables in blocks.

    Examples
    --------
    >>> @reads_blocks
    ... def prune(X, candidates): ...
    >>> takes_blocks(prune), takes_blocks(partial(prune, candidates=None)), takes_blocks(max)
    (True, True, False)
    """
    function.reads_blocks = True  # type: ignore[attr-defined]
    return function


def takes_blocks(function: object) -> bool:
    """Whether a piece, perhaps with some of its options set, takes tables in blocks."""
    while isinstance(function, partial):
        function = function.func
    return bool(getattr(function, "reads_blocks", False))


def refuse_unless_blocks(
    function: object, argument: str, other: str, chosen: object = None
) -> None:
    """Raise `DataError` for a piece that needs the table in memory.

    Parameters
    ----------
    function : object
        The piece.
    argument : str
        Where it was chosen.
    other : str
        A piece that takes tables in blocks.
    chosen : object, optional
        What was chosen; a name is what the message calls the piece.

    Examples
    --------
    >>> refuse_unless_blocks(max, "pruner", "cam")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: pruner: max needs the table in memory, and this one is read in \
blocks: choose 'cam', or give a sample of the rows.
    """
    if takes_blocks(function):
        return
    while isinstance(function, partial):
        function = function.func
    name = repr(chosen) if isinstance(chosen, str) else getattr(function, "__name__", function)
    raise DataError(
        f"{argument}: {name} needs the table in memory, and "
        f"this one is read in blocks: choose {other!r}, or give a sample of the rows."
    )


def as_blocks(X: Floats | RowBlocks) -> RowBlocks:
    """Blocks as they are, and an array in blocks."""
    return ArrayBlocks(X) if isinstance(X, np.ndarray) else X


def parts_of(blocks: RowBlocks) -> list[Part]:
    """The parts that tasks can read by themselves; none of a table in memory."""
    parts = getattr(blocks, "parts", None)
    return [] if parts is None else parts()


def block_rows(n_columns: int) -> int:
    """Rows of a block of a table with so many columns.

    Examples
    --------
    >>> block_rows(20), block_rows(1000)
    (8192, 1048)
    """
    return min(BLOCK_ROWS, max(FEWEST_BLOCK_ROWS, BLOCK_BYTES // (8 * max(n_columns, 1))))


def cut(lengths: Iterable[int], rows: int) -> list[Span]:
    """Cut runs of rows into blocks; no block reaches from one run into the next.

    Examples
    --------
    >>> [tuple(span) for span in cut([5, 0, 2], rows=3)]
    [(0, 0, 3), (0, 3, 2), (2, 0, 2)]
    """
    return [
        Span(run, first, min(rows, length - first))
        for run, length in enumerate(lengths)
        for first in range(0, length, rows)
    ]


def fold(
    function: Callable[[Floats], Term],
    combine: Callable[[Term, Term], Term],
    blocks: RowBlocks,
    n_jobs: int | None = None,
    progress: Report | None = None,
) -> Term:
    """Apply a function to every block and combine the terms in the order of the blocks.

    Where a ``dask.distributed`` client is active and the blocks can be read elsewhere (they have
    ``parts()``), tasks on the cluster read and sum them up; otherwise threads do.

    Parameters
    ----------
    function : callable
        From a block to a term; it must not change the block. To be pickled where there is a
        cluster: give it the arrays that it needs, not the object that holds the blocks.
    combine : callable
        From two terms to one; it must change neither.
    blocks : RowBlocks
        At least one block.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the rows done and their total after each block; on a cluster only in the end.

    Notes
    -----
    Addition is not associative to the last bit, so the tree in which terms are combined is fixed:
    16 neighbouring blocks from the left, 16 of these sums from the left, and so on. Each thread and
    each task has one BLAS thread.

    A task whose worker dies is run again elsewhere by the scheduler, and gives the same bits.

    Examples
    --------
    >>> blocks = ArrayBlocks(np.arange(6.0).reshape(3, 2), rows=2)
    >>> fold(lambda block: block.sum(axis=0), np.add, blocks)
    array([6., 9.])
    """
    cluster = active_cluster()
    parts = parts_of(blocks) if cluster is not None else []
    if cluster is not None and parts:
        tasks = ((partial(_summed, part.read), part.source) for part in parts)
        total = cluster.combined((function, combine), tasks, _combined, in_tree)
        if progress is not None:
            progress(blocks.shape[0], blocks.shape[0])
        return total
    one = function if progress is None else partial(_with_rows, function)
    with one_blas_thread():
        if effective_n_jobs(n_jobs) == 1:
            terms: Iterable[Any] = map(one, blocks)
        else:
            # The rows are here: wherever other work may have been sent, this work stays with them.
            jobs = (delayed(one)(block) for block in blocks)
            terms = results_of(jobs, n_jobs, in_this_process=True)
        if progress is not None:
            terms = _counted(terms, blocks.shape[0], progress)
        return in_tree(terms, partial(reduce, combine))


def _with_rows(function: Callable[[Floats], Term], block: Floats) -> tuple[int, Term]:
    return len(block), function(block)


def _counted(terms: Iterable[tuple[int, Term]], n_rows: int, progress: Report) -> Iterator[Term]:
    done = 0
    for rows, term in terms:
        done += rows
        progress(done, n_rows)
        yield term


def in_tree(terms: Iterable[Term], combined: Callable[[Iterator[Term]], Term]) -> Term:
    """Combine terms `FAN_IN` at a time, level by level, without keeping them all.

    Parameters
    ----------
    terms : iterable
        At least one.
    combined : callable
        From an iterator over at most `FAN_IN` terms to one.

    Examples
    --------
    >>> in_tree(range(100), sum)
    4950
    """
    rest = iter(terms)
    first = next(rest)
    second = next(rest, _NONE)
    if second is _NONE:
        return first
    return in_tree(_groups(chain([first, second], rest), combined), combined)


def _summed(
    read: Callable[[Any], Iterator[Floats]],
    functions: tuple[Callable[[Floats], Term], Callable[[Term, Term], Term]],
    source: Any,
) -> Term:
    function, combine = functions
    return reduce(combine, map(function, read(source)))


def _combined(
    functions: tuple[Callable[[Floats], Term], Callable[[Term, Term], Term]], terms: list[Term]
) -> Term:
    return reduce(functions[1], terms)


_NONE: Any = object()


def _groups(terms: Iterator[Term], combined: Callable[[Iterator[Term]], Term]) -> Iterator[Term]:
    for first in terms:
        yield combined(chain([first], islice(terms, FAN_IN - 1)))


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
    return take_rows(blocks, np.sort(rng.choice(n, min(size, n), replace=False)))


def take_rows(blocks: RowBlocks, positions: NDArray[np.intp]) -> Floats:
    """Rows at increasing positions, in one pass over the table.

    Examples
    --------
    >>> take_rows(ArrayBlocks(np.arange(10.0)[:, None], rows=4), np.array([3, 4, 9])).T
    array([[3., 4., 9.]])
    """
    cluster = active_cluster()
    parts = parts_of(blocks) if cluster is not None else []
    if cluster is None or not parts:
        return _taken(positions, blocks)
    jobs, first = [], 0
    for part in parts:
        inside = _inside(positions, first, part.n_rows)
        if len(inside):
            jobs.append((partial(_taken_of_part, part.read, inside), part.source))
        first += part.n_rows
    return np.vstack(cluster.results(jobs))


def _taken(positions: NDArray[np.intp], blocks: Iterable[Floats]) -> Floats:
    found, first = [], 0
    for block in blocks:
        # A copy: a view would keep the block.
        found.append(block[_inside(positions, first, len(block))])
        first += len(block)
        if len(positions) and first > positions[-1]:
            break
    return np.vstack(found)


def _taken_of_part(
    read: Callable[[Any], Iterator[Floats]], positions: NDArray[np.intp], source: Any
) -> Floats:
    return _taken(positions, read(source))


def _inside(positions: NDArray[np.intp], first: int, n_rows: int) -> NDArray[np.intp]:
    """Those of the positions that are in a stretch of rows, counted from its first row."""
    low, high = np.searchsorted(positions, [first, first + n_rows])
    inside: NDArray[np.intp] = positions[low:high] - first
    return inside


def in_parts(spans: Sequence[Span]) -> list[Sequence[Span]]:
    """The blocks of each part, with neighbouring ones of a run still apart.

    Examples
    --------
    >>> [len(part) for part in in_parts(cut([100], rows=3))]
    [16, 16, 2]
    """
    return [spans[first : first + FAN_IN] for first in range(0, len(spans), FAN_IN)]
