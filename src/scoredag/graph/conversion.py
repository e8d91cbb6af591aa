"""Between our matrices and ``networkx.DiGraph`` over the column names.

A graph with the column names as ``str`` nodes is what DoWhy and most other libraries take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph.dag import IntArray, check_adjacency


def to_networkx(
    A: ArrayLike,
    names: Iterable[object],
    edge_attributes: Mapping[str, ArrayLike] | None = None,
) -> nx.DiGraph:
    """Name the nodes of a matrix and attach what is known about its edges.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.
    names : iterable of d column names
        Turned into ``str``; must then be distinct.
    edge_attributes : mapping of str to array-like of shape (d, d), optional
        Such as ``{"p_value": p_values}``. Entry [i, j] goes to the edge i -> j where there is
        such an edge and the number is finite.

    Returns
    -------
    networkx.DiGraph
        Nodes in the order of the columns, those without an edge included.

    Examples
    --------
    >>> graph = to_networkx([[0, 1], [0, 0]], ["dose", "effect"], {"p_value": [[1, 0.01], [1, 1]]})
    >>> list(graph.edges(data=True))
    [('dose', 'effect', {'p_value': 0.01})]
    """
    matrix = check_adjacency(A, "A")
    nodes = text_names(names)
    if len(nodes) != len(matrix):
        raise GraphError(f"names must have one entry a node, {len(matrix)}; got {len(nodes)}")
    tables = {
        key: _edge_table(value, matrix.shape, key) for key, value in (edge_attributes or {}).items()
    }
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    for i, j in np.argwhere(matrix).tolist():
        known = {key: float(table[i, j]) for key, table in tables.items()}
        finite = {key: value for key, value in known.items() if np.isfinite(value)}
        graph.add_edges_from([(nodes[i], nodes[j], finite)])
    return graph


def from_networkx(graph: nx.DiGraph, names: Iterable[object] | None = None) -> IntArray:
    """Read a graph as a matrix.

    Parameters
    ----------
    graph : networkx.DiGraph
        Edges point from cause to effect.
    names : iterable, optional
        The columns, in the order wanted; by default the graph's nodes in its own order. A column
        that the graph lacks becomes a node without edges.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``A[i, j] = 1`` means names[i] -> names[j].

    Examples
    --------
    >>> import networkx as nx
    >>> from_networkx(nx.DiGraph([("b", "a")]), names=["a", "b"])
    array([[0, 0],
           [1, 0]])
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise GraphError(f"graph must be a networkx.DiGraph; got {type(graph).__name__}")
    own = text_names(graph)
    wanted = own if names is None else text_names(names)
    unknown = sorted(set(own) - set(wanted))
    if unknown:
        raise GraphError(f"names must hold every node of the graph; it lacks {unknown}")
    loop = next((cause for cause, effect in graph.edges if cause == effect), None)
    if loop is not None:
        raise GraphError(f"graph must have no edge from a node to itself; {str(loop)!r} has one")
    index = {name: i for i, name in enumerate(wanted)}
    matrix = np.zeros((len(wanted), len(wanted)), dtype=np.int64)
    for cause, effect in graph.edges:
        matrix[index[str(cause)], index[str(effect)]] = 1
    return matrix


def common_adjacency(
    true: nx.DiGraph, pred: nx.DiGraph
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Lay two graphs over the same nodes, so that the metrics can compare them.

    A node that one of them lacks, as after an edge list that names no isolated node, has no
    edges there.

    Parameters
    ----------
    true, pred : networkx.DiGraph
        Edges point from cause to effect.

    Returns
    -------
    names : tuple of str
        The nodes of `true`, then those only in `pred`.
    true_adjacency, pred_adjacency : ndarray of int, shape (d, d)
        ``[i, j] = 1`` means names[i] -> names[j].

    Examples
    --------
    >>> import networkx as nx
    >>> names, true, pred = common_adjacency(nx.DiGraph([("a", "b")]), nx.DiGraph([("c", "b")]))
    >>> names, true.sum(), pred[2, 1]
    (('a', 'b', 'c'), np.int64(1), np.int64(1))
    """
    names = tuple(dict.fromkeys([*text_names(true), *text_names(pred)]))
    return names, from_networkx(true, names), from_networkx(pred, names)


def text_names(names: Iterable[object]) -> tuple[str, ...]:
    """Column names as distinct ``str``.

    Examples
    --------
    >>> text_names(["a", 1, "1"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: names must be distinct as text; '1' occurs more than once
    """
    texts = tuple(str(name) for name in names)
    if len(set(texts)) < len(texts):
        double = next(text for text in texts if texts.count(text) > 1)
        raise GraphError(f"names must be distinct as text; {double!r} occurs more than once")
    return texts


def _edge_table(value: ArrayLike, shape: tuple[int, ...], key: str) -> np.ndarray:
    table = np.asarray(value, dtype=float)
    if table.shape != shape:
        raise GraphError(f"edge_attributes[{key!r}] must have shape {shape}; got {table.shape}")
    return table
