"""What a graph format is, and what the formats have in common."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import Any, ClassVar

import networkx as nx

from scoredag.data.wording import quoted
from scoredag.exceptions import GraphError
from scoredag.graph.conversion import check_digraph, text_names
from scoredag.graph.notes import edge_attribute_names, note_edge_attributes

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
    """Copy a graph with nodes as ``str`` and only the edge attributes that are finite numbers.

    Each edge has its attributes in the order of `edge_attribute_names`, which the copy keeps.
    """
    check_digraph(graph)
    keys = edge_attribute_names(graph)
    for key in sorted(keys):
        if not is_attribute_name(key):
            raise GraphError(
                "an edge attribute's name must be letters, digits and _, and none of "
                f"{sorted(_TAKEN_NAMES)}; got {key!r}: rename it"
            )
    edges = (
        (str(cause), str(effect), {key: known[key] for key in sorted(known, key=keys.index)})
        for cause, effect, known in _with_text_keys(graph)
    )
    cleaned = build_graph(text_names(graph, "the graph's nodes"), edges)
    found = {key for *_, known in cleaned.edges(data=True) for key in known}
    noted = set(edge_attribute_names(nx.create_empty_copy(graph)))
    note_edge_attributes(cleaned, [key for key in keys if key in found | noted])
    return cleaned


def _with_text_keys(graph: nx.DiGraph) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    for cause, effect, known in graph.edges(data=True):
        yield cause, effect, {str(key): value for key, value in known.items()}


def is_attribute_name(key: str) -> bool:
    """Whether every format can hold an edge attribute of this name.

    Examples
    --------
    >>> is_attribute_name("p_value"), is_attribute_name("p value"), is_attribute_name("source")
    (True, False, False)
    """
    return _ATTRIBUTE_NAME.fullmatch(key) is not None and key not in _TAKEN_NAMES


def build_graph(
    nodes: Iterable[object], edges: Iterable[tuple[str, str, Mapping[Any, Any]]]
) -> nx.DiGraph:
    """Make a graph from what a file lists, or say what contradicts itself."""
    graph = nx.DiGraph()
    names = text_names(nodes)
    for name in names:
        _refuse_surrogates(name)
    graph.add_nodes_from(names)
    for cause, effect, known in edges:
        for end in (cause, effect):
            if end not in graph:
                raise GraphError(
                    f"the edge {quoted(cause)} -> {quoted(effect)} needs the node {quoted(end)}"
                )
        if graph.has_edge(cause, effect):
            raise GraphError(
                f"the edge {quoted(cause)} -> {quoted(effect)} must be listed once, not twice"
            )
        graph.add_edges_from([(cause, effect, finite_numbers(known))])
    return graph


def _refuse_surrogates(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise GraphError(
            f"the name {quoted(name)} is no text that can be written: rename it"
        ) from None


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
