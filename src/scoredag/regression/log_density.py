"""The density of standardised residuals: a smooth log density with the normal one as its limit.

Maximum penalised likelihood with a penalty on the third derivative of the log density (Silverman,
Annals of Statistics 10:795, 1982). Where the penalty grows without bound the log density becomes
quadratic, which is the normal density, on a half-line or an interval the exponential, the uniform
and the truncated normal density as well. The density is piecewise constant on bins: with counts c,
expected counts exp(eta) and D the third differences,

    penalised loss = sum exp(eta) - c'eta + lambda/2 |D eta|^2    (Eilers and Marx, 1996)

is a banded problem, and lambda maximises Laplace's approximation of the marginal likelihood, so
that the gain over the normal density is a log Bayes factor in nats, complexity penalty included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from scoredag.data.margins import NORMAL_QUARTILES
from scoredag.regression.ties import spread_ties
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]

_HALF_LOG_TWO_PI = 0.5 * float(np.log(2 * np.pi))
_MOST_STEPS = 30  # of Newton's method; three to five are usual
_TOLERANCE = 1e-3  # nats that a step must gain
_SHORTEST_STEP = 1e-6  # share of Newton's step
_WORSE = 5.0  # nats below the best at which rougher densities are not tried


@dataclass(frozen=True)
class LogDensity:
    """A density of values with mean 0 and variance 1.

    Attributes
    ----------
    gain : float
        Log Bayes factor in nats, summed over the values, of this density against the normal one; 0
        for the normal density itself.
    edges : ndarray of shape (B + 1,)
        Limits of the bins, on the scale of `compress`, in standard deviations or, with heavy tails,
        in robust units; empty for the normal density.
    log_heights : ndarray of shape (B,)
        Log density of each bin on that scale.
    """

    gain: float
    edges: Floats
    log_heights: Floats


NORMAL = LogDensity(0.0, np.zeros(0), np.zeros(0))


def log_density(values: Floats, settings: SearchSettings = SEARCH) -> LogDensity:
    """Estimate the density of a sample with mean 0 and variance 1.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Standardised residuals. Equal values count as spread over one rounding step.
    settings : SearchSettings
        Number of bins and smoothing parameters.

    Returns
    -------
    LogDensity
        The normal density where no other is more likely, and where there is no density: many equal
        values among distinct ones, or fewer distinct values than bins need.

    Notes
    -----
    A sharp end of the support (uniform, exponential) is tried where values are dense near an
    extreme. An end that is estimated converges like 1/n, so it costs log n nats and not half of
    that (Rissanen, 1996).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> samples = rng.normal(size=1000), rng.uniform(size=1000), rng.exponential(size=1000)
    >>> [round(log_density((x - x.mean()) / x.std()).gain, -1) for x in samples]
    [0.0, 190.0, 410.0]
    """
    n = len(values)
    if n < settings.fewest_rows or not np.isfinite(values).all():
        return NORMAL
    spread = spread_ties(values, settings)
    if spread is None:
        return NORMAL
    centre, unit = _centre_and_unit(spread, settings)
    scaled = (spread - centre) / unit
    places, log_slopes = compress(scaled, settings.density_tail)
    jacobian = float(log_slopes.sum()) - n * np.log(unit)
    normal = -n * _HALF_LOG_TWO_PI - 0.5 * float(spread @ spread)
    best = NORMAL
    for support in _supports(scaled, places, settings):
        edges = np.linspace(support.low, support.high, settings.density_bins + 1)
        counts = np.histogram(places, edges)[0].astype(np.float64)
        eta, evidence = _smooth(counts, edges, settings.density_smoothing)
        width = edges[1] - edges[0]
        gain = evidence - n * np.log(n * width) + jacobian - normal
        gain -= support.sharp_ends * np.log(n)
        if gain > best.gain:
            best = LogDensity(float(gain), edges, eta - np.log(n * width))
    return best


def _centre_and_unit(spread: Floats, settings: SearchSettings) -> tuple[float, float]:
    """Centre and unit of the bins: mean and standard deviation, or median and quartiles.

    A few far values make the standard deviation so large, and move the mean so far, that all other
    values share a few bins. Quartiles are taken where they are much closer together.
    """
    first, median, third = np.quantile(spread, [0.25, 0.5, 0.75]).tolist()
    robust = (third - first) / NORMAL_QUARTILES
    return (median, robust) if 0 < robust < settings.density_robust_below else (0.0, 1.0)


def compress(values: Floats, tail: float) -> tuple[Floats, Floats]:
    """Map values to a scale on which tails are short, and the log derivative of the map.

    The identity up to ``tail`` standard deviations, and logarithmic beyond.

    Examples
    --------
    >>> compress(np.array([-1.0, 3.0, 20.0]), 3.0)[0].round(1).tolist()
    [-1.0, 3.0, 5.9]
    """
    beyond = np.maximum(np.abs(values) - tail, 0.0)
    log_slopes = -np.log1p(beyond)
    return np.clip(values, -tail, tail) - np.sign(values) * log_slopes, log_slopes


class _Support(NamedTuple):
    """An interval on the compressed scale, and how many of its ends are sharp."""

    low: float
    high: float
    sharp_ends: int


def _supports(spread: Floats, places: Floats, settings: SearchSettings) -> list[_Support]:
    """The whole line, and the interval with sharp ends where values are dense at an extreme."""
    n = len(spread)
    near = max(5, round(0.5 * n**0.5))  # values that show the density at an extreme
    gaps = (spread[near] - spread[0]) / near, (spread[-1] - spread[-1 - near]) / near
    low, high = float(places[0]), float(places[-1])
    margin = settings.density_margin
    supports = [_Support(low - margin, high + margin, 0)]
    sharp = [n * gap * settings.density_at_end < 1.0 for gap in gaps]
    if any(sharp):
        # The expected distance from the extreme of n values to the end is one gap.
        ends = [gap if is_sharp else margin for gap, is_sharp in zip(gaps, sharp, strict=True)]
        supports.append(_Support(low - ends[0], high + ends[1], sum(sharp)))
    return supports


def _smooth(counts: Floats, edges: Floats, smoothing: tuple[float, ...]) -> tuple[Floats, float]:
    """Smooth log counts, and the Poisson log evidence (less constants) of the best smoothing.

    The prior of eta is improper in the quadratics. Its evidence is normalised such that the limit
    of an infinite penalty is the likelihood of the quadratic fit.
    """
    n_bins = len(counts)
    penalty, log_determinant, quadratics = _third_differences(n_bins)
    eta = _quadratic_fit(counts, quadratics)
    expected = np.exp(eta)
    best_eta, best = eta, _log_likelihood(counts, eta)  # the limit of an infinite penalty
    limit = 0.5 * np.linalg.slogdet(quadratics.T @ (expected[:, None] * quadratics))[1]
    for unscaled in smoothing:  # from smooth to rough, each from the one before
        weight = unscaled / (edges[1] - edges[0]) ** 5  # third derivatives, integrated
        eta, roughness, log_curvature = _newton(counts, eta, weight * penalty)
        if not np.isfinite(log_curvature):  # the factorisation failed
            break
        occam = 0.5 * ((n_bins - 3) * np.log(weight) + log_determinant - log_curvature)
        evidence = _log_likelihood(counts, eta) - 0.5 * roughness + occam + limit
        if evidence > best:
            best_eta, best = eta, evidence
        elif evidence < best - _WORSE:
            break
    return best_eta, best


def _log_likelihood(counts: Floats, eta: Floats) -> float:
    """Log likelihood of the rows, up to a constant; Poisson's normalisation makes it exact."""
    with np.errstate(over="ignore"):
        return float(counts @ eta - np.exp(eta).sum() + counts.sum())


