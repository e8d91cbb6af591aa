"""What a graph format is, and what the formats have in common."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, ClassVar

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.conversion import text_names

# What GML allows as a key; the words are taken by one format or another.
_ATTRIBUTE_NAME = re.compile(r"[A-Za-z][0-9A-Za-z_]*")
_TAKEN_NAMES = frozenset({"cause", "effect", "id", "key", "label", "source", "target"})


class GraphFormat(ABC):
    """How to write a graph as text.

    Attributes
    ----------
    suffix : str
        Of the files, with the dot.
    """

    suffix: ClassVar[str]

    @staticmethod
    @abstractmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a clean graph (see `clean_graph`) into text."""


class ReadableFormat(GraphFormat):
    """A format that can also be read back."""

    @staticmethod
    @abstractmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph by `build_graph`, or raise `GraphError`."""


def clean_graph(graph: nx.DiGraph) -> nx.DiGraph:
    """Copy a graph with nodes as ``str`` and only the edge attributes that are finite numbers."""
    if not graph.is_directed() or graph.is_multigraph():
        raise GraphError(f"graph must be a networkx.DiGraph; got {type(graph).__name__}")
    for key in sorted({str(key) for *_, known in graph.edges(data=True) for key in known}):
        if not _ATTRIBUTE_NAME.fullmatch(key) or key in _TAKEN_NAMES:
            raise GraphError(
                "an edge attribute's name must be letters, digits and _, and none of "
                f"{sorted(_TAKEN_NAMES)}; got {key!r}: rename it"
            )
    edges = ((str(cause), str(effect), known) for cause, effect, known in graph.edges(data=True))
    return build_graph(text_names(graph), edges)


def build_graph(
    nodes: Iterable[object], edges: Iterable[tuple[str, str, Mapping[Any, Any]]]
) -> nx.DiGraph:
    """Make a graph from what a file lists, or say what contradicts itself."""
    graph = nx.DiGraph()
    graph.add_nodes_from(text_names(nodes))
    for cause, effect, known in edges:
        for end in (cause, effect):
            if end not in graph:
                raise GraphError(f"the edge {cause!r} -> {effect!r} needs the node {end!r}")
        if graph.has_edge(cause, effect):
            raise GraphError(f"the edge {cause!r} -> {effect!r} must be listed once, not twice")
        graph.add_edges_from([(cause, effect, finite_numbers(known))])
    return graph


def finite_numbers(attributes: Mapping[Any, Any]) -> dict[str, float]:
    """Keep what is a finite number, as ``float``.

    Examples
    --------
    >>> finite_numbers({"p_value": 0.5, "edf": float("nan"), "note": "weak", "stable": True})
    {'p_value': 0.5}
    """
    return {str(key): float(value) for key, value in attributes.items() if _is_finite(value)}


def _is_finite(value: Any) -> bool:
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an int beyond the floats
        return False
