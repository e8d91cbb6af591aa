"""Graphs as matrices: what a valid one is, and those of other libraries.

One convention everywhere: ``A[i, j] != 0`` means i -> j.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.exceptions import GraphError

IntArray = NDArray[np.int64]
EdgeDirection = Literal["from row to column", "from column to row"]

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
    edges = as_edges(A, name)
    loops = np.flatnonzero(np.diagonal(edges))
    if loops.size:
        raise GraphError(f"{name} must have a zero diagonal; node {loops[0]} has an edge to itself")
    return edges


def from_matrix(A: ArrayLike, *, edge_direction: EdgeDirection) -> IntArray:
    """Import an adjacency or weight matrix of another library into our convention.

    lingam and causal-learn store ``B[j, i]`` for i -> j, most others ``A[i, j]``. A matrix cannot
    say which it is and a wrong guess reverses every edge, so the caller has to say it.

    Parameters
    ----------
    A : array-like of shape (d, d)
        NumPy, pandas, polars, or anything that `numpy.asarray` understands. Any non-zero entry
        is an edge.
    edge_direction : {"from row to column", "from column to row"}
        Which way an entry in row r and column c points: r -> c (ours, networkx, gadjid's first)
        or c -> r (lingam, causal-learn). It has no default on purpose; the words are gadjid's.

    Returns
    -------
    ndarray of int, shape (d, d)
        0/1 matrix in which ``[i, j] = 1`` means i -> j.

    Notes
    -----
    Not for CPDAGs or PAGs: an undirected edge is a two-cycle here, which is no DAG.

    Examples
    --------
    >>> lingam_weights = [[0.0, 0.0], [1.3, 0.0]]  # row 1 is the effect of column 0
    >>> from_matrix(lingam_weights, edge_direction="from column to row")
    array([[0, 1],
           [0, 0]])
    """
    matrix = check_adjacency(A, "A")
    if edge_direction == "from row to column":
        return matrix
    if edge_direction == "from column to row":
        return np.ascontiguousarray(matrix.T)
    raise GraphError(
        "edge_direction must be 'from row to column' or 'from column to row'; "
        f"got {edge_direction!r}"
    )


def as_edges(A: ArrayLike, name: str) -> IntArray:
    """Turn a matrix into 0 and 1; unlike `check_adjacency`, with edges from a node to itself."""
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
