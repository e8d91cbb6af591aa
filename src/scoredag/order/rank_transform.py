"""Choose the columns with heavy tails that are more likely after a rank transform.

Heavy tails of the noise, or of a hidden cause, dominate a fit. Heavy tails can also come from the
mechanism, such as the cube of a normal parent. Then ranks bend the mechanism and make the variance
of the noise uneven, so that both directions look alike. Hence the column is fitted with and without
ranks, and the densities are compared: with z = g(y) the normal quantiles of the ranks, log p(y |
parents) = log p(z | parents) + log g'(y), and the average of log g'(y) over the rows is the
negentropy of y. Both densities include the negentropy of their residuals.

For normal noise only: with free noise the search itself compares both units, fit by fit
(`scoredag.order.local_scores.free`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.data.margins import normal_scores
from scoredag.data.standardise import standardise
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.order.residual_diagnostics import ResidualDiagnostics
from scoredag.regression.negentropy import negentropy
from scoredag.threads import one_blas_thread

Floats = NDArray[np.float64]


def better_by_rank(
    X: Floats,
    heavy: NDArray[np.bool_],
    *,
    rows: int = 400,
    rng: np.random.Generator | None = None,
) -> NDArray[np.bool_]:
    """Find the columns with heavy tails that are more likely, given all others, by their ranks.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table.
    heavy : ndarray of bool, shape (d,)
        The columns in question, as from `scoredag.data.margins.heavy_tailed`.
    rows : int, default=400
        Rows drawn for each column. Its smallest and its largest value are always among them.
    rng : numpy.random.Generator, optional
        Draws the rows; a fixed seed by default.

    Returns
    -------
    ndarray of bool, shape (d,)
        True for columns to transform; False for columns without heavy tails.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 200))
    >>> cube, lognormal = x**3 + 0.5 * e, np.exp(2 * np.sin(x) + e)
    >>> better_by_rank(np.column_stack([x, cube]), np.array([False, True]))
    array([False, False])
    >>> better_by_rank(np.column_stack([x, lognormal]), np.array([False, True]))
    array([False,  True])
    """
    by_rank = heavy.copy()
    if not heavy.any():
        return by_rank
    drawn = (rng or np.random.default_rng(0)).permutation(len(X))[:rows]
    with one_blas_thread():
        for column in np.flatnonzero(heavy).tolist():
            extremes = X[:, column].argmin(), X[:, column].argmax()
            by_rank[column] = _is_better(X[np.union1d(drawn, extremes)], column, heavy)
    return by_rank


def _ranked_and_raw(X: Floats, column: int, heavy: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The table with one column by rank and raw; all other columns with heavy tails by rank.

    Predictors may have any units: only the units of the column itself change its density.
    """
    ranked = X.copy()
    ranked[:, heavy] = normal_scores(X[:, heavy])
    raw = ranked.copy()
    raw[:, column] = X[:, column]
    return ranked, raw


def _is_better(X: Floats, column: int, heavy: NDArray[np.bool_]) -> bool:
    ranked, raw = _ranked_and_raw(X, column, heavy)
    gained = len(X) * negentropy(standardise(X[:, column]))  # rounded: equal values stay equal
    loss_ranked, gain_ranked = _loss_and_negentropy(ranked, column)
    loss_raw, gain_raw = _loss_and_negentropy(raw, column)
    if not np.isfinite([gain_ranked, gain_raw]).all():  # equal values have no density
        gain_ranked = gain_raw = 0.0
    return loss_ranked - gain_ranked - gained <= loss_raw - gain_raw


def _loss_and_negentropy(X: Floats, column: int) -> tuple[float, float]:
    """Loss of the best fit of a column by all others, and the negentropy of its residuals."""
    others = set(range(X.shape[1])) - {column}
    score = GaussianProcessScore(X)
    score.explore(column, others)
    best = score.best(column, others)
    return best.loss, ResidualDiagnostics(score).negentropy(column, best)
