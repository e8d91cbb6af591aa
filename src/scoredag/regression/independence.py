"""Test of independence against any kind of dependence: the Hilbert-Schmidt criterion (HSIC).

Gretton et al., A kernel statistical test of independence, NIPS 2007: with centred kernel matrices
K and L of n rows, n HSIC = sum(K * L) / n is about gamma-distributed if the columns are
independent, with a mean and a variance that follow from the kernels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.data.margins import normal_scores
from scoredag.settings import SEARCH

Floats = NDArray[np.float64]

_FEWEST_ROWS = 6  # the variance under independence divides by (n - 4)(n - 5)


def independence_p_value(x: Floats, y: Floats) -> float:
    """p-value of the hypothesis that two columns are independent.

    Both columns are rank-transformed, so that outliers do not dominate. Only the first 500 rows are
    used; with fewer than 6 rows the p-value is 1.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> independence_p_value(x, e) > 0.05, independence_p_value(x, x * e) < 1e-3
    (True, True)
    """
    return independence_p_values(x[:, None], y)[0]


def independence_p_values(X: Floats, y: Floats) -> list[float]:
    """`independence_p_value` of each column of X and y, whose kernel is computed once.

    NaN where y is not finite, as the residuals of a failed fit are.
    """
    rows = slice(SEARCH.diagnostic_rows)
    if not np.isfinite(y).all():
        return [np.nan] * X.shape[1]
    if len(y) < _FEWEST_ROWS:
        return [1.0] * X.shape[1]
    other = _CentredKernel.of(y[rows])
    return [_p_value(_CentredKernel.of(x[rows]), other) for x in X.T]


class _CentredKernel(NamedTuple):
    """A centred Gaussian kernel between the rows of a column, and its mean before centring."""

    matrix: Floats
    mean: float  # without the diagonal

    @classmethod
    def of(cls, values: Floats) -> _CentredKernel:
        scores, n = normal_scores(values[:, None]), len(values)
        K = np.exp(-0.5 * (scores - scores.T) ** 2)
        means = K.mean(axis=0)
        mean = float(K.sum() - n) / (n * (n - 1))  # the diagonal is 1
        K += means.mean() - means - means[:, None]
        return cls(K, mean)


def _p_value(first: _CentredKernel, second: _CentredKernel) -> float:
    products = first.matrix * second.matrix
    n = len(products)
    statistic = float(products.sum()) / n
    diagonal = products.diagonal()
    variance = float(np.vdot(products, products) - diagonal @ diagonal) / 36 / (n * (n - 1))
    variance *= 72 * (n - 4) * (n - 5) / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (1 - first.mean) * (1 - second.mean) / n
    if not (mean > 0 and variance > 0):  # a constant column is independent of all others
        return 1.0
    return float(stats.gamma.sf(statistic, mean**2 / variance, scale=n * variance / mean))
