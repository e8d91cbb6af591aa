"""Tests of whether rows that are close to each other are alike, as in a time series.

Docs: ``docs/decisions/0008-rows.md``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.data.margins import normal_scores

Floats = NDArray[np.float64]

# Probability that a table of independent rows is named, divided by its columns and by two tests.
LEVEL = 0.002
FEWEST_ROWS = 40
# Weaker dependence is significant in large tables, but hardly changes any evidence.
LEAST_CORRELATION = 0.1
LEAST_VARIANCE_RATIO = 2.0
# Expected number of neighbouring rows that both hold a rare value; below it, the number is not
# normal, and a single such pair would name the table.
FEWEST_RARE_PAIRS = 10.0
BLOCK = 20  # rows in which a column is a quadratic function of the columns that sort the table


def serially_dependent(X: Floats) -> NDArray[np.bool_]:
    """Tell which columns depend on the order of the rows.

    Two tests of each column's normal scores: the correlation between consecutive rows, as in
    Bartels' rank version of von Neumann's ratio, and the variance of the means of sqrt(n)
    consecutive rows, which sees slow drifts and batches below much noise. Negative correlation
    is not looked for.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        No constant columns. With fewer than 40 rows no column is named.

    References
    ----------
    R. Bartels. The rank version of von Neumann's ratio test for randomness. Journal of the
    American Statistical Association 77:40, 1982.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> X[:, 1] = X[:, 1].cumsum()
    >>> serially_dependent(X)
    array([False,  True])
    """
    n, d = X.shape
    if n < FEWEST_ROWS:
        return np.zeros(d, dtype=bool)
    Z = normal_scores(X)
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    level = LEVEL / (2 * d)
    correlation = (Z[1:] * Z[:-1]).mean(axis=0)
    alike = (correlation > LEAST_CORRELATION) & (_p_value(correlation, n) < level)
    length = int(np.sqrt(n))
    blocks = n // length
    means = Z[: blocks * length].reshape(blocks, length, d).mean(axis=1)
    ratio = length * means.var(axis=0, ddof=1)
    drifts = stats.chi2.sf((blocks - 1) * ratio, blocks - 1) < level
    return (alike | (drifts & (ratio > LEAST_VARIANCE_RATIO))) & _varied(X)


def sort_keys(X: Floats) -> list[int]:
    """Find the columns by which the rows are sorted, the first key first.

    A further key is sorted among rows that agree in the keys before it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.column_stack([rng.normal(size=90), rng.normal(size=90), rng.integers(0, 3, 90)])
    >>> sort_keys(X)
    []
    >>> sort_keys(X[np.lexsort([X[:, 1], X[:, 2]])])
    [2, 1]
    """
    steps = np.diff(X, axis=0)
    varied = _varied(X) if len(X) >= FEWEST_ROWS else np.zeros(X.shape[1], dtype=bool)
    tied = np.ones(len(steps), dtype=bool)  # pairs of rows that agree in all keys so far
    keys: list[int] = []
    while True:
        inside = steps[tied]
        monotone = (inside >= 0).all(axis=0) | (inside <= 0).all(axis=0)
        if keys:  # of few steps all may have the same sign by chance
            monotone &= (inside != 0).sum(axis=0) >= BLOCK
        found = [j for j in np.flatnonzero(monotone & varied).tolist() if j not in keys]
        if not found:
            return keys
        keys += found if not keys else found[:1]
        tied &= (steps[:, keys] == 0).all(axis=1)


def dependent_given(X: Floats, keys: list[int]) -> NDArray[np.bool_]:
    """Tell which columns of a sorted table depend on the order of rows beyond the sort keys.

    A column that follows a sort key smoothly has neighbours that are alike. So in each block of 20
    rows, a quadratic function of the keys is subtracted, and the correlation between consecutive
    residuals is compared with its expectation for independent noise.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        The table in its order.
    keys : list of int
        What `sort_keys` returns.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.sort(rng.normal(size=400))
    >>> noise, steps = rng.normal(size=(2, 400))
    >>> dependent_given(np.column_stack([x, np.sin(x) + 0.3 * noise, steps.cumsum()]), [0])
    array([False, False,  True])
    """
    n, d = X.shape
    blocks = n // BLOCK
    if n < 2 * FEWEST_ROWS:
        return np.zeros(d, dtype=bool)
    inside = X[: blocks * BLOCK].reshape(blocks, BLOCK, d)
    by_key = inside[:, :, keys] - inside[:, :, keys].mean(axis=1, keepdims=True)
    by_key = by_key / np.maximum(abs(by_key).max(axis=1, keepdims=True), np.finfo(float).tiny)
    design = np.concatenate([np.ones((blocks, BLOCK, 1)), by_key, by_key**2], axis=2)
    # The residual maker I - H of each block; tied keys leave columns without information.
    maker = np.eye(BLOCK) - design @ np.linalg.pinv(design, rcond=1e-9)
    residual = maker @ inside
    squares = (residual**2).sum(axis=1)
    tiny = 1e-18 * (inside**2).sum(axis=1) + np.finfo(float).tiny  # nothing but rounding is left
    products = (residual[:, 1:] * residual[:, :-1]).sum(axis=1)
    freedom = np.trace(maker, axis1=1, axis2=2)
    expected = np.trace(maker[:, 1:, :-1], axis1=1, axis2=2) / np.maximum(freedom, 1)
    usable = squares > tiny
    excess = np.where(usable, products / np.maximum(squares, tiny) - expected[:, None], 0.0)
    count = np.maximum(usable.sum(axis=0), 1)
    correlation = excess.sum(axis=0) / count
    remains = (correlation > LEAST_CORRELATION) & (
        _p_value(correlation, count * BLOCK) < LEVEL / (2 * d)
    )
    remains[keys] = False
    return remains & _varied(X)


def evenly_spaced(column: Floats) -> bool:
    """Tell whether a column rises or falls by the same step from row to row.

    Examples
    --------
    >>> evenly_spaced(np.linspace(2000, 2010, 121)), evenly_spaced(np.array([1.0, 2.0, 4.0]))
    (True, False)
    """
    steps = np.diff(column)
    rounding = 4 * np.finfo(np.float64).eps * abs(column).max() + 1e-6 * abs(steps.mean())
    return bool(steps.mean() != 0 and (abs(steps - steps.mean()) <= rounding).all())


def _p_value(correlation: Floats, n: int | NDArray[np.intp]) -> Floats:
    """One-sided, of a correlation between consecutive rows with expectation -1/n if in no order."""
    return np.asarray(stats.norm.sf((correlation + 1 / n) * np.sqrt(n)))


def _varied(X: Floats) -> NDArray[np.bool_]:
    """Columns with enough rows off their most common value for tests of their order."""
    most_common = [np.unique(column, return_counts=True)[1].max() for column in X.T]
    return (len(X) - np.array(most_common)) ** 2 >= FEWEST_RARE_PAIRS * len(X)
