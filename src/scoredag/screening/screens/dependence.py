"""A screen by the dependence of pairs of columns, whatever the others."""

from __future__ import annotations

from numpy.typing import ArrayLike

from scoredag.data.arrays import as_finite_matrix
from scoredag.screening.ranks import Floats, rank_dependence


def dependence(X: ArrayLike) -> Floats:
    """The dependence of the ranks of each pair of columns: all pairs are neighbours.

    To be used with a small number of neighbours, the strongest ones. It cannot see that a
    dependence runs through a third column, nor the other parents of a child: `forward` does.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric, `scoredag.screening.rank_dependence`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 500))
    >>> y = np.sin(2 * x) + 0.3 * rng.normal(size=500)
    >>> int(np.argmax(dependence(np.column_stack([z, x, y]))[2]))
    1
    """
    return rank_dependence(as_finite_matrix(X))


PIECE = dependence
