"""Whatever describes a graph, as a matrix and the names of its nodes.

Every function that compares graphs reads its arguments here, so that matrices, data frames, graphs
of networkx, edge lists, files and fitted estimators go everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np

from scoredag.exceptions import GraphError
from scoredag.graph.conversion import check_digraph, from_networkx, text_names
from scoredag.graph.files import read_graph
from scoredag.graph.matrix import IntArray, check_adjacency, frame_labels
from scoredag.graph.notes import has_columns

# What `as_adjacency` takes; NumPy's and networkx's types say no more.
GraphLike = Any

_WANTED = (
    "a square matrix or data frame, a networkx.DiGraph, pairs (cause, effect) of text or a table "
    "with the columns cause and effect, a graph file, or a fitted estimator"
)


@dataclass(frozen=True)
class Adjacency:
    """A graph as a matrix, with what is known about its nodes.

    Attributes
    ----------
    matrix : ndarray of int, shape (d, d)
        ``matrix[i, j] = 1`` means i -> j.
    names : tuple of str, or None
        The nodes; None for a matrix without names, whose nodes are known by position.
    over_columns : bool
        Whether the nodes are all the columns of the data, in their order, as in a matrix. An edge
        list or a graph of another library may lack nodes without edges and has no such order.
    """

    matrix: IntArray = field(repr=False)
    names: tuple[str, ...] | None
    over_columns: bool


def as_adjacency(graph: GraphLike, argument: str = "graph") -> Adjacency:
    """Read anything that describes a directed graph.

    Parameters
    ----------
    graph : graph-like
        - a square array-like, a sparse matrix of scipy, or a data frame (pandas, polars, Arrow),
          whose columns name the nodes: ``A[i, j] != 0`` means i -> j;
        - a ``networkx.DiGraph``; its edges point from cause to effect;
        - an edge list: pairs (cause, effect) of text, or a data frame or Arrow table with the
          columns ``cause`` and ``effect``. Pairs of numbers are a matrix, never an edge list;
        - the path of a file that `read_graph` takes;
        - a fitted estimator, which has ``graph_``, or what this function returned.
    argument : str, default="graph"
        What the caller named the argument, for the error message.

    Returns
    -------
    Adjacency
        The matrix, ``[i, j] = 1`` for i -> j, and the names. It may have cycles.

    Raises
    ------
    GraphError
        If it is none of these, or an edge joins a node to itself.

    Examples
    --------
    >>> as_adjacency([("Raf", "Mek"), ("Mek", "Erk")]).names
    ('Raf', 'Mek', 'Erk')
    >>> as_adjacency([[0, 1], [0, 0]])
    Adjacency(names=None, over_columns=True)
    >>> as_adjacency({"Raf": ["Mek"]}, "true")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: true must be a graph: a square matrix or data frame, a \
networkx.DiGraph, pairs (cause, effect) of text or a table with the columns cause and effect, a \
graph file, or a fitted estimator; got dict: networkx.DiGraph(true) reads a dict of lists
    """
    if isinstance(graph, Adjacency):
        return graph
    # A data frame may have a column of that name, which is an attribute too.
    source: Any = graph if hasattr(type(graph), "columns") else getattr(graph, "graph_", graph)
    if isinstance(source, str | os.PathLike):
        source = _read(source, argument)
    if isinstance(source, nx.Graph):
        return _of_digraph(source, argument)
    if not _is_lazy(source) and _is_edge_table(source):
        return _of_pairs(_table_pairs(source, argument), argument)
    if isinstance(source, Iterable) and not (_is_array(source) or _is_mapping(source)):
        source = source if isinstance(source, bytes | bytearray) else _listed(source, argument)
    if _holds_text(source):
        return _of_pairs(_text_pairs(source, argument), argument)
    _refuse_other_kinds(source, argument)
    try:
        matrix = check_adjacency(source, argument)
    except GraphError as error:
        if frame_labels(source, "columns") and _holds_text(np.asarray(source)):
            hint = "a table of edges must have the columns cause and effect"
            raise GraphError(f"{error}; {hint}") from None
        raise
    names = frame_labels(source, "columns") or frame_labels(source, "index")
    return Adjacency(matrix, text_names(names, f"names of {argument}") if names else None, True)


def _read(path: str | os.PathLike[str], argument: str) -> nx.DiGraph:
    try:
        return read_graph(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GraphError(f"{argument} is the path {os.fspath(path)!r}: {reason}") from error
    except GraphError as error:
        raise GraphError(f"{argument} is taken for the path of a graph file: {error}") from error


def _of_digraph(graph: nx.Graph, argument: str) -> Adjacency:
    check_digraph(graph, argument)
    try:
        matrix = from_networkx(graph)
    except GraphError as error:
        raise GraphError(f"{argument}: {error}") from None
    return Adjacency(matrix, text_names(graph), has_columns(graph))


def _of_pairs(pairs: Iterable[tuple[str, str]], argument: str) -> Adjacency:
    return _of_digraph(nx.DiGraph(list(pairs)), argument)


def _is_edge_table(source: Any) -> bool:
    """Whether a data frame lists edges; one whose rows bear the columns' names is a matrix."""
    columns = frame_labels(source, "columns") or []
    listed = "cause" in columns and "effect" in columns
    return listed and frame_labels(source, "index") != columns


