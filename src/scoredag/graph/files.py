"""Graphs as text and as files; the formats are the shelf ``scoredag.graph.formats``."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TypeVar

import networkx as nx

from scoredag.data.wording import name_list
from scoredag.exceptions import GraphError
from scoredag.graph.conversion import text_names
from scoredag.graph.formats._format import GraphFormat, ReadableFormat, clean_graph
from scoredag.graph.notes import note_columns
from scoredag.plugins import shelf
from scoredag.replacing import replacing

_SHELF = "scoredag.graph.formats"
# No graph that anybody could read has more; a device has no end.
_MOST_BYTES = 2**28
Format = TypeVar("Format", bound=GraphFormat)


def format_graph(graph: nx.DiGraph, format_name: str) -> str:
    """Write a graph as text.

    Parameters
    ----------
    graph : networkx.DiGraph
        Edges point from cause to effect. Edge attributes that are finite numbers are kept.
    format_name : str
        A module of ``scoredag.graph.formats``: "csv", "dot", "gml" or "json".

    Examples
    --------
    >>> import networkx as nx
    >>> print(format_graph(nx.DiGraph([("Raf", "Mek")]), "dot"), end="")
    digraph {
      "Raf" [label="Raf"];
      "Mek" [label="Mek"];
      "Raf" -> "Mek";
    }
    """
    formats = shelf(_SHELF)
    if not isinstance(format_name, str) or format_name not in formats:
        names = ", ".join(map(repr, sorted(formats)))
        raise GraphError(f"format_name must be one of {names}; got {format_name!r}")
    return formats[format_name].write(clean_graph(graph))


def write_graph(graph: nx.DiGraph, path: str | PathLike[str]) -> None:
    """Write a graph to a file, in the format of its suffix.

    Parameters
    ----------
    graph : networkx.DiGraph
        Edges point from cause to effect. Edge attributes that are finite numbers are kept.
    path : path-like
        Ends in .csv (edge list, without isolated nodes), .dot, .gml or .json. The file is written
        whole or not at all: if that fails, an old one stays as it was.

    Raises
    ------
    GraphError
        If it is no directed graph, or a name or an attribute cannot be written.
    OSError
        If the file cannot be written, or its folder is not there.

    Examples
    --------
    >>> import networkx as nx
    >>> write_graph(nx.DiGraph([("Raf", "Mek")]), "graph.xls")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: path must end in one of .csv, .dot, .gml, .json; got 'graph.xls'
    """
    chosen = _format_of(path, shelf(_SHELF).values())
    text = chosen.write(clean_graph(graph))
    with replacing(Path(path), make_folder=False) as partial:
        # newline="": line breaks inside names stay as they are on every system.
        partial.write_text(text, encoding="utf-8", newline="")


def read_graph(path: str | PathLike[str], nodes: Iterable[object] | None = None) -> nx.DiGraph:
    r"""Read a graph from a file, in the format of its suffix.

    Parameters
    ----------
    path : path-like
        Ends in .csv (edge list with the columns cause and effect, or a matrix below the names of
        its nodes, whose entry in row i and column j means i -> j), .dot, .gml or .json (node-link,
        or a document of ``scoredag discover --json``).
    nodes : iterable, optional
        The columns of the data. Then these are the nodes, in this order, those without an edge
        included, and an edge of any other node is an error. An edge list needs it to keep
        isolated nodes.

    Returns
    -------
    networkx.DiGraph
        Over ``str`` nodes; edges point from cause to effect. It may have cycles: see
        `scoredag.graph.is_dag`.

    Raises
    ------
    GraphError
        If the file does not hold a directed graph.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "truth.csv"
    ...     _ = path.write_text("cause,effect\nRaf,Mek\n")
    ...     graph = read_graph(path, nodes=["Erk", "Mek", "Raf"])
    >>> graph.nodes, graph.edges
    (NodeView(('Erk', 'Mek', 'Raf')), OutEdgeView([('Raf', 'Mek')]))
    """
    chosen = _format_of(path, _readable())
    try:
        graph = chosen.read(_text(path))
    except RecursionError:
        raise GraphError(
            f"cannot read the graph in {str(path)!r}: it is nested too deeply to be a graph"
        ) from None
    except ValueError as error:
        raise GraphError(f"cannot read the graph in {str(path)!r}: {error}") from error
    return graph if nodes is None else _over(graph, nodes, path)


def readable_suffixes() -> list[str]:
    """List the suffixes of the files that `read_graph` takes.

    Examples
    --------
    >>> readable_suffixes()
    ['.csv', '.dot', '.gml', '.json']
    """
    return sorted(known.suffix for known in _readable())


def _readable() -> list[type[ReadableFormat]]:
    return [known for known in shelf(_SHELF).values() if issubclass(known, ReadableFormat)]


def _text(path: str | PathLike[str]) -> str:
    with open(path, "rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise GraphError(f"it has more than {_MOST_BYTES // 2**20} MB, too many for a graph")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise GraphError("it is text in UTF-16: save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")  # spreadsheets put a byte order mark first
    except UnicodeDecodeError as error:
        raise GraphError(f"it is no text in UTF-8, from byte {error.start} on") from None
    if not text.strip():
        raise GraphError("it is empty")
    return text


def _format_of(path: str | PathLike[str], formats: Iterable[type[Format]]) -> type[Format]:
    by_suffix = {known.suffix: known for known in formats}
    if not isinstance(path, str | PathLike):
        raise GraphError(f"path must be the path of a file; got {path!r:.60}")
    if "\0" in str(path):
        raise GraphError(f"path must not hold the NUL character; got {str(path)!r:.200}")
    suffix = Path(path).suffix.lower()
    if suffix not in by_suffix:
        suffixes = ", ".join(sorted(by_suffix))
        raise GraphError(f"path must end in one of {suffixes}; got {str(path)!r:.200}")
    return by_suffix[suffix]


def _over(graph: nx.DiGraph, nodes: Iterable[object], path: str | PathLike[str]) -> nx.DiGraph:
    wanted = text_names(nodes, "nodes")
    known = set(wanted)
    unknown = [node for node in graph if node not in known]
    if unknown:
        raise GraphError(
            f"nodes must hold every node of {str(path)!r}; it also has {name_list(unknown)}"
        )
    result = nx.DiGraph()
    result.add_nodes_from(wanted)
    result.add_edges_from(graph.edges(data=True))
    note_columns(result)
    return result
