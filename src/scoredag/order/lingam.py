"""The order of a linear model with noise that is not normal: DirectLiNGAM.

S. Shimizu et al., DirectLiNGAM, JMLR 12:1225, 2011: a root is independent of the residuals of all
other columns regressed on it. Find it, replace the others by these residuals, repeat. Independence
is judged by pairs, with the likelihood ratio of A. Hyvärinen and S. M. Smith, JMLR 14:111, 2013,

    R_ij = H(x_j) + H(x_i - r x_j) - H(x_i) - H(x_j - r x_i)    (standardised; r the correlation),

which is positive where i causes j, and entropies H from two moments (Hyvärinen, NIPS 1998).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.checks import refuse_constant
from scoredag.data.standardise import standardise
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of

Floats = NDArray[np.float64]

_NORMAL_ENTROPY = 0.5 * (1 + float(np.log(2 * np.pi)))
_EVEN, _ODD, _LOG_COSH = 79.047, 7.4129, 0.37457  # Hyvärinen's k1, k2 and E log cosh of a normal
_LEAST_VARIANCE = 1e-12  # of a residual, relative to its column's: less is a rounding error


def lingam_order(
    X: ArrayLike, *, knowledge: Knowledge | Constraints | None = None
) -> NDArray[np.intp]:
    """Order columns as in a linear model with non-normal noise (DirectLiNGAM).

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    knowledge : Knowledge, optional
        Prior knowledge: a column comes first only after those that must precede it. See
        `scoredag.Knowledge`.

    Returns
    -------
    ndarray of int, shape (d,)
        The columns, sources first.

    Notes
    -----
    Does not depend on units. Takes about 0.02 seconds for 10 columns of 1,000 rows and 0.1 for 20,
    and grows with the cube of the columns. Not for effects that are not linear, nor for normal
    noise, with which the order is arbitrary.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e, f = rng.uniform(-1, 1, size=(3, 500))
    >>> y = x + 0.5 * e
    >>> lingam_order(np.column_stack([y + 0.5 * f, y, x]))
    array([2, 1, 0])
    """
    table = as_finite_matrix(X)
    refuse_constant(table)
    before = as_constraints(knowledge, labels_of(X)).precedes
    Z, left, order = standardise(table), list(range(table.shape[1])), list[int]()
    while left:
        eligible = np.array([not before[left, v].any() for v in left])
        root = int(np.argmax(np.where(eligible, _rootness(Z), -np.inf)))
        residuals = Z - np.outer(Z[:, root], Z.T @ Z[:, root] / len(Z))
        order.append(left.pop(root))
        Z = _restandardised(np.delete(residuals, root, axis=1))
    return np.array(order)


def _rootness(Z: Floats) -> Floats:
    """For each column minus the sum of squares of all R_ij that oppose it as a cause of j."""
    n, d = Z.shape
    correlation, entropies = Z.T @ Z / n, _entropies(Z)
    of_residuals = np.empty((d, d))  # [i, j]: H of the residual of i regressed on j
    for j in range(d):
        spread = np.sqrt(np.maximum(1 - correlation[:, j] ** 2, _LEAST_VARIANCE))
        residuals = (Z - np.outer(Z[:, j], correlation[:, j])) / spread
        of_residuals[:, j] = _entropies(residuals) + np.log(spread)
    ratio = entropies[None, :] + of_residuals - entropies[:, None] - of_residuals.T
    np.fill_diagonal(ratio, 0.0)
    return -(np.minimum(ratio, 0.0) ** 2).sum(axis=1)


def _entropies(Z: Floats) -> Floats:
    """Entropy of each column, of mean 0 and variance 1, by its maximum given two moments."""
    size = np.abs(Z)
    log_cosh = size + np.log1p(np.exp(-2 * size)) - np.log(2)  # without overflow
    even = log_cosh.mean(axis=0) - _LOG_COSH
    odd = (Z * np.exp(-0.5 * Z**2)).mean(axis=0)
    return np.asarray(_NORMAL_ENTROPY - _EVEN * even**2 - _ODD * odd**2)


def _restandardised(X: Floats) -> Floats:
    """Scale columns to variance 1; residuals that are rounding errors become 0."""
    centred = X - X.mean(axis=0)
    spread = centred.std(axis=0)
    vary = spread**2 > _LEAST_VARIANCE  # the columns had variance 1 before the regression
    return np.where(vary, centred / np.where(vary, spread, 1.0), 0.0)