def _table_pairs(table: Any, argument: str) -> list[tuple[str, str]]:
    ends = [np.asarray(table[key], dtype=object) for key in ("cause", "effect")]
    if any(end.ndim != 1 for end in ends):
        raise GraphError(f"{argument} must have one column cause and one column effect")
    pairs = list(zip(*(end.tolist() for end in ends), strict=True))
    for row, pair in enumerate(pairs):
        # Only NaN differs from itself.
        if any(end is None or end != end for end in pair):
            raise GraphError(
                f"{argument} must name cause and effect in each row; row {row} lacks one"
            )
    return [(str(cause), str(effect)) for cause, effect in pairs]


def _listed(source: Iterable[Any], argument: str) -> list[Any]:
    """List what can be gone through once; a set in an order that is always the same."""
    try:
        listed = sorted(source, key=repr) if isinstance(source, Set) else list(source)
    except Exception as error:  # whatever a foreign object raises
        raise GraphError(f"{argument} cannot be gone through: {error!r:.200}") from error
    if isinstance(source, Set) and listed and not _holds_text(listed):
        raise GraphError(f"{argument} must be a set of pairs (cause, effect) of text; got numbers")
    return listed


def _holds_text(source: Any) -> bool:
    """Whether there is text in what may be a list of pairs; no entries are a list of no edges."""
    if isinstance(source, np.ndarray):
        objects = source.flat if source.dtype.kind == "O" else ()
        text = source.dtype.kind == "U" or any(isinstance(entry, str) for entry in objects)
        return source.ndim > 0 and text
    if not isinstance(source, list):
        return False
    return not source or any(
        isinstance(entry, str)
        or (isinstance(entry, list | tuple) and any(isinstance(end, str) for end in entry))
        for entry in source
    )


def _text_pairs(source: Any, argument: str) -> list[tuple[str, str]]:
    for entry in source:
        pair = () if isinstance(entry, str) else tuple(entry)
        if len(pair) != 2 or not all(isinstance(end, str) for end in pair):
            raise GraphError(
                f"{argument} must be a list of pairs (cause, effect), both text; got {entry!r:.80}"
            )
    return [(str(cause), str(effect)) for cause, effect in source]


def _refuse_other_kinds(source: Any, argument: str) -> None:
    if isinstance(source, list) or (_is_array(source) and not _is_lazy(source)):
        return
    hint = ""
    if _is_lazy(source):
        hint = ": call collect first"
    elif _is_mapping(source):
        hint = f": networkx.DiGraph({argument}) reads a dict of lists"
    elif hasattr(source, "fit"):
        hint = ", which is not fitted: call fit first"
    kind = type(source).__name__
    raise GraphError(f"{argument} must be a graph: {_WANTED}; got {kind}{hint}")


def _is_array(source: Any) -> bool:
    """Whether NumPy, or scipy for sparse matrices, knows how to read it."""
    known = any(hasattr(type(source), key) for key in ("__array__", "toarray"))
    return known or isinstance(source, memoryview) or _is_lazy(source)


def _is_lazy(source: Any) -> bool:
    """Whether it is a query of polars that has not been run."""
    return hasattr(type(source), "collect") and not hasattr(type(source), "__array__")


def _is_mapping(source: Any) -> bool:
    """Whether it is a dict or the like; networkx's views of edges are sets besides."""
    return isinstance(source, Mapping) and not isinstance(source, Set)
