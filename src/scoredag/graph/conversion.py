"""Between our matrices and ``networkx.DiGraph`` over the column names.

Nodes are the column labels as they are, which is what DoWhy and most other libraries look for in
the data. Wherever two graphs meet, or a graph and a file, labels are matched as text.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike

from scoredag.data.wording import listing, name_list
from scoredag.exceptions import GraphError
from scoredag.graph.matrix import IntArray, as_numbers, check_adjacency
from scoredag.graph.notes import note_columns, note_edge_attributes


def to_networkx(
    A: ArrayLike,
    names: Iterable[Any],
    edge_attributes: Mapping[str, ArrayLike] | None = None,
) -> nx.DiGraph:
    """Name the nodes of a matrix and attach what is known about its edges.

    Parameters
    ----------
    A : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.
    names : iterable of d column labels
        Text, numbers or anything else that can be a node; distinct as text.
    edge_attributes : mapping of str to array-like of shape (d, d), optional
        Such as ``{"p_value": p_values}``. Entry [i, j] goes to the edge i -> j where there is
        such an edge and the number is finite.

    Returns
    -------
    networkx.DiGraph
        Nodes in the order of the columns, those without an edge included. It remembers that
        order, and that of the edge attributes, for the metrics and for files.

    Examples
    --------
    >>> graph = to_networkx([[0, 1], [0, 0]], ["dose", "effect"], {"p_value": [[1, 0.01], [1, 1]]})
    >>> list(graph.edges(data=True))
    [('dose', 'effect', {'p_value': 0.01})]
    """
    matrix = check_adjacency(A, "A")
    nodes = _nodes(names)
    if len(nodes) != len(matrix):
        raise GraphError(f"names must have one entry a node, {len(matrix)}; got {len(nodes)}")
    tables = _edge_tables(edge_attributes, matrix.shape)
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    for i, j in np.argwhere(matrix).tolist():
        known = {key: float(table[i, j]) for key, table in tables.items()}
        finite = {key: value for key, value in known.items() if np.isfinite(value)}
        graph.add_edges_from([(nodes[i], nodes[j], finite)])
    note_columns(graph)
    note_edge_attributes(graph, tables)
    return graph


def from_networkx(graph: nx.DiGraph, names: Iterable[Any] | None = None) -> IntArray:
    """Read a graph as a matrix.

    Parameters
    ----------
    graph : networkx.DiGraph
        Edges point from cause to effect.
    names : iterable, optional
        The columns, in the order wanted; by default the graph's nodes in its own order. Matched
        as text: 0 and "0" are the same column. One that the graph lacks becomes a node without
        edges.

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
    check_digraph(graph)
    own = text_names(graph, "the graph's nodes")
    wanted = own if names is None else text_names(names)
    index = {name: i for i, name in enumerate(wanted)}
    unknown = [name for name in own if name not in index]
    if unknown:
        raise GraphError(f"names must hold every node of the graph; they lack {name_list(unknown)}")
    loop = next((cause for cause, effect in graph.edges if cause == effect), None)
    if loop is not None:
        raise GraphError(f"graph must have no edge from a node to itself; {str(loop)!r} has one")
    matrix = np.zeros((len(wanted), len(wanted)), dtype=np.int64)
    for cause, effect in graph.edges:
        matrix[index[str(cause)], index[str(effect)]] = 1
    return matrix


def check_digraph(graph: Any, argument: str = "graph") -> nx.DiGraph:
    """Return what is a directed graph, or say how to make one of what was given.

    Examples
    --------
    >>> check_digraph(nx.Graph([("a", "b")]))
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: graph must be a networkx.DiGraph, whose edges point from cause \
to effect; got an undirected Graph, which does not say which end of an edge is the cause
    """
    if isinstance(graph, nx.DiGraph) and not graph.is_multigraph():
        return graph
    wanted = f"{argument} must be a networkx.DiGraph, whose edges point from cause to effect"
    raise GraphError(f"{wanted}; got {_remedy(graph, argument)}")


def _remedy(graph: Any, argument: str) -> str:
    kind = type(graph).__name__
    if isinstance(graph, nx.Graph) and not graph.is_directed():
        return f"an undirected {kind}, which does not say which end of an edge is the cause"
    if isinstance(graph, nx.Graph):
        return f"a {kind}: networkx.DiGraph({argument}) keeps one edge of each that are parallel"
    if hasattr(graph, "graph_"):
        return f"a fitted {kind}: pass its graph_"
    if hasattr(graph, "fit"):
        return f"{kind}: fit it, then pass its graph_"
    if isinstance(graph, str):
        return f"the text {graph!r:.60}: scoredag.graph.read_graph reads a file"
    if hasattr(graph, "__array__") or isinstance(graph, list | tuple):
        return f"{kind}: scoredag.graph.to_networkx makes one from a matrix and names"
    return "None" if graph is None else kind


def text_names(names: Iterable[Any], argument: str = "names") -> tuple[str, ...]:
    """Column names as distinct ``str``.

    Examples
    --------
    >>> text_names(["a", 1, "1"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: names must be distinct as text; '1' occurs more than once
    """
    return tuple(map(str, _nodes(names, argument)))


def _nodes(names: Iterable[Any], argument: str = "names") -> list[Hashable]:
    """Column labels that can be nodes; NumPy's text and integers as Python's own."""
    if isinstance(names, str | bytes | set | frozenset) or not isinstance(names, Iterable):
        hint = f": write list({names!r}) if each letter is a name" * isinstance(names, str)
        raise GraphError(f"{argument} must be a list of names, in order; got {names!r:.60}{hint}")
    labels = [_plain(name) for name in names]
    wrong = [repr(name) for name in labels if name is None or not _is_hashable(name)]
    if wrong:
        raise GraphError(f"{argument} must be text or numbers; got {listing(wrong)}")
    texts = list(map(str, labels))
    if len(set(texts)) < len(texts):
        double = next(text for text in texts if texts.count(text) > 1)
        raise GraphError(f"{argument} must be distinct as text; {double!r} occurs more than once")
    if len(set(labels)) < len(labels):  # to Python, True is 1 is 1.0
        raise GraphError(f"{argument} must be distinct; some of {listing(texts)} are equal numbers")
    return labels


def _plain(label: Any) -> Any:
    if isinstance(label, np.str_):
        return str(label)
    return int(label) if isinstance(label, np.integer) else label


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _edge_tables(
    attributes: Mapping[str, ArrayLike] | None, shape: tuple[int, ...]
) -> dict[str, np.ndarray]:
    if attributes is None:
        return {}
    if not isinstance(attributes, Mapping):
        kind = type(attributes).__name__
        raise GraphError(f"edge_attributes must map names to matrices; got {kind}")
    return {str(key): _edge_table(value, shape, key) for key, value in attributes.items()}


def _edge_table(value: ArrayLike, shape: tuple[int, ...], key: object) -> np.ndarray:
    table = as_numbers(value, f"edge_attributes[{key!r}] must be a matrix of numbers")
    if table.shape != shape:
        raise GraphError(f"edge_attributes[{key!r}] must have shape {shape}; got {table.shape}")
    return table
