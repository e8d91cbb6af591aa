"""A screen by forward regression: which columns add to the explanation of which.

The polynomials of a column's ranks are regressed on those of the other columns, one column at a
time, as in orthogonal matching pursuit: the column that explains most joins, and its part is taken
out of all others (a step of Cholesky's factorisation with pivots). With M the correlations of the
polynomials that are left over, R those with the response, and P_k the projection on column k,

    gain of k = -n/2 sum_a log(1 - |P_k R_a|^2 / rest_a),    |P_k R_a|^2 = R_ka' M_kk^-1 R_ka,

a log likelihood ratio summed over the polynomials a of the response. For a column that adds nothing
twice the gain has about a chi-square distribution with q^2 degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from scoredag.arguments import check_between, check_count
from scoredag.data.arrays import as_finite_matrix
from scoredag.screening.ranks import Floats, rank_features

_DEGREE = 3
# Only so many columns, those that explain most alone, take part in a regression.
_MOST_CANDIDATES = 30
_TARGETS_AT_ONCE = 64  # in one matrix product
_JITTER = 1e-9  # on the diagonal of correlation matrices, where columns are copies
_SMALLEST_REST = 1e-9


def forward(X: ArrayLike, *, level: float = 0.05, most: int = 10) -> Floats:
    """Neighbours by forward regression on polynomials of ranks.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    level : float, default=0.05
        About the probability that a column which depends on no other gets a neighbour.
    most : int, default=10
        Largest number of columns in the regression of a column.

    Returns
    -------
    ndarray of shape (d, d)
        ``[i, j]`` is the gain in nats when i joined the regression of j, 0 where it did not join.

    Notes
    -----
    Finds parents and children of a column and the other parents of its children as far as they are
    dependent on it given those that were found first. Not for columns that are functions of each
    other, where the first one leaves nothing to the others.

    References
    ----------
    Y. Pati, R. Rezaiifar and P. Krishnaprasad. Orthogonal matching pursuit. Asilomar 1993.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = np.sin(2 * x) + 0.3 * rng.normal(size=500)
    >>> z = np.cos(2 * y) + 0.3 * rng.normal(size=500)
    >>> forward(np.column_stack([x, y, z])) > 0
    array([[False,  True, False],
           [ True, False,  True],
           [False,  True, False]])
    """
    table = as_finite_matrix(X)
    check_between(level, "level", 0, 1)
    check_count(most, "most")
    d = table.shape[1]
    q = _DEGREE
    features = rank_features(table, q).reshape(-1, d * q)
    least = float(chi2.isf(level / max(d - 1, 1), q**2)) / 2
    strength = np.zeros((d, d))
    for start in range(0, d, _TARGETS_AT_ONCE):
        stop = min(start + _TARGETS_AT_ONCE, d)
        cross = features.T @ features[:, start * q : stop * q] / len(features)
        for j in range(start, stop):
            joined = _joined(features, cross[:, (j - start) * q :][:, :q], j, least, most)
            strength[list(joined), j] = list(joined.values())
    return strength


def _joined(
    features: Floats, cross: Floats, target: int, least: float, most: int
) -> dict[int, float]:
    """The columns that join the regression of a column, each with its gain in nats.

    ``cross`` has the correlations of all features with those of the target: d q x q.
    """
    n, q = len(features), cross.shape[1]
    explained = (cross**2).reshape(-1, q * q).sum(axis=1)
    explained[target] = -1.0
    d = len(explained)
    candidates = np.argsort(-explained, kind="stable")[: min(_MOST_CANDIDATES, d - 1)]
    m = len(candidates)
    chosen = (candidates[:, None] * q + np.arange(q)).ravel()
    Z = features[:, chosen]
    M, R = Z.T @ Z / n, cross[chosen]
    rest = cross[target * q :][:q].diagonal()
    varies = rest > 0  # a column of few values has fewer polynomials
    blocks = np.arange(m)
    joined: dict[int, float] = {}
    while len(joined) < min(most, m):
        diagonal = M.reshape(m, q, m, q)[blocks, :, blocks] + _JITTER * np.eye(q)
        parts = R.reshape(m, q, q)
        drops = np.einsum("kba,kba->ka", parts, np.linalg.solve(diagonal, parts))
        shares = np.minimum(drops[:, varies] / rest[varies], 1 - _SMALLEST_REST)
        gains = -n / 2 * np.log1p(-shares).sum(axis=1)
        gains[[k for k in range(m) if int(candidates[k]) in joined]] = -np.inf
        best = int(np.argmax(gains))
        if gains[best] < least:
            break
        joined[int(candidates[best])] = float(gains[best])
        rows = slice(best * q, (best + 1) * q)
        taken = np.linalg.solve(diagonal[best], M[rows])
        rest = np.maximum(rest - drops[best], _SMALLEST_REST)
        R = R - taken.T @ R[rows]
        M = M - M[:, rows] @ taken
    return joined


PIECE = forward
