"""Whether two columns are independent, by any kind of dependence: the Hilbert-Schmidt criterion.

Gretton et al., A kernel statistical test of independence, NIPS 2007: with centred kernel matrices
K and L of n rows, n HSIC = sum(K * L) / n is about gamma-distributed if the columns are
independent, with the mean and the variance that the kernels have then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.data.margins import normal_scores

Floats = NDArray[np.float64]

_FEWEST_ROWS, _MOST_ROWS = 6, 500


def independence_p_value(x: Floats, y: Floats) -> float:
    """p-value of the hypothesis that two columns are independent.

    Both enter by the normal quantiles of their ranks, so that outliers do not decide. Of more than
    500 rows the first 500 do; fewer than 6 tell nothing.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> independence_p_value(x, e) > 0.05, independence_p_value(x, x * e) < 1e-3
    (True, True)
    """
    n = min(len(x), _MOST_ROWS)
    if n < _FEWEST_ROWS:
        return 1.0
    K, L = (_kernel(values[:n]) for values in (x, y))
    centred = [M - M.mean(axis=0) - M.mean(axis=1)[:, None] + M.mean() for M in (K, L)]
    statistic = float((centred[0] * centred[1]).sum()) / n
    products = (centred[0] * centred[1] / 6) ** 2
    np.fill_diagonal(products, 0.0)
    variance = float(products.sum()) / (n * (n - 1))
    variance *= 72 * (n - 4) * (n - 5) / (n * (n - 1) * (n - 2) * (n - 3))
    means = [float(M.sum() - n) / (n * (n - 1)) for M in (K, L)]  # the diagonals are 1
    mean = (1 - means[0]) * (1 - means[1]) / n
    if not (mean > 0 and variance > 0):  # a column that is constant depends on nothing
        return 1.0
    return float(stats.gamma.sf(statistic, mean**2 / variance, scale=n * variance / mean))


def _kernel(values: Floats) -> Floats:
    scores = normal_scores(values[:, None])
    return np.asarray(np.exp(-0.5 * (scores - scores.T) ** 2))
