"""Graphs over the same nodes: by name where both have names, by position where that is safe."""

from __future__ import annotations

import numpy as np

from scoredag.data.wording import name_list
from scoredag.exceptions import GraphError
from scoredag.graph.adjacency import Adjacency, GraphLike, as_adjacency
from scoredag.graph.matrix import IntArray

Names = tuple[str, ...] | None


def common_adjacency(true: GraphLike, pred: GraphLike) -> tuple[Names, IntArray, IntArray]:
    """Lay two graphs over the same nodes.

    A node that one of them lacks, as after an edge list that names no isolated node, has no
    edges there. The metrics do this themselves, but refuse a name that cannot be right.

    Parameters
    ----------
    true, pred : graph-like
        Anything that `as_adjacency` takes. A matrix without names is laid over a graph by position
        only where that is safe: see `over_columns`.

    Returns
    -------
    names : tuple of str, or None
        The nodes of `true`, then those only in `pred`; None where neither has names.
    true_adjacency, pred_adjacency : ndarray of int, shape (d, d)
        ``[i, j] = 1`` means names[i] -> names[j].

    Examples
    --------
    >>> import networkx as nx
    >>> names, true, pred = common_adjacency(nx.DiGraph([("a", "b")]), [("c", "b")])
    >>> names, true.sum(), pred[2, 1]
    (('a', 'b', 'c'), np.int64(1), np.int64(1))
    """
    return laid_over(as_adjacency(true, "true"), as_adjacency(pred, "pred"))


def laid_over(true: Adjacency, pred: Adjacency) -> tuple[Names, IntArray, IntArray]:
    """Lay two graphs that were read over the same nodes, as `common_adjacency` does."""
    if true.names is not None and pred.names is not None:
        union = tuple(dict.fromkeys([*true.names, *pred.names]))
        return union, over_names(true, union), over_names(pred, union)
    if true.names is None:
        matrix, names = by_position(pred, "pred", len(true.matrix), "true")
        return names, true.matrix, matrix
    matrix, names = by_position(true, "true", len(pred.matrix), "pred")
    return names, matrix, pred.matrix


def over_names(graph: Adjacency, names: tuple[str, ...]) -> IntArray:
    """Lay a graph over names that include all of its own."""
    index = {name: k for k, name in enumerate(names)}
    places = np.array([index[name] for name in graph.names or ()], dtype=np.intp)
    matrix = np.zeros((len(names), len(names)), dtype=np.int64)
    matrix[np.ix_(places, places)] = graph.matrix
    return matrix


def by_position(
    graph: Adjacency, argument: str, d: int, other: str
) -> tuple[IntArray, tuple[str, ...] | None]:
    """Lay a graph over d columns without names, where it is sure which node is which column.

    That is so for a matrix, for a graph that still has the columns of the data as its nodes, and
    for nodes called 0 to d - 1 or x0 to x(d - 1), which are put in the order of these numbers.

    Parameters
    ----------
    graph : Adjacency
        The graph.
    argument, other : str
        What the caller named the graph, and the matrix or table that has no names.
    d : int
        Number of columns.

    Returns
    -------
    matrix : ndarray of int, shape (d, d)
        ``[i, j] = 1`` means column i -> column j.
    names : tuple of str, or None
        The names of the columns, where the graph has any.

    Examples
    --------
    >>> import networkx as nx
    >>> by_position(as_adjacency(nx.DiGraph([("x1", "x0")])), "true", 2, "pred")[0]
    array([[0, 0],
           [1, 0]])
    """
    names = graph.names
    if names is None:
        _refuse_other_size(len(graph.matrix), d, argument, other)
        return graph.matrix, None
    if not names and not graph.over_columns:  # an edge list without edges fits any nodes
        return np.zeros((d, d), dtype=np.int64), None
    numbered = _in_numerical_order(names)
    if numbered is None and not graph.over_columns:
        raise GraphError(
            f"{other} has no names, and {argument} is a graph over {name_list(names)}: which of "
            f"these is column 0 is not known. Pass {other} as a data frame with these names as its "
            f"columns, or {argument} as scoredag.graph.from_networkx(graph, columns)"
        )
    if numbered is not None and graph.over_columns and numbered != names:
        raise GraphError(
            f"{other} has no names, and {argument} has the columns {name_list(names)} in this "
            f"order: whether {numbered[0]!r} is column 0 is not clear. Pass {other} as a data "
            "frame with names"
        )
    _refuse_other_size(len(names), d, argument, other)
    return over_names(graph, numbered or names), numbered or names


def over_columns(graph: GraphLike, columns: Names, d: int, argument: str, other: str) -> IntArray:
    """Lay a graph over the columns of a table, by name where both have names.

    Parameters
    ----------
    graph : graph-like
        Anything that `as_adjacency` takes.
    columns : tuple of str, or None
        The names of the table's columns; None where it has none.
    d : int
        Number of columns.
    argument, other : str
        What the caller named the graph and the table, for the error message.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``[i, j] = 1`` means column i -> column j.

    Raises
    ------
    GraphError
        If the graph has nodes that are no columns, lacks columns although it is a matrix, or has
        names where the table has none and it is not sure which is which.

    Examples
    --------
    >>> over_columns([("b", "a")], ("a", "b", "c"), 3, "A", "X").tolist()
    [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    """
    found = as_adjacency(graph, argument)
    if columns is None or found.names is None:
        return by_position(found, argument, d, other)[0]
    refuse_strangers(found, argument, columns, other)
    if found.over_columns:
        refuse_strangers(Adjacency(found.matrix, columns, True), other, found.names, argument)
    return over_names(found, columns)


def refuse_strangers(graph: Adjacency, argument: str, names: tuple[str, ...], other: str) -> None:
    """Raise `GraphError` if a graph has nodes that are not among all the names of another."""
    known = set(names)
    strangers = [name for name in graph.names or () if name not in known]
    if strangers:
        raise GraphError(
            f"{argument} has {name_list(strangers)}, which {other} lacks: it has "
            f"{name_list(names, limit=10) or 'no nodes'}. Rename or leave out what differs, or "
            "pass matrices without names if the positions are meant"
        )


def _in_numerical_order(names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the names in the order of their numbers, if they are 0 to d - 1 or x0 to x(d - 1)."""
    for prefix in ("", "x"):
        numbered = tuple(f"{prefix}{k}" for k in range(len(names)))
        if set(numbered) == set(names):
            return numbered
    return None


def _refuse_other_size(nodes: int, d: int, argument: str, other: str) -> None:
    if nodes != d:
        first, second = sorted([(argument, nodes), (other, d)], key=lambda pair: pair[0] != "true")
        raise GraphError(
            f"{first[0]} and {second[0]} must have the same nodes; got {first[1]} and {second[1]}: "
            "graphs with names are laid over the same nodes"
        )
