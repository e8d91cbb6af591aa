"""Structural Hamming distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scoredag.metrics._pair import check_pair


def shd(true: ArrayLike, pred: ArrayLike) -> int:
    """Count the pairs of nodes whose edge differs between two graphs.

    A missing, an extra and a reversed edge count once each.

    Parameters
    ----------
    true, pred : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.

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
    """
    first, second = check_pair(true, pred)
    differs = first != second
    return int(np.triu(differs | differs.T).sum())
