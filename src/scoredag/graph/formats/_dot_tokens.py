"""The words and marks that a DOT file is made of (graphviz.org, DOT language)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoredag.data.wording import quoted
from scoredag.exceptions import GraphError

_PIECES = re.compile(
    r"""
      (?P<space> \s+ | //[^\n]* | /\*.*?\*/ | ^\#[^\n]* )
    | (?P<name> [A-Za-z_\x80-\U0010ffff][0-9A-Za-z_\x80-\U0010ffff]* )
    | (?P<number>
        (?<![0-9A-Za-z_"\x80-\U0010ffff])  # x-1 is no name, and not two
        -?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)
        (?![0-9A-Za-z_.\x80-\U0010ffff]) )
    | (?P<quoted> "(?:[^"\\]|\\.)*" )
    | (?P<arrow> -> )
    | (?P<line> -- )
    | (?P<mark> [{}\[\];,=:+] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ESCAPES = re.compile(r"\\(\r\n|[\n\r]|[\"\\])")
_KEYWORDS = frozenset({"node", "edge", "graph", "digraph", "subgraph", "strict"})
END = "the end of the file"


@dataclass(frozen=True)
class Token:
    """A piece of DOT: its kind, what it says, and the line that it is in."""

    kind: str
    text: str
    line: int


def split_tokens(text: str) -> Iterator[Token]:
    """Split a text into its tokens; comments and space between them are left out."""
    place, line = 0, 1
    while place < len(text):
        match = _PIECES.match(text, place)
        end = _html_end(text, place) if match is None and text[place] == "<" else None
        if match is not None:
            kind, found = str(match.lastgroup), match[0]
        elif end is not None:
            kind, found = "html", text[place:end]
        else:
            raise GraphError(_unreadable(text, place, line))
        if kind == "quoted":
            yield Token(kind, _ESCAPES.sub(_unescaped, found[1:-1]), line)
        elif kind == "name" and found.lower() in _KEYWORDS:
            yield Token("keyword", found.lower(), line)
        elif kind != "space":
            yield Token(kind, found, line)
        line += found.count("\n")
        place += len(found)
    yield Token("end", END, line)


def _unescaped(match: re.Match[str]) -> str:
    """Resolve an escaped quote or backslash; an escaped line break joins two lines."""
    return match[1] if match[1] in '"\\' else ""


def _html_end(text: str, start: int) -> int | None:
    """Find where an HTML string ends, whose angle brackets come in pairs."""
    depth = 0
    for match in re.compile("[<>]").finditer(text, start):
        depth += 1 if match[0] == "<" else -1
        if depth == 0:
            return match.end()
    return None


def _unreadable(text: str, place: int, line: int) -> str:
    begin = text[place : place + 20].split("\n")[0]
    if text[place] == '"':
        return f"line {line}: the quote before {quoted(begin[1:])} is not closed"
    if text.startswith("/*", place):
        return f"line {line}: the comment is not closed"
    return f"line {line}: {quoted(begin)} is not DOT; write names in quotes"
