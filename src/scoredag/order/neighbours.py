"""CAM's preliminary neighbour selection: component-wise boosting of smooth terms.

Bühlmann, Peters and Ernest (2014), section 3.1: every column is boosted on all others, and a
column that is chosen often enough becomes a candidate parent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import check_between, check_count
from scoredag.data.arrays import as_finite_matrix
from scoredag.data.checks import refuse_constant
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic


def boosted_neighbours(
    X: ArrayLike,
    *,
    steps: int = 100,
    share: float = 0.02,
    shrinkage: float = 0.1,
    edf: float = 4.0,
    size: int = 10,
) -> NDArray[np.int_]:
    """Choose candidate parents of every column by L2 boosting.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    steps : int, default=100
        Boosting steps a column.
    share : float, default=0.02
        Columns that are chosen in more than this share of the steps become candidates.
    shrinkage : float, default=0.1
        Part of a term's fit that one step takes.
    edf : float, default=4.0
        Effective degrees of freedom of a term in one step.
    size : int, default=10
        Coefficients of a smooth term before it is penalised.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``[i, j] == 1`` means that i is a candidate parent of j. The matrix is not symmetric and
        says nothing about directions: a child helps to predict its parent. With few columns some
        irrelevant candidates are chosen as well.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 500))
    >>> y = np.sin(2 * x) + 0.3 * rng.normal(size=500)
    >>> bool(boosted_neighbours(np.column_stack([x, y, z]))[0, 1])
    True
    """
    table = as_finite_matrix(X)
    d = table.shape[1]
    check_count(steps, "steps")
    check_count(size, "size", least=3)
    check_between(edf, "edf", 1, np.inf)  # 1 is a straight line
    refuse_constant(table)
    design = AdditiveDesign.of(table, range(d), cubic, size)
    gram, cross, weights = design.padded(edf)
    q = weights.shape[1]
    chosen = np.zeros((d, d), dtype=int)
    for target in range(d):
        r = cross[:, target].reshape(d, q).copy()
        for _ in range(steps):
            fits = r / (1 + weights)  # columns of a term are orthonormal
            # The drop of the residual sum of squares for a full step, 2 b'r - b'b.
            drops = np.einsum("ki,ki->k", fits, 2 * r - fits)
            drops[target] = -np.inf
            best = int(np.argmax(drops))
            chosen[best, target] += 1
            r -= shrinkage * (gram[:, best * q : (best + 1) * q] @ fits[best]).reshape(d, q)
    return (chosen > share * steps).astype(int)
