"""The linear special case: leaves from the diagonal of the precision matrix.

For a linear Gaussian model the Jacobian of the score is minus the precision matrix, the same at
every sample. If all noise variances are equal, a leaf has the smallest diagonal entry: LISTEN,
Ghoshal and Honorio, Learning linear structural equation models in polynomial time and sample
complexity, AISTATS 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.exceptions import DataError
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of


def sort_by_precision(
    X: ArrayLike, *, knowledge: Knowledge | Constraints | None = None
) -> NDArray[np.intp]:
    """Order columns by peeling the one with the smallest diagonal entry of the precision matrix.

    Assumes linear mechanisms, equal or nearly equal noise variances, and columns in their original
    units. Not for standardised data.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples, more rows than columns.
    knowledge : Knowledge, optional
        Prior knowledge: a column that must precede another one that is left is not taken as the
        leaf. See `scoredag.Knowledge`.

    Returns
    -------
    ndarray of int, shape (d,)
        The columns, sources first.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = 2 * x + rng.normal(size=500)
    >>> sort_by_precision(np.column_stack([y, x]))
    array([1, 0])
    """
    table = as_finite_matrix(X)
    n, d = table.shape
    covariance = np.atleast_2d(np.cov(table, rowvar=False))
    if n <= d or np.linalg.matrix_rank(covariance) < d:
        raise DataError(
            f"the precision matrix of {d} columns needs more than {d} rows and columns that are "
            f"not collinear; got {n} rows. Leave columns out."
        )
    precision, left = np.linalg.inv(covariance), list(range(d))
    constraints = as_constraints(knowledge, labels_of(X))
    order: list[int] = []
    while left:
        eligible = np.flatnonzero(constraints.eligible_leaves(left))
        leaf = int(eligible[np.argmin(precision.diagonal()[eligible])])
        order.insert(0, left.pop(leaf))
        # The precision matrix of the marginal without the leaf (Schur complement).
        row = precision[leaf]
        precision = precision - np.outer(row, row) / row[leaf]
        precision = np.delete(np.delete(precision, leaf, axis=0), leaf, axis=1)
    return np.array(order, dtype=np.intp)
