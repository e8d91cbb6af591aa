"""Rules from graphs and matrices."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import is_whole_number
from scoredag.exceptions import GraphError, KnowledgeError
from scoredag.knowledge.parsing import Column, Edge

_MEANINGS = "1 (required), 0 (forbidden), or -1 or NaN (unknown)"


def edges_of_graph(graph: Any, meaning: str) -> list[Edge]:
    """List the edges of a ``networkx.DiGraph``; nodes other than integers become text."""
    # Imported here: the search uses knowledge, and graphs come after the search.
    from scoredag.graph.conversion import check_digraph

    if meaning not in ("required", "forbidden"):
        raise KnowledgeError(f"edges must be 'required' or 'forbidden'; got {meaning!r:.60}")
    try:
        checked = check_digraph(graph)
    except GraphError as error:
        raise KnowledgeError(str(error)) from None
    return [(_column(cause), _column(effect)) for cause, effect in checked.edges]


def edges_of_matrix(
    matrix: Any, edge_direction: str, names: Iterable[Any] | None
) -> tuple[list[Edge], list[Edge]]:
    """List the edges that a matrix requires (1) and forbids (0), but for forbidden self-loops."""
    from scoredag.graph.matrix import as_numbers, frame_labels

    wanted = f"matrix must be a square matrix of {_MEANINGS}"
    if np.ma.is_masked(matrix):
        raise KnowledgeError(f"{wanted}; got masked entries: fill them with -1")
    try:
        values = as_numbers(matrix, wanted)
    except GraphError as error:
        raise KnowledgeError(str(error)) from None
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise KnowledgeError(f"{wanted}; got shape {values.shape}")
    _refuse_other_values(values, wanted)
    rows, own = frame_labels(matrix, "index"), frame_labels(matrix, "columns")
    if rows is not None and own is not None and rows != own:
        raise KnowledgeError(
            "matrix must have its rows and columns in the same order: reorder it, as by "
            "matrix.loc[matrix.columns]"
        )
    columns = _names(own or rows if names is None else names, len(values))
    towards_effects = _towards_effects(values, edge_direction)
    np.fill_diagonal(towards_effects, np.where(np.diagonal(values) == 1, 1, -1))
    return _edges(towards_effects == 1, columns), _edges(towards_effects == 0, columns)


def _towards_effects(values: NDArray[np.float64], edge_direction: str) -> NDArray[np.float64]:
    """A copy in which ``[i, j]`` is about i -> j."""
    if edge_direction == "from row to column":
        return values.copy()
    if edge_direction == "from column to row":
        return values.T.copy()
    raise KnowledgeError(
        "edge_direction must be 'from row to column' or 'from column to row'; "
        f"got {edge_direction!r:.60}"
    )


def _refuse_other_values(values: NDArray[np.float64], wanted: str) -> None:
    other = np.argwhere(~(np.isin(values, (-1, 0, 1)) | np.isnan(values))).tolist()
    if other:
        i, j = other[0]
        raise KnowledgeError(f"{wanted}; got {values[i, j]:g} at [{i}, {j}]")


def _names(names: Iterable[Any] | None, d: int) -> list[Column]:
    if names is None:
        return list(range(d))
    if isinstance(names, str | bytes | Set) or not isinstance(names, Iterable):
        raise KnowledgeError(f"names must be a list of {d} columns; got {names!r:.80}")
    columns = [_column(name) for name in names]
    if len(columns) != d:
        raise KnowledgeError(f"names must have one entry a row, {d}; got {len(columns)}")
    return columns


def _column(label: Any) -> Column:
    return int(label) if is_whole_number(label) else str(label)


def _edges(mask: NDArray[np.bool_], columns: list[Column]) -> list[Edge]:
    return [(columns[i], columns[j]) for i, j in np.argwhere(mask).tolist()]
