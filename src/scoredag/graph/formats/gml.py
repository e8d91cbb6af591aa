"""GML: read by DoWhy, Gephi, Cytoscape, igraph and networkx. Keeps isolated nodes.

networkx writes every character outside printable ASCII, the ampersand and the quote as entities,
which suits names of any kind. Its reader is used with ``label="id"`` because it would turn the
labels ``()`` and ``[]`` into Python objects and unquoted numbers into ``int`` nodes.
"""

from __future__ import annotations

import re

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import ReadableFormat, build_graph

# What networkx's parser raises for text that is no GML, beside its own error.
_PARSING_FAILS = (
    nx.NetworkXException,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
_TOO_MANY_DIGITS = re.compile(r"\d{1000}")
_LONGEST_REASON = 200


class GML(ReadableFormat):
    """GML by networkx."""

    suffix = ".gml"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        plain = nx.DiGraph()  # networkx would write what the graph itself remembers, too
        plain.add_nodes_from(graph)
        plain.add_edges_from(graph.edges(data=True))
        return "\n".join(nx.generate_gml(plain)) + "\n"

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        if _TOO_MANY_DIGITS.search(text):
            raise GraphError("not a GML graph: it has a number of a thousand digits or more")
        try:
            parsed = nx.parse_gml(text, label="id")
        except _PARSING_FAILS as error:
            reason = str(error).strip().partition("\n")[0][:_LONGEST_REASON]
            raise GraphError(
                f"not a GML graph: {reason or 'its parts do not fit together'}"
            ) from error
        if parsed.is_multigraph():
            raise GraphError("the GML graph has parallel edges; a causal graph has no 'multigraph'")
        if not parsed.is_directed():
            raise GraphError("the GML graph is undirected; a causal graph has 'directed 1'")
        name = {node: _name(known.get("label", node)) for node, known in parsed.nodes(data=True)}
        edges = ((name[i], name[j], known) for i, j, known in parsed.edges(data=True))
        return build_graph(name.values(), edges)


def _name(label: object) -> str:
    if isinstance(label, str | int | float) or label in ((), []):  # the names "()" and "[]"
        return str(label)
    raise GraphError(f"a node's label must be text or a number; got {label!r:.60}")


PIECE = GML
