"""How far an order is from one that the true graph allows."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph import GraphLike, as_adjacency
from scoredag.graph.alignment import by_position, over_columns
from scoredag.graph.conversion import text_names
from scoredag.graph.dag import check_order


def order_divergence(true: GraphLike, order: ArrayLike) -> int:
    """Count the true edges that an order makes impossible: D_top of the SCORE paper.

    Parameters
    ----------
    true : graph-like
        A matrix, ``A[i, j] != 0`` for i -> j, or anything else that `scoredag.graph.as_adjacency`
        takes: a graph, an edge list, a file.
    order : array-like of int or of str, shape (d,)
        Sources first: a permutation of 0 to d - 1, or the names of the nodes. Numbers are positions
        of columns; a graph of another library whose nodes are no numbers needs names.

    Returns
    -------
    int
        Number of true edges i -> j with j before i in the order: a lower bound on the SHD of any
        graph pruned from that order, and 0 exactly for the topological orders of `true`.

    References
    ----------
    P. Rolland et al., "Score matching enables causal discovery of nonlinear additive noise
    models", ICML 2022, section 4.

    Examples
    --------
    >>> order_divergence([[0, 1, 1], [0, 0, 0], [0, 0, 0]], order=[1, 0, 2])
    1
    >>> order_divergence([("Raf", "Mek"), ("Mek", "Erk")], order=["Mek", "Raf", "Erk"])
    1
    """
    edges, ranked = _over_order(true, order)
    rank = np.argsort(ranked)
    causes, effects = np.nonzero(edges)
    return int(np.sum(rank[causes] > rank[effects]))


def _over_order(true: GraphLike, order: Any) -> tuple[np.ndarray, np.ndarray]:
    """Lay the graph over the nodes that the order is about, and the order over their positions."""
    graph = as_adjacency(true, "true")
    ordered = np.iterable(order) and not isinstance(order, str | Mapping | Set)
    listed = list(order) if ordered else order
    if isinstance(listed, list) and any(isinstance(node, str) for node in listed):
        if graph.names is None:
            raise GraphError(
                "order must be positions, since true has no names; got names: pass true as a data "
                "frame with these names as its columns"
            )
        names = text_names(listed, "order")
        return over_columns(graph, names, len(names), "true", "order"), np.arange(len(names))
    d = len(graph.matrix)
    edges, _ = by_position(graph, "true", d, "order")
    return edges, check_order(listed, "order", d=d)