def _newton(counts: Floats, eta: Floats, penalty: Floats) -> tuple[Floats, float, float]:
    """Minimise the penalised loss; return eta, the penalty there and log |Hessian|."""

    def state(eta: Floats) -> tuple[float, Floats, Floats, float]:
        rough = _banded_product(penalty, eta)
        with np.errstate(over="ignore"):  # then the step is halved
            roughness, expected = float(eta @ rough), np.exp(eta)
        return float(expected.sum() - counts @ eta + 0.5 * roughness), rough, expected, roughness

    loss, rough, expected, roughness = state(eta)
    for _ in range(_MOST_STEPS):
        hessian = penalty.copy()
        hessian[0] += expected
        factor, info = lapack.dpbtrf(hessian, lower=1)
        if info != 0:
            break
        step, _ = lapack.dpbtrs(factor, expected - counts + rough, lower=1)
        length = 1.0
        new = state(eta - step)
        while not new[0] <= loss and length > _SHORTEST_STEP:
            length /= 2
            new = state(eta - length * step)
        if not new[0] <= loss:
            break
        eta, gained = eta - length * step, loss - new[0]
        loss, rough, expected, roughness = new
        if gained < _TOLERANCE:
            break
    hessian = penalty.copy()
    hessian[0] += expected
    factor, info = lapack.dpbtrf(hessian, lower=1)
    return eta, roughness, 2.0 * float(np.log(factor[0]).sum()) if info == 0 else np.nan


def _quadratic_fit(counts: Floats, quadratics: Floats) -> Floats:
    """Log counts of the normal density, truncated to the bins, by maximum likelihood."""
    place = np.arange(len(counts), dtype=np.float64)
    mean = float(counts @ place) / counts.sum()
    variance = float(counts @ (place - mean) ** 2) / counts.sum()
    eta = -0.5 * (place - mean) ** 2 / variance
    eta += np.log(counts.sum() / np.exp(eta).sum())
    loss = -_log_likelihood(counts, eta)
    for _ in range(_MOST_STEPS):
        expected = np.exp(eta)
        slope = quadratics.T @ (expected - counts)
        step = quadratics @ np.linalg.solve(quadratics.T @ (expected[:, None] * quadratics), slope)
        length = 1.0
        while (
            not (new := -_log_likelihood(counts, eta - length * step)) <= loss
            and length > _SHORTEST_STEP
        ):
            length /= 2
        if not new <= loss:
            break
        eta, gained, loss = eta - length * step, loss - new, new
        if gained < _TOLERANCE:
            break
    return eta


@cache
def _third_differences(n_bins: int) -> tuple[Floats, float, Floats]:
    """D'D in LAPACK's lower bands, its log determinant off the null space, and the null space.

    The null space is spanned by orthonormal polynomials up to the second degree.
    """
    D = np.diff(np.eye(n_bins), n=3, axis=0)
    P = D.T @ D
    bands = np.zeros((4, n_bins))
    for k in range(4):
        bands[k, : n_bins - k] = np.diagonal(P, -k)
    log_determinant = float(np.linalg.slogdet(D @ D.T)[1])
    quadratics = np.linalg.qr(np.vander(np.linspace(-1, 1, n_bins), 3))[0]
    return bands, log_determinant, quadratics


def _banded_product(bands: Floats, v: Floats) -> Floats:
    """Product of a symmetric matrix in lower bands with a vector."""
    product = bands[0] * v
    for k in range(1, len(bands)):
        product[k:] += bands[k, :-k] * v[:-k]
        product[:-k] += bands[k, :-k] * v[k:]
    return product
