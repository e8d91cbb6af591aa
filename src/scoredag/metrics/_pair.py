"""Two graphs that are to be compared must have the same nodes."""

from __future__ import annotations

from scoredag.data.wording import name_list
from scoredag.exceptions import GraphError, warn
from scoredag.graph import GraphLike, as_adjacency
from scoredag.graph.alignment import Names, laid_over, refuse_strangers
from scoredag.graph.dag import find_cycle
from scoredag.graph.matrix import IntArray


def check_pair(
    true: GraphLike, pred: GraphLike, *, acyclic: bool = False
) -> tuple[Names, IntArray, IntArray]:
    """Lay two graphs over the same nodes, or raise an error that names the wrong one.

    Returns
    -------
    names : tuple of str, or None
        The nodes; None where neither graph has names.
    true_adjacency, pred_adjacency : ndarray of int, shape (d, d)
        ``[i, j] = 1`` means i -> j.
    """
    first, second = as_adjacency(true, "true"), as_adjacency(pred, "pred")
    if first.names is not None and second.names is not None:
        if first.over_columns:
            refuse_strangers(second, "pred", first.names, "true")
        if second.over_columns:
            refuse_strangers(first, "true", second.names, "pred")
        if first.names and second.names and not set(first.names) & set(second.names):
            raise GraphError(
                f"true and pred must have nodes in common; got {name_list(first.names)} and "
                f"{name_list(second.names)}: rename the nodes of one"
            )
        warn_about_strangers(first.names, second.names)
    names, *matrices = laid_over(first, second)
    if acyclic:
        for matrix, argument in zip(matrices, ("true", "pred"), strict=True):
            refuse_cycle(matrix, argument, names)
    return names, matrices[0], matrices[1]


def warn_about_strangers(true: tuple[str, ...], pred: tuple[str, ...]) -> None:
    """Warn where each of two graphs has a node that the other lacks: another spelling, mostly."""
    only_true = [name for name in true if name not in set(pred)]
    only_pred = [name for name in pred if name not in set(true)]
    if only_true and only_pred:
        warn(
            f"nodes only in true: {name_list(only_true)}; only in pred: {name_list(only_pred)}. "
            "They count as nodes without edges in the other graph: check the spelling if they "
            "should be the same."
        )


def refuse_cycle(matrix: IntArray, argument: str, names: Names) -> None:
    """Raise `GraphError` if a graph, ``[i, j] = 1`` for i -> j, has a cycle, and name one."""
    cycle = find_cycle(matrix)
    if cycle is not None:
        walk = [*cycle, cycle[0]]
        path = " -> ".join(str(node) if names is None else repr(names[node]) for node in walk)
        raise GraphError(f"{argument} must be acyclic; it has the cycle {path}")
