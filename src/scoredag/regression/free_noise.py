"""The noise of a column given its parents: x = f(pa) + g(pa) e, with any scale g and density of e.

f is a Gaussian process with given hyper-parameters, log g a sum of smooth functions
(`scoredag.regression.log_scale`), and the density of e has the normal one as its limit
(`scoredag.regression.log_density`). Their complexity penalties are included, and both are used
only if they lower the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.gp_evidence import JointEvidence, LeaveOneOut, profiled
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.lines import leave_one_out_line
from scoredag.regression.log_density import log_density
from scoredag.regression.log_scale import fit_log_scale
from scoredag.regression.ties import spread_ties
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise of a column under a fit.

    Attributes
    ----------
    loss : float
        Negative log evidence of the column in nats, scale and density of the noise included.
    residuals : ndarray of shape (n,)
        Standardised residuals e.
    variance : float
        Geometric mean of the variance of the noise, in units of the column's.
    log_variance : ndarray of shape (n,)
        log g^2 of each row, with mean 0; zeros for noise of constant scale.
    density_gain : float
        Nats by which the density of the residuals is likelier than a normal one.
    """

    loss: float
    residuals: Floats
    variance: float
    log_variance: Floats
    density_gain: float


def fit_noise(
    blocks: Sequence[Floats],
    node: int,
    fit: GPFit,
    features: Sequence[Floats],
    settings: SearchSettings = SEARCH,
) -> Noise:
    """Estimate scale and density of the noise of a column under a fit.

    The residuals of f with noise of constant scale show log g, f given g has other residuals, and
    so on; of all that were tried the likeliest is returned. A column without a density (few
    distinct values, or many equal ones) has normal noise of constant scale: its residuals are
    distinct, but their density would be that of f.

    Parameters
    ----------
    blocks : sequence of ndarray of shape (n_k, d)
        Rows of a standardised table; each block has a function f of its own.
    node : int
        The column.
    fit : GPFit
        Hyper-parameters of f, and the parents.
    features : sequence of ndarray of shape (n, q)
        `scale_features` of each parent, over the rows of all blocks.
    settings : SearchSettings
        Tuned numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.regression.log_scale import scale_features
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> y = np.exp(x) * e  # the mean of y does not depend on x
    >>> X = np.column_stack([x, y / y.std()])
    >>> fit = GPFit(frozenset({0}), 0.0, 0.0, np.zeros(2), scale_parents=frozenset({0}))
    >>> noise = fit_noise([X], 1, fit, [scale_features(x)])
    >>> bool(np.corrcoef(noise.log_variance, x)[0, 1] > 0.95), bool(noise.loss < -50)
    (True, True)
    """
    n = sum(len(X) for X in blocks)
    column = np.concatenate([X[:, node] for X in blocks])
    if spread_ties(column, settings) is None:
        return _noise_given(blocks, node, fit, np.zeros(n), 0.0, settings, normal=True)
    best = current = _noise_given(blocks, node, fit, np.zeros(n), 0.0, settings)
    for _ in range(settings.scale_rounds):
        if not np.isfinite(current.loss):
            break
        squares = current.residuals**2 * np.exp(current.log_variance)
        scale = fit_log_scale(features, squares, settings)
        if not scale.gain > settings.scale_least_gain:
            break
        current = _noise_given(blocks, node, fit, scale.log_variance, scale.cost, settings)
        best = min(best, current, key=lambda noise: noise.loss)
    return best


def normal_loss(X: Floats, node: int, fit: GPFit, settings: SearchSettings = SEARCH) -> float:
    """Negative log evidence of a column under a fit with normal noise of constant scale.

    Examples
    --------
    >>> normal_loss(np.zeros((100, 2)) + [[0.0, 1.0]], 1, GPFit.null(2))
    0.0
    """
    parents, y = sorted(fit.mean_parents), X[:, node]
    if fit.linear or not parents:
        return profiled([_leave_one_out(X, node, fit, np.zeros(len(y)), settings).terms])
    evidence = JointEvidence(X[:, parents], y, mixed=True, settings=settings)
    return evidence.value(fit.log_amplitude, fit.relevances[parents])


def _noise_given(
    blocks: Sequence[Floats],
    node: int,
    fit: GPFit,
    log_variance: Floats,
    cost: float,
    settings: SearchSettings,
    normal: bool = False,
) -> Noise:
    """The noise of a column with a given scale, which costs some nats."""
    ends = np.cumsum([len(X) for X in blocks])[:-1]
    parts = [
        _leave_one_out(X, node, fit, w, settings)
        for X, w in zip(blocks, np.split(log_variance, ends), strict=True)
    ]
    loss = profiled(part.terms for part in parts)
    e = np.concatenate([part.residuals for part in parts])
    variance = sum(part.terms[1] for part in parts) / len(e)
    if not np.isfinite(loss):
        return Noise(np.inf, e, variance, log_variance, 0.0)
    e /= np.sqrt(variance)
    if normal:
        return Noise(loss + cost, e, variance, log_variance, 0.0)
    # Residuals have as many degrees of freedom as the function leaves them.
    share = float(np.mean([part.share for part in parts]))
    gain = share * log_density((e - e.mean()) / e.std(), settings).gain
    return Noise(loss + cost - gain, e, variance, log_variance, gain)


def _leave_one_out(
    X: Floats, node: int, fit: GPFit, log_variance: Floats, settings: SearchSettings
) -> LeaveOneOut:
    parents, y = sorted(fit.mean_parents), X[:, node]
    if fit.linear:
        return leave_one_out_line(X[:, parents], y, log_variance)
    if parents:
        # Rounding errors of single precision would hide that residuals of rounded values are equal.
        mixed = len(np.unique(y)) > 0.5 * len(y)
        evidence = JointEvidence(X[:, parents], y, log_variance, mixed=mixed, settings=settings)
        return evidence.leave_one_out(fit.log_amplitude, fit.relevances[parents])
    e = y * np.exp(-0.5 * log_variance)  # the mean is constant
    return LeaveOneOut((len(y), float(e @ e), 0.5 * float(log_variance.sum())), e, 1.0)
