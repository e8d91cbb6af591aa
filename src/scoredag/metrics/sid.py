"""Structural intervention distance."""

from __future__ import annotations

import gadjid
import numpy as np

from scoredag.graph import GraphLike
from scoredag.metrics._pair import check_pair


def sid(true: GraphLike, pred: GraphLike) -> int:
    """Count the pairs (i, j) whose intervention distribution p(j | do(i)) `pred` gets wrong.

    Parameters
    ----------
    true, pred : graph-like
        Matrices, ``A[i, j] != 0`` for i -> j, or anything else that `scoredag.graph.as_adjacency`
        takes: graphs, edge lists, files, fitted estimators. Those with names are matched by name.
        Both must be acyclic.

    Returns
    -------
    int
        0 where adjusting for the parents in `pred` is right for every pair, at most d (d - 1).

    Notes
    -----
    Not symmetric, and 0 does not mean equal graphs: extra edges that respect a true order cost
    nothing, so the full graph over a true order has distance 0. Report it beside `shd`. Computed by
    gadjid (Henckel, Würtzen and Weichwald, 2024).

    References
    ----------
    J. Peters, P. Bühlmann, "Structural intervention distance for evaluating causal graphs", Neural
    Computation 27:771-799, 2015.

    Examples
    --------
    >>> sid(true=[[0, 1], [0, 0]], pred=[[0, 0], [1, 0]])
    2
    >>> sid(true=[[0, 1], [0, 0]], pred=[[0, 0], [0, 0]])
    1
    """
    # gadjid panics with a BaseException on cycles and on fewer than two nodes: checked before.
    _names, first, second = check_pair(true, pred, acyclic=True)
    if len(first) < 2:
        return 0
    _normalised, mistakes = gadjid.sid(
        first.astype(np.int8), second.astype(np.int8), edge_direction="from row to column"
    )
    return int(mistakes)
