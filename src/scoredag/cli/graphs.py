"""Graph files that a command reads, with errors that name the file and its nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from scoredag.data import Table
from scoredag.data.block_table import BlockTable
from scoredag.data.wording import close_match, listing, name_list, quoted
from scoredag.exceptions import GraphError
from scoredag.graph import find_cycle, from_networkx, read_graph
from scoredag.graph.notes import was_matrix


def load_graph(path: Path) -> Any:
    """Read a graph; what is missing, a directory or no graph is a `GraphError`.

    A matrix is announced on standard error: a file cannot say whether its rows are the causes.
    """
    try:
        graph = read_graph(path)
    except OSError as error:
        raise GraphError(f"{path} cannot be read: {error.strerror or error}.") from error
    if was_matrix(graph):
        typer.echo(
            f"{path} was read as a matrix: an entry in row a and column b means a -> b.", err=True
        )
    for node in graph:
        if graph.has_edge(node, node):
            raise GraphError(f"{path}: {quoted(node)} has an edge to itself. Remove that edge.")
    return graph


def refuse_cycle(graph: Any, path: Path) -> None:
    """Raise `GraphError`, with the names along it, if a graph has a cycle."""
    cycle = find_cycle(from_networkx(graph))
    if cycle is not None:
        nodes = list(graph)
        walk = " -> ".join(quoted(nodes[k]) for k in [*cycle, cycle[0]])
        raise GraphError(
            f"{path} must be acyclic; it has the cycle {walk}. Remove one of its edges."
        )


def refuse_strangers(graph: Any, path: Path, table: Table | BlockTable) -> None:
    """Raise `GraphError` if a graph has nodes that are no columns of the table."""
    strangers = []
    for node in graph:
        if node not in table.names:
            guess = close_match(node, table.names)
            hint = "" if guess is None else f" (did you mean {quoted(guess)}?)"
            strangers.append(quoted(node) + hint)
    if strangers:
        raise GraphError(
            f"{path} has nodes that are no columns of {table.source}: "
            f"{listing(strangers)}. "
            f"The columns are {name_list(table.names, limit=10)}."
        )
