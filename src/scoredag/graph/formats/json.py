"""JSON in node-link form: read by networkx's `node_link_graph` and by d3. Keeps isolated nodes.

The text is ASCII and holds no ``<``, so that it may stand inside a script element of a page.
"""

from __future__ import annotations

from json import dumps, loads
from typing import Any

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import ReadableFormat, build_graph


class JSON(ReadableFormat):
    """Node-link JSON."""

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
        try:
            content = loads(text)
            directed = content.get("directed", True)
            nodes = [str(node["id"]) for node in content["nodes"]]
            edges = [_edge(entry) for entry in content["edges" if "edges" in content else "links"]]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise GraphError(
                'not a graph in node-link JSON, {"nodes": [{"id": ...}], "edges": '
                f'[{{"source": ..., "target": ...}}]}}: {error!r}'
            ) from error
        if not directed:
            raise GraphError('the JSON graph is undirected; a causal graph has "directed": true')
        return build_graph(nodes, edges)


def _edge(entry: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    known = {key: value for key, value in entry.items() if key not in ("source", "target")}
    return str(entry["source"]), str(entry["target"]), known
