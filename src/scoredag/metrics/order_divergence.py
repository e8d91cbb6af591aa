"""How far an order is from one that the true graph allows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.graph.dag import check_adjacency, check_order


def order_divergence(true: ArrayLike, order: ArrayLike) -> int:
    """Count the true edges that an order makes impossible: D_top of the SCORE paper.

    Parameters
    ----------
    true : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.
    order : array-like of int, shape (d,)
        A permutation of 0 to d - 1, sources first.

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
    """
    edges = check_adjacency(true, "true")
    rank = np.argsort(check_order(order, "order", d=len(edges)))
    causes, effects = np.nonzero(edges)
    return int(np.sum(rank[causes] > rank[effects]))
