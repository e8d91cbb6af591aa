"""Which directions follow from others: Meek's rules.

C. Meek, Causal inference and causal explanation with background knowledge, UAI 1995. Where linear
effects with normal noise look the same both ways, a direction can still be told because the
other one would make a cycle, or a collider that the data would show.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.graph.dag import check_dag

Edges = NDArray[np.bool_]


def meek_closure(told: ArrayLike, adjacency: ArrayLike) -> Edges:
    """Edges of a graph whose direction follows from those that are told.

    Parameters
    ----------
    told : array-like of shape (d, d)
        Non-zero ``told[i, j]`` where the direction of i -> j is known. What is no edge of the
        graph does not count.
    adjacency : array-like of shape (d, d)
        The graph, acyclic; ``adjacency[i, j] != 0`` means i -> j.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True for the edges that are told and for those that follow.

    Examples
    --------
    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> meek_closure([[0, 1, 0], [0, 0, 0], [0, 0, 0]], chain).astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 0, 0]])
    >>> int(meek_closure([[0, 0, 0], [0, 0, 1], [0, 0, 0]], chain).sum())
    1
    """
    edges = check_dag(adjacency, "adjacency") != 0
    known = (np.asarray(told) != 0) & edges
    joined = edges | edges.T
    while True:
        new = [(a, b) for a, b in np.argwhere(edges & ~known) if _follows(a, b, known, joined)]
        if not new:
            return known
        known[tuple(np.transpose(new))] = True


def _follows(a: int, b: int, known: Edges, joined: Edges) -> bool:
    """Whether b -> a would make a cycle, or a collider that is not there."""
    apart = ~joined
    apart[np.diag_indices_from(apart)] = False
    open_ = joined[a] & ~known[a] & ~known[:, a]
    beside = open_ & known[:, b]
    return bool(
        (known[:, a] & apart[:, b]).any()  # rule 1
        or (known[a] & known[:, b]).any()  # rule 2
        or apart[np.ix_(beside, beside)].any()  # rule 3
        or (known[np.ix_(open_ & apart[:, b], joined[a] & known[:, b])]).any()  # rule 4
    )
