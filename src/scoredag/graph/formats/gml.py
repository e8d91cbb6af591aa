"""GML: read by DoWhy, Gephi, Cytoscape, igraph and networkx. Keeps isolated nodes.

networkx writes every character outside printable ASCII, the ampersand and the quote as entities,
which suits names of any kind. Its reader is used with ``label="id"`` because it would turn the
labels ``()`` and ``[]`` into Python objects and unquoted numbers into ``int`` nodes.
"""

from __future__ import annotations

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import ReadableFormat, build_graph


class GML(ReadableFormat):
    """GML by networkx."""

    suffix = ".gml"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        return "\n".join(nx.generate_gml(graph)) + "\n"

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        try:
            parsed = nx.parse_gml(text, label="id")
        except nx.NetworkXError as error:
            raise GraphError(f"not a GML graph: {error}") from error
        if not parsed.is_directed():
            raise GraphError("the GML graph is undirected; a causal graph has 'directed 1'")
        name = {node: str(known.get("label", node)) for node, known in parsed.nodes(data=True)}
        edges = ((name[i], name[j], known) for i, j, known in parsed.edges(data=True))
        return build_graph(name.values(), edges)
