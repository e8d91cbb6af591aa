"""CSV: an edge list, or a matrix.

An edge list is a table with a line an edge, ``cause,effect`` and then what is known about it. It
is what we write. Every line is an edge, so a node without edges is not in the file;
``read_graph(path, nodes=...)`` puts it back. Cells are written as they are: a name that starts
with ``=`` comes back unchanged, but a spreadsheet would take it for a formula.

A matrix is a square table of numbers under the names of its nodes, with or without a first column
that repeats these names, as pandas writes them. An entry other than 0 in row i and column j means
i -> j. Either may be separated by semicolons or tabs.

People write ``a, b``, so spaces around a name are dropped; but not in a file whose header is
quoted, where they were put on purpose. Likewise, an empty cell is a missing name in the one and an
empty name in the other. A graph with such names is written so.
"""

from __future__ import annotations

from csv import QUOTE_MINIMAL, QUOTE_NONNUMERIC, Error, reader, writer
from io import StringIO
from math import isfinite, isnan

import networkx as nx

from scoredag.data.wording import name_list, quoted
from scoredag.exceptions import GraphError
from scoredag.graph.conversion import text_names
from scoredag.graph.formats._format import ReadableFormat, build_graph
from scoredag.graph.notes import edge_attribute_names, note_columns, note_matrix

_SEPARATORS = (",", ";", "\t")
_ENDS = ("cause", "effect")
# A line of a file: its number, and its cells.
Line = tuple[int, list[str]]


class CSV(ReadableFormat):
    """A line an edge: ``cause,effect`` and its attributes. Reads matrices as well."""

    suffix = ".csv"

    @staticmethod
    def write(graph: nx.DiGraph) -> str:
        """Turn a graph into text."""
        keys = edge_attribute_names(graph)
        text = StringIO(newline="")
        # CRLF is the standard's line end, and the writer quotes the characters of the line end.
        spaced = any(not node or node != node.strip() for node in graph)
        table = writer(
            text, lineterminator="\r\n", quoting=QUOTE_NONNUMERIC if spaced else QUOTE_MINIMAL
        )
        table.writerow([*_ENDS, *keys])
        for cause, effect, known in graph.edges(data=True):
            table.writerow([cause, effect, *(known.get(key, "") for key in keys)])
        return text.getvalue()

    @staticmethod
    def read(text: str) -> nx.DiGraph:
        """Turn text into a graph."""
        header, lines = _table(text)
        if _is_edge_list(header, lines):
            _refuse_repeated_columns(header)
            edges = [_edge(header, line, verbatim=_is_verbatim(text)) for line in lines]
            nodes = dict.fromkeys(node for cause, effect, _ in edges for node in (cause, effect))
            return build_graph(nodes, edges)
        names, rows = _matrix(header, lines)
        pairs: list[tuple[str, str, dict[str, float]]] = [
            (names[i], names[j], {})
            for i, row in enumerate(rows)
            for j, entry in enumerate(row)
            if entry != 0
        ]
        graph = build_graph(names, pairs)
        note_columns(graph)
        note_matrix(graph)
        return graph


def _table(text: str) -> tuple[list[str], list[Line]]:
    """Split a text into its header and its lines, blank ones left out."""
    verbatim = _is_verbatim(text)
    rows = reader(StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    try:
        header = [cell.strip() for cell in next(rows, [])]
        lines = [
            (rows.line_num, row if verbatim else [cell.strip() for cell in row])
            for row in rows
            if row
        ]
    except Error as error:
        raise GraphError(f"line {rows.line_num} is not valid CSV: {error}") from error
    return header, lines


def _is_verbatim(text: str) -> bool:
    """Whether the header is quoted: then cells are what they are, to the last space."""
    return text.startswith('"')


def _separator(text: str) -> str:
    """Choose what makes the header an edge list's, or what splits it into the most cells."""
    first = text.split("\n", 1)[0].rstrip("\r")

    def cells(separator: str) -> list[str]:
        try:
            return [cell.strip() for cell in next(reader([first], delimiter=separator), [])]
        except Error:
            return []

    return max(_SEPARATORS, key=lambda mark: (set(_ENDS) <= set(cells(mark)), len(cells(mark))))


def _is_edge_list(header: list[str], lines: list[Line]) -> bool:
    """Whether there are causes and effects, and not a matrix over two nodes of these names."""
    if not set(_ENDS) <= set(header):
        return False
    return header[0] in _ENDS or sorted(row[0] for _, row in lines) != sorted(header[1:])


def _refuse_repeated_columns(header: list[str]) -> None:
    named = [cell for cell in header if cell]
    double = [cell for cell in dict.fromkeys(named) if named.count(cell) > 1]
    if double:
        raise GraphError(f"an edge list must have each column once; got {name_list(double)} twice")


def _edge(header: list[str], line: Line, verbatim: bool) -> tuple[str, str, dict[str, float]]:
    _refuse_other_length(header, line)
    cells = dict(zip(header, line[1], strict=True))
    empty = [end for end in _ENDS if not cells[end] and not verbatim]
    if empty:
        raise GraphError(f"line {line[0]} has no {empty[0]}: name both ends of the edge")
    keys = [key for key in header if key not in ("", *_ENDS)]
    return cells["cause"], cells["effect"], {key: _number_or_nan(cells[key]) for key in keys}


def _refuse_other_length(header: list[str], line: Line) -> None:
    number, row = line
    if len(row) != len(header):
        raise GraphError(f"line {number} must have {len(header)} cells; got {row!r:.200}")


def _number_or_nan(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")


def _matrix(header: list[str], lines: list[Line]) -> tuple[tuple[str, ...], list[list[float]]]:
    """Read a square table: the names of its columns, and its rows in the same order."""
    d = len(lines)
    if d == 0 or len(header) not in (d, d + 1):
        raise GraphError(
            "the file must be an edge list, with the columns cause and effect, or a square matrix "
            f"of numbers below the names of its nodes; got {d} lines below {name_list(header)}"
        )
    for line in lines:
        _refuse_other_length(header, line)
    if len(header) > d and not isnan(_number_or_nan(header[0])):
        raise GraphError(
            f"a matrix must have the names of its nodes in the first line; got {name_list(header)}"
        )
    if len(header) == d:
        return text_names(header), [[_entry(line, k) for k in range(d)] for line in lines]
    columns = text_names(header[1:])
    rows = [[_entry(line, k) for k in range(1, d + 1)] for line in lines]
    return columns, [rows[k] for k in _row_order([row[0] for _, row in lines], columns)]


def _row_order(labels: list[str], columns: tuple[str, ...]) -> list[int]:
    """Say which row belongs to which column: by name, or by position where rows are numbered."""
    numbered = labels == [str(k) for k in range(len(labels))]
    if tuple(labels) == columns or (numbered and not set(labels) & set(columns)):
        return list(range(len(labels)))
    if numbered or sorted(labels) != sorted(columns):
        raise GraphError(
            f"the rows of a matrix must be the nodes of its columns; got the rows "
            f"{name_list(labels)} and the columns {name_list(columns)}"
        )
    return [labels.index(name) for name in columns]


def _entry(line: Line, place: int) -> float:
    number, row = line
    value = _number_or_nan(row[place])
    if not isfinite(value):
        raise GraphError(
            "without the columns cause and effect the file must be a matrix of finite numbers; "
            f"got {quoted(row[place])} in line {number}"
        )
    return value


PIECE = CSV
