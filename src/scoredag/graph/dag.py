"""Orders and cycles of directed graphs.

``A[i, j] != 0`` means i -> j, and an order lists sources first.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph.matrix import IntArray, as_edges, check_adjacency


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
    return nx.is_directed_acyclic_graph(_digraph(as_edges(A, "A")))


def topological_order(A: ArrayLike, name: str = "A") -> IntArray:
    """Order the nodes so that every edge points forwards.

    Of the nodes whose parents are all placed, the one with the smallest index comes next, so
    equal graphs have equal orders.

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
    edges = as_edges(A, name)
    try:
        order = list(nx.lexicographical_topological_sort(_digraph(edges)))
    except nx.NetworkXUnfeasible:
        cycle = find_cycle(edges) or []
        path = " -> ".join(map(str, [*cycle, *cycle[:1]]))
        raise GraphError(f"{name} must be acyclic; it has the cycle {path}") from None
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
    try:
        steps = nx.find_cycle(_digraph(as_edges(A, "A")))
    except nx.NetworkXNoCycle:
        return None
    cycle = [cause for cause, _ in steps]
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]


def _digraph(edges: IntArray) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from(np.argwhere(edges).tolist())
    return graph
