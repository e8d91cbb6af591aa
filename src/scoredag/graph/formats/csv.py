"""CSV edge list: a table with a line an edge, ``cause,effect`` and then what is known about it.

Every line is an edge, which is what a table of edges should be; so a node without edges is not
in the file. ``read_graph(path, nodes=...)`` puts it back. Cells are written as they are: a name
that starts with ``=`` comes back unchanged, but a spreadsheet would take it for a formula.

People write ``a, b``, so spaces around a name are dropped; but not in a file whose header is
quoted, where they were put on purpose. A graph with such names is written so.
"""

from __future__ import annotations

from collections.abc import Iterator
from csv import QUOTE_MINIMAL, QUOTE_NONNUMERIC, Error, reader, writer
from io import StringIO

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.formats._format import ReadableFormat, build_graph


class CSV(ReadableFormat):
    """A line an edge: ``cause,effect`` and its attributes."""

    suffix = ".csv"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        keys = list(dict.fromkeys(key for *_, known in graph.edges(data=True) for key in known))
        text = StringIO(newline="")
        # CRLF is the standard's line end, and the writer quotes the characters of the line end.
        spaced = any(node != node.strip() for node in graph)
        table = writer(
            text, lineterminator="\r\n", quoting=QUOTE_NONNUMERIC if spaced else QUOTE_MINIMAL
        )
        table.writerow(["cause", "effect", *keys])
        for cause, effect, known in graph.edges(data=True):
            table.writerow([cause, effect, *(known.get(key, "") for key in keys)])
        return text.getvalue()

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        edges = list(_edges(text))
        nodes = dict.fromkeys(node for cause, effect, _ in edges for node in (cause, effect))
        return build_graph(nodes, edges)


def _edges(text: str) -> Iterator[tuple[str, str, dict[str, float]]]:
    rows = reader(StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if not {"cause", "effect"} <= set(header):
            raise GraphError(f"an edge list must have the columns cause and effect; got {header}")
        verbatim = text.startswith('"')
        for row in rows:
            if row:
                cells = row if verbatim else [cell.strip() for cell in row]
                yield _edge(header, cells, rows.line_num)
    except Error as error:
        raise GraphError(f"line {rows.line_num} is not valid CSV: {error}") from error


def _edge(header: list[str], row: list[str], line: int) -> tuple[str, str, dict[str, float]]:
    if len(row) != len(header):
        raise GraphError(f"line {line} must have {len(header)} cells; got {row}")
    cells = dict(zip(header, row, strict=True))
    keys = [key for key in header if key not in ("", "cause", "effect")]
    return cells["cause"], cells["effect"], {key: _number(cells[key]) for key in keys}


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")
