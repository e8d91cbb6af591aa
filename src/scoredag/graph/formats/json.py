"""JSON in node-link form: read by networkx's `node_link_graph` and by d3. Keeps isolated nodes.

The text is ASCII and holds no ``<``, so that it may stand inside a script element of a page.
Read, too, is what ``scoredag discover --json`` prints: ``columns`` and ``edges`` with ``cause`` and
``effect``; and such edges alone. An edge whose direction is open is read as it stands.
"""

from __future__ import annotations

from json import JSONDecodeError, dumps, loads
from typing import Any

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import ReadableFormat, build_graph
from scoredag.graph.notes import note_columns

_WANTED = (
    'must be {"nodes": [{"id": ...}], "edges": [{"source": ..., "target": ...}]} or '
    '{"columns": [...], "edges": [{"cause": ..., "effect": ...}]}'
)
# Longer numbers are no numbers of ours; Python itself refuses some thousands of digits.
_MOST_DIGITS = 300


class JSON(ReadableFormat):
    """Node-link JSON; reads the documents of ``discover`` as well."""

    suffix = ".json"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        content = {
            "directed": True,
            "multigraph": False,
            "graph": {},
            "nodes": [{"id": node} for node in graph],
            "edges": [
                {"source": cause, "target": effect, **known}
                for cause, effect, known in graph.edges(data=True)
            ],
        }
        return dumps(content, indent=1).replace("<", "\\u003c") + "\n"

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        content = _parsed(text)
        if isinstance(content, list):  # such as jq .edges leaves
            content = {"edges": content}
        if not isinstance(content, dict):
            raise GraphError(f"the JSON document {_WANTED}; got {_kind(content)}")
        if content.get("directed", True) is not True:
            raise GraphError('the JSON graph is undirected; a causal graph has "directed": true')
        entries = _entries(content, "edges" if "edges" in content else "links")
        if "nodes" in content:
            nodes = [_end(node, "id", "nodes") for node in _entries(content, "nodes")]
            return build_graph(nodes, [_edge(entry, "source", "target") for entry in entries])
        edges = [_edge(entry, "cause", "effect") for entry in entries]
        if "columns" not in content:
            met = dict.fromkeys(end for cause, effect, _ in edges for end in (cause, effect))
            return build_graph(met, edges)
        graph = build_graph([_name(name) for name in _entries(content, "columns")], edges)
        note_columns(graph)
        return graph


def _parsed(text: str) -> Any:
    try:
        return loads(
            text, parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else digits
        )
    except JSONDecodeError as error:
        raise GraphError(
            f"not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None


def _entries(content: dict[str, Any], key: str) -> list[Any]:
    if key not in content:
        raise GraphError(f"the JSON document {_WANTED}; it lacks {key!r}")
    if not isinstance(content[key], list):
        raise GraphError(f"{key!r} of the JSON document must be a list; got {_kind(content[key])}")
    return content[key]


def _edge(entry: Any, cause: str, effect: str) -> tuple[str, str, dict[str, Any]]:
    ends = _end(entry, cause, "edges"), _end(entry, effect, "edges")
    return *ends, {key: value for key, value in entry.items() if key not in (cause, effect)}


def _end(entry: Any, key: str, where: str) -> str:
    if not isinstance(entry, dict) or key not in entry:
        raise GraphError(f"each of the {where} must have {key!r}; got {entry!r:.80}")
    return _name(entry[key])


def _name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise GraphError(f"a node's name must be text or a number; got {value!r:.60}")
    return str(value)


def _kind(value: Any) -> str:
    return "null" if value is None else f"{value!r:.60}"


PIECE = JSON
