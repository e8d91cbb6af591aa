r"""DOT, to draw with Graphviz. Keeps isolated nodes.

In a quoted DOT name only ``\"`` is an escape; in a label the backslash and the ampersand start one
too, and a name with ``%`` first is taken for an internal one. So each node is written with its name
as its ID and has an explicit label beside it.

Read are our own files and digraphs that people write: chains ``a -> b -> c``, groups
``{a b} -> c``, attributes, comments. A node is known by its ID, not by its label; numbers among an
edge's attributes are kept. What does not say which end of an edge is the cause is refused:
undirected graphs, ``dir=back`` and the like, and edges that are only there for the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

import networkx as nx

from scoredag.data.wording import quoted
from scoredag.exceptions import GraphError
from scoredag.graph.formats._dot_tokens import END, Token, split_tokens
from scoredag.graph.formats._format import ReadableFormat, build_graph, is_attribute_name

_IDS = frozenset({"name", "number", "quoted", "html"})
# Attributes that decide where the arrowhead is, with their defaults.
_ARROWS = MappingProxyType({"dir": "forward", "arrowhead": "normal"})
_DEEPEST = 100  # groups within groups


class DOT(ReadableFormat):
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

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        return _Parser(split_tokens(text)).graph()


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


@dataclass
class _Parser:
    """Reads the statements of one digraph, token by token (grammar: graphviz.org, DOT language)."""

    tokens: Iterator[Token]
    read_ahead: list[Token] = field(default_factory=list)
    depth: int = 0
    strict: bool = False
    nodes: dict[str, None] = field(default_factory=dict)
    edges: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)

    def graph(self) -> nx.DiGraph:
        """Read ``[strict] digraph [name] { statements }``."""
        self.strict = self._skip("strict")
        opening = self._next()
        if opening.text == "graph" and opening.kind == "keyword":
            raise GraphError(
                "the DOT graph is undirected; a causal graph is a digraph, with a -> b for an edge"
            )
        if opening.text != "digraph" or opening.kind != "keyword":
            raise _unexpected(opening, "digraph")
        if self._peek().kind in _IDS:
            self._next()
        self._expect("{")
        self._statements()
        if self._peek().kind != "end":
            raise _unexpected(self._peek(), END)
        edges = ((cause, effect, known) for (cause, effect), known in self.edges.items())
        return build_graph(self.nodes, edges)

    def _statements(self) -> list[str]:
        """Read statements up to the closing brace; the nodes that they name."""
        met: dict[str, None] = {}
        while not self._skip("}"):
            if not self._skip(";"):
                met.update(dict.fromkeys(self._statement()))
        return list(met)

    def _statement(self) -> list[str]:
        token = self._peek()
        if token.kind == "keyword" and token.text in ("graph", "node", "edge"):
            self._next()
            if not self._is_mark("["):
                raise _unexpected(self._peek(), f"[ after {token.text}")
            known = self._attribute_lists()
            if token.text == "edge":
                _refuse_other_arrows(known, "edge", token.line)
            return []
        if token.kind in _IDS and self._is_mark("=", ahead=1):
            self._next()
            self._expect("=")
            self._id("a value")
            return []
        ends = [self._end()]
        while self._peek().kind in ("arrow", "line"):
            arrow = self._next()
            if arrow.kind == "line":
                raise GraphError(
                    f"line {arrow.line}: -- does not say which end is the cause; write -> instead"
                )
            ends.append(self._end())
        known = self._attribute_lists()
        if self._is_mark(","):
            raise GraphError(
                f"line {self._peek().line}: a comma may join nodes or part edges; write ; between "
                "edges, and {a b} -> c for an edge from each of several nodes"
            )
        for causes, effects in pairwise(ends):
            for cause in causes:
                for effect in effects:
                    self._add(cause, effect, known, token.line)
        return [node for end in ends for node in end]

    def _end(self) -> list[str]:
        """Read an end of an edge: a node with or without a port, or a group of nodes."""
        if self._skip("subgraph"):
            if self._peek().kind in _IDS:
                self._next()
            if not self._is_mark("{"):
                raise _unexpected(self._peek(), "{")
        if self._skip("{"):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise GraphError("it is nested too deeply to be a graph")
            nodes = self._statements()
            self.depth -= 1
            return nodes
        name = self._id("the name of a node, or }")
        while self._skip(":"):
            self._id("a port")
        self.nodes.setdefault(name)
        return [name]

    def _add(self, cause: str, effect: str, known: dict[str, str], line: int) -> None:
        shown = f"{quoted(cause)} -> {quoted(effect)}"
        _refuse_other_arrows(known, shown, line)
        if (cause, effect) in self.edges and not self.strict:
            raise GraphError(f"line {line}: the edge {shown} must be listed once, not twice")
        self.edges.setdefault((cause, effect), {}).update(_numbers(known))

    def _attribute_lists(self) -> dict[str, str]:
        """Read ``[key=value, ...]``, as often as there is one."""
        found: dict[str, str] = {}
        while self._skip("["):
            while not self._skip("]"):
                key = self._id("an attribute, or ]")
                found[key] = self._id("a value") if self._skip("=") else "true"
                while self._skip(",") or self._skip(";"):
                    pass
        return found

    def _id(self, wanted: str) -> str:
        """Read a name; quoted ones may be joined by +."""
        token = self._next()
        if token.kind == "keyword":
            raise GraphError(
                f"line {token.line}: {token.text} is a word of DOT; write it in quotes as a name"
            )
        if token.kind == "html" and wanted != "a value":
            raise GraphError(
                f"line {token.line}: a name must not be HTML; got {quoted(token.text)}"
            )
        if token.kind not in _IDS:
            raise _unexpected(token, wanted)
        text = token.text
        while token.kind == "quoted" and self._skip("+"):
            text += self._next().text
        return text

    def _peek(self, ahead: int = 0) -> Token:
        while len(self.read_ahead) <= ahead:
            self.read_ahead.append(next(self.tokens))
        return self.read_ahead[ahead]

    def _is_mark(self, text: str, ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return token.kind == "mark" and token.text == text

    def _next(self) -> Token:
        token = self._peek()
        if token.kind != "end":
            self.read_ahead.pop(0)
        return token

    def _skip(self, text: str) -> bool:
        """Go past a mark or a keyword, if it is the next token."""
        token = self._peek()
        if token.text != text or token.kind not in ("mark", "keyword"):
            if token.kind == "end" and text in ("}", "]"):
                raise _unexpected(token, text)
            return False
        self._next()
        return True

    def _expect(self, text: str) -> None:
        if not self._skip(text):
            raise _unexpected(self._peek(), text)


def _unexpected(token: Token, wanted: str) -> GraphError:
    got = token.text if token.kind == "end" else quoted(token.text)
    return GraphError(f"line {token.line}: not a DOT graph: expected {wanted}, got {got}")


def _refuse_other_arrows(known: dict[str, str], shown: str, line: int) -> None:
    """Refuse edges that are drawn in another direction than they are written, or not at all."""
    drawn = {key: known[key] for key in _ARROWS if known.get(key, _ARROWS[key]) != _ARROWS[key]}
    if "dir" in drawn or drawn.get("arrowhead") == "none":
        given = ", ".join(f"{key}={value}" for key, value in drawn.items())
        raise GraphError(
            f"line {line}: {shown} has {given}, so that its arrow is not drawn from "
            "cause to effect; write each edge as cause -> effect, and leave these out"
        )
    if "invis" in known.get("style", ""):
        raise GraphError(
            f"line {line}: {shown} has style=invis: remove edges that only serve the drawing"
        )


def _numbers(known: dict[str, str]) -> dict[str, float]:
    found = {}
    for key, value in known.items():
        if is_attribute_name(key):
            try:
                found[key] = float(value)
            except ValueError:
                continue
    return found


PIECE = DOT
