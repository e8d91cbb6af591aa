"""Directed graphs as matrices: what a valid one is, its orders and its cycles.

One convention everywhere: ``A[i, j] != 0`` means i -> j, and an order lists sources first.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.exceptions import GraphError

IntArray = NDArray[np.int64]

# Kinds of arrays that NumPy would turn into numbers without a word, or with another library's.
_NO_NUMBERS = MappingProxyType(
    {
        "U": "text",
        "S": "bytes",
        "c": "complex numbers",
        "M": "dates",
        "m": "differences of dates",
        "V": "records",
    }
)


def check_adjacency(A: ArrayLike, name: str = "A") -> IntArray:
    """Turn a matrix into our 0/1 form, or say why it is no graph.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j. Weights are dropped: any non-zero entry is an edge.
    name : str, default="A"
        What the caller named the argument, for the error message.

    Returns
    -------
    ndarray of int, shape (d, d)
        A new matrix of 0 and 1.

    Raises
    ------
    GraphError
        If it is not a square matrix of finite numbers, an edge joins a node to itself, or a data
        frame has its rows and columns in different orders.

    Examples
    --------
    >>> check_adjacency([[0, -0.7], [0, 0]])
    array([[0, 1],
           [0, 0]])
    >>> check_adjacency([[1, 0], [0, 0]], "true")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: true must have a zero diagonal; node 0 has an edge to itself
    """
    edges = _edges(A, name)
    loops = np.flatnonzero(np.diagonal(edges))
    if loops.size:
        raise GraphError(f"{name} must have a zero diagonal; node {loops[0]} has an edge to itself")
    return edges


def check_dag(A: ArrayLike, name: str = "A") -> IntArray:
    """Like `check_adjacency`, and the graph must have no cycle.

    Examples
    --------
    >>> check_dag([[0, 1], [1, 0]], "pred")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: pred must be acyclic; it has the cycle 0 -> 1 -> 0
    """
    edges = check_adjacency(A, name)
    topological_order(edges, name)
    return edges


def check_order(order: ArrayLike, name: str = "order", d: int | None = None) -> IntArray:
    """Turn an order into an int array, or say why it is no permutation of 0 to d - 1.

    Examples
    --------
    >>> check_order([2, 0, 2])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: order must list each of 0 to 2 once; got [2, 0, 2]
    """
    try:
        nodes = np.asarray(order)
    except (TypeError, ValueError):
        raise GraphError(f"{name} must be a list of whole numbers; got {order!r:.80}") from None
    size = nodes.size if d is None else d
    listed = nodes.ndim == 1 and (nodes.size == 0 or np.issubdtype(nodes.dtype, np.integer))
    if not (listed and np.array_equal(np.sort(nodes), np.arange(size))):
        raise GraphError(f"{name} must list each of 0 to {size - 1} once; got {nodes.tolist()}")
    return nodes.astype(np.int64)


def full_dag(order: ArrayLike) -> IntArray:
    """Every edge that an order allows.

    Parameters
    ----------
    order : array-like of int, shape (d,)
        A permutation of 0 to d - 1, sources first.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``A[i, j] = 1`` (i -> j) where i precedes j in the order.

    Examples
    --------
    >>> full_dag([2, 0, 1])
    array([[0, 1, 0],
           [0, 0, 0],
           [1, 1, 0]])
    """
    rank = np.argsort(check_order(order))
    return (rank[:, None] < rank[None, :]).astype(np.int64)


def is_dag(A: ArrayLike) -> bool:
    """Whether a graph has no cycle; a node joined to itself is one.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.

    Examples
    --------
    >>> is_dag([[0, 1], [0, 0]]), is_dag([[0, 1], [1, 0]])
    (True, False)
    """
    return find_cycle(A) is None


def topological_order(A: ArrayLike, name: str = "A") -> IntArray:
    """Order the nodes so that every edge points forwards.

    Of the nodes whose parents are all placed, the one with the smallest index comes next, so
    equal graphs have equal orders (Kahn's algorithm with a heap).

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.
    name : str, default="A"
        What the caller named the argument, for the error message.

    Returns
    -------
    ndarray of int, shape (d,)
        Sources first.

    Raises
    ------
    GraphError
        If the graph has a cycle; the message names one.

    Examples
    --------
    >>> topological_order([[0, 0, 0], [0, 0, 0], [1, 1, 0]])
    array([2, 0, 1])
    """
    edges = _edges(A, name)
    order = _peel_sources(edges)
    if len(order) < len(edges):
        path = " -> ".join(map(str, _closed(_cycle_beyond(edges, order))))
        raise GraphError(f"{name} must be acyclic; it has the cycle {path}")
    return np.array(order, dtype=np.int64)


def find_cycle(A: ArrayLike) -> list[int] | None:
    """Find one directed cycle.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.

    Returns
    -------
    list of int, or None
        The nodes along the cycle from its smallest one, the last with an edge back to the
        first; None where there is no cycle.

    Examples
    --------
    >>> find_cycle([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    [0, 2, 1]
    """
    edges = _edges(A, "A")
    order = _peel_sources(edges)
    return None if len(order) == len(edges) else _cycle_beyond(edges, order)


def _edges(A: ArrayLike, name: str) -> IntArray:
    rows = A if isinstance(A, list | tuple) else ()
    if np.ma.is_masked(A) or any(map(np.ma.is_masked, rows)):
        raise GraphError(f"{name} must have no masked entries: fill them, with 0 for no edge")
    matrix = as_numbers(A, f"{name} must be a square matrix of numbers")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(f"{name} must be a square matrix; got shape {matrix.shape}")
    _refuse_other_order(A, name)
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise GraphError(f"{name} must be finite; got {matrix[i, j]} at [{i}, {j}]: use 0 for none")
    return (matrix != 0).astype(np.int64)


def as_numbers(A: Any, wanted: str) -> NDArray[np.float64]:
    """Turn what may be an array into floats, or say what is in it instead.

    Parameters
    ----------
    A : object
        NumPy's, pandas', polars' or Arrow's tables, sparse matrices of scipy, lists.
    wanted : str
        How the message begins, such as "X must be a table of numbers".

    Examples
    --------
    >>> as_numbers([[1, "a"]], "X must be a table of numbers")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: X must be a table of numbers; got text
    """
    if hasattr(type(A), "is_directed"):
        raise GraphError(
            f"{wanted}; got a {type(A).__name__}: scoredag.graph.from_networkx makes a matrix of it"
        )
    if isinstance(A, str | bytes | Mapping | Set):
        raise GraphError(f"{wanted}; got {type(A).__name__}")
    try:
        array = np.asarray(A.toarray() if hasattr(type(A), "toarray") else A)
    except Exception as error:  # whatever a foreign object raises; rows of different lengths
        reason = "rows of different lengths" if isinstance(A, list | tuple) else f"{error!r:.200}"
        raise GraphError(f"{wanted}; got {reason}") from error
    if array.dtype.kind in _NO_NUMBERS:
        raise GraphError(f"{wanted}; got {_NO_NUMBERS[array.dtype.kind]}")
    if array.dtype.kind == "O" and any(isinstance(entry, str) for entry in array.flat):
        raise GraphError(f"{wanted}; got text")
    try:
        return array.astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise GraphError(f"{wanted}; got {_first_other(array)}") from error


def _first_other(array: NDArray[Any]) -> str:
    """Show the first entry that is no number, and where it is."""
    for place in np.ndindex(array.shape):
        try:
            float(array[place])
        except (TypeError, ValueError, OverflowError):
            return f"{array[place]!r:.60} at {list(place)}"
    return f"entries of type {array.dtype}"


def _refuse_other_order(A: object, name: str) -> None:
    """Rows and columns of a data frame must be the same nodes; a frame without names passes."""
    rows, columns = frame_labels(A, "index"), frame_labels(A, "columns")
    if rows is None or columns is None:
        # Names 0, 1, 2, ... are as good as none, unless the other axis has them in another order.
        named = rows or columns or []
        numbers: list[object] = list(range(len(named)))
        if not hasattr(type(A), "index") or set(named) != set(numbers):
            return
        rows, columns = rows or numbers, columns or numbers
    if rows != columns:
        raise GraphError(
            f"{name} must have its rows and columns in the same order; got the rows "
            f"{_first(rows)} and the columns {_first(columns)}: reorder it, as by "
            f"{name}.loc[{name}.columns]"
        )


def frame_labels(A: object, axis: str) -> list[object] | None:
    """Names along an axis of a data frame; None for arrays, and for names 0, 1, 2, ...

    Parameters
    ----------
    A : object
        Anything; frames of pandas and polars have names.
    axis : {"index", "columns"}
        The rows or the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> frame_labels(pd.DataFrame([[0, 1], [0, 0]], columns=["a", "b"]), "columns")
    ['a', 'b']
    """
    if not hasattr(A, "columns") or not hasattr(A, axis):
        return None
    # Arrow's tables call the names column_names, and the data columns. The type is asked, since
    # pandas has every column as an attribute of the frame.
    labels = list(getattr(A, "column_names" if hasattr(type(A), "column_names") else axis))
    return None if labels == list(range(len(labels))) else labels


def _first(labels: Sequence[object], limit: int = 5) -> str:
    shown = ", ".join(map(repr, labels[:limit]))
    return f"[{shown}{', ...' * (len(labels) > limit)}]"


def _peel_sources(edges: IntArray) -> list[int]:
    """Topological order of the nodes that no cycle precedes."""
    unplaced_parents = edges.sum(axis=0)
    ready = np.flatnonzero(unplaced_parents == 0).tolist()
    order = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for child in np.flatnonzero(edges[node]).tolist():
            unplaced_parents[child] -= 1
            if unplaced_parents[child] == 0:
                heapq.heappush(ready, child)
    return order


def _cycle_beyond(edges: IntArray, placed: Sequence[int]) -> list[int]:
    """Walk back from parent to parent among the unplaced nodes: each of them has one."""
    unplaced = np.setdiff1d(np.arange(len(edges)), placed)
    walk = [int(unplaced[0])]
    while len(set(walk)) == len(walk):
        parents = unplaced[edges[unplaced, walk[-1]] != 0]
        walk.append(int(parents[0]))
    forwards = walk[walk.index(walk[-1]) + 1 :][::-1]
    start = forwards.index(min(forwards))
    return forwards[start:] + forwards[:start]


def _closed(cycle: list[int]) -> list[int]:
    return [*cycle, cycle[0]]
