"""Erdős-Rényi graphs with a fixed number of edges."""

from __future__ import annotations

import numpy as np

from scoredag.graph.matrix import IntArray


def er(d: int, edges_per_node: float, rng: np.random.Generator) -> IntArray:
    """Choose ``round(d * edges_per_node)`` of the d (d - 1) / 2 pairs, or all if there are fewer.

    The number of edges is exact, G(n, M) and not G(n, p), so that data sets of one setting are
    equally hard. Dense small graphs come close to full: ER4 on 10 nodes has 40 of 45 edges.

    References
    ----------
    P. Erdős, A. Rényi, "On random graphs I", Publicationes Mathematicae 6:290-297, 1959.

    Examples
    --------
    >>> er(3, 1, np.random.default_rng(0))
    array([[0, 1, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    causes, effects = np.triu_indices(d, k=1)
    n_edges = min(round(d * edges_per_node), len(causes))
    chosen = rng.permutation(len(causes))[:n_edges]
    adjacency = np.zeros((d, d), dtype=np.int64)
    adjacency[causes[chosen], effects[chosen]] = 1
    return adjacency


PIECE = er
