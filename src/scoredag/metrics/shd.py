"""Structural Hamming distance."""

from __future__ import annotations

import numpy as np

from scoredag.graph import GraphLike
from scoredag.metrics._pair import check_pair


def shd(true: GraphLike, pred: GraphLike) -> int:
    """Count the pairs of nodes whose edge differs between two graphs.

    A missing, an extra and a reversed edge count once each.

    Parameters
    ----------
    true, pred : graph-like
        Matrices, ``A[i, j] != 0`` for i -> j, or anything else that `scoredag.graph.as_adjacency`
        takes: graphs, edge lists, files, fitted estimators. Those with names are matched by name.

    Returns
    -------
    int
        0 for equal graphs, at most d (d - 1) / 2.

    Notes
    -----
    Not a measure of how wrong causal conclusions are: a reversed edge near the roots spoils many
    effects and one extra edge along the order none. Use `sid` for that. Some papers count a
    reversal twice; their numbers do not compare with these.

    References
    ----------
    I. Tsamardinos, L. E. Brown, C. F. Aliferis, "The max-min hill-climbing Bayesian network
    structure learning algorithm", Machine Learning 65:31-78, 2006.

    Examples
    --------
    >>> shd(true=[[0, 1, 1], [0, 0, 0], [0, 0, 0]], pred=[[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    2
    >>> shd(true=[("Raf", "Mek"), ("Mek", "Erk")], pred=[("Mek", "Raf"), ("Mek", "Erk")])
    1
    """
    _names, first, second = check_pair(true, pred)
    differs = first != second
    return int(np.triu(differs | differs.T).sum())
