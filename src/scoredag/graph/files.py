"""Graphs as text and as files; the formats are the shelf ``scoredag.graph.formats``."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TypeVar

import networkx as nx

from scoredag.exceptions import GraphError
from scoredag.graph.conversion import text_names
from scoredag.graph.formats._format import GraphFormat, ReadableFormat, clean_graph
from scoredag.plugins import shelf

_SHELF = "scoredag.graph.formats"
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
    if format_name not in formats:
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
        Ends in .csv (edge list, without isolated nodes), .dot, .gml or .json.

    Examples
    --------
    >>> import networkx as nx
    >>> write_graph(nx.DiGraph([("Raf", "Mek")]), "graph.xls")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: path must end in one of .csv, .dot, .gml, .json; got 'graph.xls'
    """
    chosen = _format_of(path, shelf(_SHELF).values())
    # newline="": line breaks inside names stay as they are on every system.
    Path(path).write_text(chosen.write(clean_graph(graph)), encoding="utf-8", newline="")


def read_graph(path: str | PathLike[str], nodes: Iterable[object] | None = None) -> nx.DiGraph:
    r"""Read a graph from a file, in the format of its suffix.

    Parameters
    ----------
    path : path-like
        Ends in .csv (edge list with the columns cause and effect), .gml or .json.
    nodes : iterable, optional
        The columns of the data. Then these are the nodes, in this order, those without an edge
        included, and an edge of any other node is an error. An edge list needs it to keep
        isolated nodes.

    Returns
    -------
    networkx.DiGraph
        Over ``str`` nodes; edges point from cause to effect. It may have cycles: see
        `scoredag.graph.is_dag`.

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
    except ValueError as error:
        raise GraphError(f"cannot read the graph in {str(path)!r}: {error}") from error
    return graph if nodes is None else _over(graph, nodes, path)


def readable_suffixes() -> list[str]:
    """List the suffixes of the files that `read_graph` takes.

    Examples
    --------
    >>> readable_suffixes()
    ['.csv', '.gml', '.json']
    """
    return sorted(known.suffix for known in _readable())


def _readable() -> list[type[ReadableFormat]]:
    return [known for known in shelf(_SHELF).values() if issubclass(known, ReadableFormat)]


def _text(path: str | PathLike[str]) -> str:
    # utf-8-sig: spreadsheets put a byte order mark first.
    with open(path, encoding="utf-8-sig", newline="") as file:
        return file.read()


def _format_of(path: str | PathLike[str], formats: Iterable[type[Format]]) -> type[Format]:
    by_suffix = {known.suffix: known for known in formats}
    suffix = Path(path).suffix.lower()
    if suffix not in by_suffix:
        suffixes = ", ".join(sorted(by_suffix))
        raise GraphError(f"path must end in one of {suffixes}; got {str(path)!r}")
    return by_suffix[suffix]


def _over(graph: nx.DiGraph, nodes: Iterable[object], path: str | PathLike[str]) -> nx.DiGraph:
    wanted = text_names(nodes)
    unknown = sorted(set(graph) - set(wanted))
    if unknown:
        raise GraphError(f"nodes must hold every node of {str(path)!r}; it also has {unknown}")
    result = nx.DiGraph()
    result.add_nodes_from(wanted)
    result.add_edges_from(graph.edges(data=True))
    return result
