"""What a ``networkx.DiGraph`` remembers beyond its nodes and edges.

Graphs of ours know the order of their columns and of their edge attributes. Both are kept as
JSON text among the graph attributes, since text is all that every file format of networkx takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import networkx as nx

_COLUMNS = "columns"
_EDGE_ATTRIBUTES = "edge_attributes"
_READ_AS = "read_as"
_MATRIX = "matrix"


def note_columns(graph: nx.DiGraph) -> None:
    """Remember that the nodes are all the columns of the data, in their order."""
    graph.graph[_COLUMNS] = json.dumps([str(node) for node in graph])


def has_columns(graph: nx.DiGraph) -> bool:
    """Whether the nodes are still the columns that were noted, in the same order.

    Examples
    --------
    >>> graph = nx.DiGraph([("a", "b")])
    >>> note_columns(graph)
    >>> has_columns(graph), has_columns(nx.relabel_nodes(graph, {"a": "c"}))
    (True, False)
    """
    return _listed(graph, _COLUMNS) == [str(node) for node in graph]


def note_edge_attributes(graph: nx.DiGraph, keys: Iterable[str]) -> None:
    """Remember the order of the edge attributes, those that no edge has included."""
    graph.graph[_EDGE_ATTRIBUTES] = json.dumps(list(keys))


def edge_attribute_names(graph: nx.DiGraph) -> list[str]:
    """List the edge attributes: in the order that was noted, then any others as they come.

    Examples
    --------
    >>> graph = nx.DiGraph([("a", "b", {"edf": 2.0}), ("b", "c", {"p_value": 0.1})])
    >>> edge_attribute_names(graph)
    ['edf', 'p_value']
    >>> note_edge_attributes(graph, ["p_value", "edf", "direction"])
    >>> edge_attribute_names(graph)
    ['p_value', 'edf', 'direction']
    """
    noted = _listed(graph, _EDGE_ATTRIBUTES) or []
    met = (str(key) for *_, known in graph.edges(data=True) for key in known)
    return list(dict.fromkeys([*noted, *met]))


def note_matrix(graph: nx.DiGraph) -> None:
    """Remember that a file with a matrix was read, whose direction it cannot say itself."""
    graph.graph[_READ_AS] = _MATRIX


def was_matrix(graph: nx.DiGraph) -> bool:
    """Whether the graph was read from a matrix."""
    return graph.graph.get(_READ_AS) == _MATRIX


def _listed(graph: nx.DiGraph, key: str) -> list[str] | None:
    """Read a note; None where there is none, or where somebody else uses the same key."""
    content: Any = graph.graph.get(key)
    try:
        found = json.loads(content)
    except (TypeError, ValueError):
        return None
    return found if isinstance(found, list) and all(isinstance(x, str) for x in found) else None
