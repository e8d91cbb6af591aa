r"""DOT, to draw with Graphviz. Written only. Keeps isolated nodes.

In a quoted DOT name only ``\"`` is an escape; in a label the backslash and the ampersand start one
too, and a name with ``%`` first is taken for an internal one. So each node is identified by its
name and has an explicit label beside it.
"""

from __future__ import annotations

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import GraphFormat


class DOT(GraphFormat):
    """A digraph for Graphviz."""

    suffix = ".dot"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        nodes = [f"  {_quoted(node)} [label={_label(node)}];" for node in graph]
        edges = [
            f"  {_quoted(cause)} -> {_quoted(effect)}{_attributes(known)};"
            for cause, effect, known in graph.edges(data=True)
        ]
        return "\n".join(["digraph {", *nodes, *edges, "}"]) + "\n"


def _quoted(name: str) -> str:
    """Quote a name; backslashes are doubled, or one before the closing quote would escape it."""
    if "\0" in name:
        raise GraphError(f"DOT cannot hold the NUL character in {name!r}; use .json or rename it")
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _label(name: str) -> str:
    # \r in a label means "right-justified line", so a carriage return goes in as an entity.
    shown = name.replace("&", "&amp;").replace("\r", "&#13;")
    return _quoted(shown).replace("\n", "\\n")


def _attributes(known: dict[str, float]) -> str:
    # Quoted: DOT's own numbers have no exponent.
    entries = ", ".join(f'{key}="{value!r}"' for key, value in known.items())
    return f" [{entries}]" if entries else ""
