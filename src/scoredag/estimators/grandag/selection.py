"""GraN-DAG's preliminary neighbour selection: what randomised trees find useful.

Lachapelle et al. (2020), appendix A.1: a forest predicts every column from all others, and those
that matter to it become candidate causes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import ExtraTreesRegressor

from scoredag.data.arrays import as_finite_matrix


def tree_neighbours(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    share: float = 0.75,
    trees: int = 100,
    n_jobs: int | None = None,
) -> NDArray[np.int_]:
    """Choose candidate causes of every column by extremely randomised trees.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    rng : numpy.random.Generator
        Draws the trees.
    share : float, default=0.75
        Columns whose importance exceeds this share of the mean become candidates.
    trees : int, default=100
        Trees a column. The authors grow 500, which choose about the same columns.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``[i, j] == 1`` means that i may be a cause of j. Not symmetric, and no statement about
        direction: an effect helps to predict its cause.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = np.sin(2 * x) + 0.1 * rng.normal(size=300)
    >>> tree_neighbours(np.column_stack([x, y, z]), rng=rng, trees=20)[:, 1]
    array([1, 0, 0])
    """
    table = as_finite_matrix(X)
    d = table.shape[1]
    chosen = np.zeros((d, d), dtype=int)
    for target in range(d):
        others = np.delete(np.arange(d), target)
        forest = ExtraTreesRegressor(trees, random_state=int(rng.integers(2**31)), n_jobs=n_jobs)
        importances = forest.fit(table[:, others], table[:, target]).feature_importances_
        chosen[others, target] = importances > share * importances.mean()
    return chosen
