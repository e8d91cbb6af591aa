"""The scale of the noise as a function of the parents: log g(pa), a sum of smooth functions.

In y = f(pa) + g(pa) e the squared standardised residuals s_i = r_i^2 have the mean g_i^2. With
log g^2 = m + F theta, F spline features of the parents, and theta ~ N(0, v I), the penalised loss

    1/2 sum_i (eta_i + s_i exp(-eta_i)) + |theta|^2 / 2v,    eta = m + F theta,

is minimised by Fisher scoring, whose information 1/2 F'F is constant; v maximises Laplace's
approximation of the evidence. v = 0 is noise of constant scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.bases.cubic import cubic
from scoredag.regression.basis import orthonormalise
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]

_MOST_STEPS = 25  # of Fisher scoring; five to ten are usual
_TOLERANCE = 1e-2  # nats that a step must gain
_SHORTEST_STEP = 1e-6  # share of a full step
_FLOOR = 1e-10  # smallest squared residual, relative to the mean


class LogScale(NamedTuple):
    """Logarithms of the variances of the noise.

    Attributes
    ----------
    log_variance : ndarray of shape (n,)
        log g^2 of each row, less its mean; zeros for noise of constant scale.
    cost : float
        What the freedom of g costs in nats: Occam's factor and the prior.
    gain : float
        Log Bayes factor in nats against noise of constant scale, the cost subtracted.
    """

    log_variance: Floats
    cost: float
    gain: float


def scale_features(x: Floats, settings: SearchSettings = SEARCH) -> Floats:
    """Smooth functions of a column for `fit_log_scale`: centred, with falling prior variances.

    A straight line of variance 1 and natural cubic splines of total variance 1. Empty for a
    constant column.

    Examples
    --------
    >>> scale_features(np.linspace(-1, 1, 50)).shape
    (50, 6)
    """
    if not np.ptp(x) > 0:
        return np.zeros((len(x), 0))
    raw = cubic(x, settings.scale_size)
    values = raw.evaluate(x)
    centred = values - values.mean(axis=0)
    basis = orthonormalise(raw, centred.T @ centred, values.mean(axis=0))
    variances = 1.0 / np.append(1.0, np.maximum(basis.penalty[1:], 1.0))
    variances[1:] /= max(float(variances[1:].sum()), np.finfo(float).tiny)
    return basis.columns(x) * np.sqrt(len(x) * variances)


def fit_log_scale(
    features: Sequence[Floats], squares: Floats, settings: SearchSettings = SEARCH
) -> LogScale:
    """Fit the logarithm of the variance of residuals to features of the parents.

    Parameters
    ----------
    features : sequence of ndarray of shape (n, q)
        `scale_features` of each parent.
    squares : ndarray of shape (n,)
        Squared residuals, in any unit.
    settings : SearchSettings
        Prior variances that are tried.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 500))
    >>> constant = fit_log_scale([scale_features(x)], e**2)
    >>> varying = fit_log_scale([scale_features(x)], (np.exp(0.5 * x) * e) ** 2)
    >>> constant.gain < 3 < varying.gain, bool(np.corrcoef(varying.log_variance, x)[0, 1] > 0.95)
    (True, True)
    """
    n = len(squares)
    s = np.maximum(squares / squares.mean(), _FLOOR)
    constant = LogScale(np.zeros(n), 0.0, 0.0)
    F = np.hstack([np.zeros((n, 0)), *features])
    if not F.shape[1]:
        return constant
    information, axes = np.linalg.eigh(0.5 * F.T @ F)
    F = F @ axes  # now F'F is diagonal
    best, theta = constant, np.zeros(F.shape[1])
    for variance in settings.scale_variances:  # from smooth to rough, each from the one before
        theta, eta, loss = _score(F, s, theta, information, variance)
        prior = 0.5 * float(theta @ theta) / variance
        cost = prior + 0.5 * float(np.log1p(variance * np.maximum(information, 0.0)).sum())
        # Quasi-likelihood: squares of heavy-tailed residuals vary more than those of normal ones,
        # whose variance is 2, and show less.
        dispersion = max(1.0, 0.5 * float(np.var(s * np.exp(-eta))))
        gain = (0.5 * n - loss) / dispersion - cost  # the loss of a constant scale is n/2
        if gain > best.gain:
            best = LogScale(eta - eta.mean(), cost, gain)
        elif best.gain > 0 and gain < best.gain - settings.scale_worse:
            break
    return best


def _score(
    F: Floats, s: Floats, theta: Floats, information: Floats, variance: float
) -> tuple[Floats, Floats, float]:
    """Fisher scoring; returns theta, eta = log variances, and the loss without the prior.

    The level m is profiled out: exp(m) = mean of s exp(-F theta).
    """

    def state(theta: Floats) -> tuple[float, Floats, float]:
        shape = F @ theta
        shape += np.log(np.mean(s * np.exp(-shape)))
        loss = 0.5 * float(shape.sum()) + 0.5 * len(s)
        return loss + 0.5 * float(theta @ theta) / variance, shape, loss

    total, eta, loss = state(theta)
    for _ in range(_MOST_STEPS):
        slope = 0.5 * F.T @ (1.0 - s * np.exp(-eta)) + theta / variance
        step, length = slope / (np.maximum(information, 0.0) + 1.0 / variance), 1.0
        new = state(theta - step)
        while not new[0] <= total and length > _SHORTEST_STEP:
            length /= 2
            new = state(theta - length * step)
        if not new[0] <= total:
            break
        theta, gained = theta - length * step, total - new[0]
        total, eta, loss = new
        if gained < _TOLERANCE:
            break
    return theta, eta, loss
