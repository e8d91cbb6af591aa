"""Linear functions of the parents, with noise of any scale, on the scale of `gp_evidence`.

With rows divided by the standard deviations of their noise, weighted least squares and Schwarz's
approximation of the evidence,

    L = n/2 log(q / n) + 1/2 sum log(variance of the noise) + p/2 log n,

with the sum q of squared residuals of p slopes. Unlike a Gaussian process that comes close to a
line, L does not depend on the direction of a line with normal noise: graphs that imply the same
independences have the same evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.additive import most_terms
from scoredag.regression.gp_evidence import LeaveOneOut
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.linear_evidence import eliminate_parents, regression_slopes
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]

_LEAST_FREE = 1e-9  # of a row that decides a slope alone


def leave_one_out_line(X: Floats, y: Floats, log_variance: Floats | None = None) -> LeaveOneOut:
    """Terms of the evidence and standardised leave-one-out residuals of a linear function.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        The predictors, of mean 0.
    y : ndarray of shape (n,)
        The response, of mean 0.
    log_variance : ndarray of shape (n,), optional
        Logarithms of the variances of the noise: see `scoredag.regression.gp_evidence`.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.regression.gp_evidence import profiled
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 200))
    >>> found = leave_one_out_line(x[:, None], (x + e) / np.sqrt(2))
    >>> round(profiled([found.terms])), round(found.share, 3)
    (-61, 0.995)
    """
    n, p = X.shape
    half = np.zeros(n) if log_variance is None else 0.5 * log_variance
    y = y * np.exp(-half)
    Q = np.linalg.qr(np.exp(-half)[:, None] * X)[0]
    rest = y - Q @ (Q.T @ y)
    free = np.maximum(1.0 - np.einsum("ij,ij->i", Q, Q), _LEAST_FREE)  # one minus the leverage
    terms = n, float(rest @ rest), float(half.sum() + 0.5 * p * np.log(n))
    return LeaveOneOut(terms, rest / np.sqrt(free), float(free.mean()))


def fit_line(
    correlation: Floats,
    n_rows: int,
    target: int,
    candidates: Sequence[int],
    d: int,
    settings: SearchSettings = SEARCH,
) -> GPFit:
    """Choose the parents of a linear function by backward elimination, with normal noise.

    Parameters
    ----------
    correlation : ndarray
        Correlations of the columns, of which the first d may be parents.
    n_rows : int
        Number of rows from which the correlations were computed.
    target : int
        The response.
    candidates : sequence of int
        The columns that may be parents.
    d : int
        Number of relevances of the fit.
    settings : SearchSettings
        Cost of a parent.

    Returns
    -------
    GPFit
        A linear fit; its loss is not computed. Its hyper-parameters are those of a Gaussian process
        that comes close to the line.

    Examples
    --------
    >>> import numpy as np
    >>> correlation = np.array([[1.0, 0.0, 0.8], [0.0, 1.0, 0.0], [0.8, 0.0, 1.0]])
    >>> fit = fit_line(correlation, 100, 2, [0, 1], 3)
    >>> sorted(fit.parents), fit.linear
    ([0], True)
    """
    strongest = np.argsort(-np.abs(correlation[candidates, target]), kind="stable")
    tested = [candidates[k] for k in strongest[: most_terms(n_rows)]]
    least = settings.parent_cost + 0.5 * np.log(n_rows)
    parents = eliminate_parents(correlation, n_rows, target, tested, least)
    if not parents:
        return GPFit.null(d)
    slopes, rest = regression_slopes(correlation, target, parents)
    relevances = np.zeros(d)  # such that the variances of the slopes a priori are their squares
    relevances[parents] = np.abs(slopes) * np.exp(-0.5 * settings.line_log_amplitude) / rest**0.5
    return GPFit(frozenset(parents), 0.0, settings.line_log_amplitude, relevances, linear=True)
