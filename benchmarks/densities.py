"""Estimators of the log-likelihood gain of a free density over the normal one.

The gain of a sample is known where the density is: sum log p(x) - log phi(x). Four estimators are
compared by their error against this oracle, in nats, and by the directions of linear pairs that
they decide. `scoredag.regression.log_density` is the one that ScoreGP uses.
"""

import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.mixture import GaussianMixture

from benchmarks.figure import Figure
from scoredag.regression.log_density import log_density
from scoredag.regression.negentropy import negentropy

Floats = NDArray[np.float64]

DENSITIES = {
    "normal": stats.norm,
    "uniform": stats.uniform,
    "exponential": stats.expon,
    "Laplace": stats.laplace,
    "Gumbel": stats.gumbel_r,
    "Student's t, 3": stats.t(3),
    "lognormal, 0.5": stats.lognorm(0.5),
    "triangular": stats.triang(0.5),
}
BANDWIDTHS = (0.08, 0.12, 0.18, 0.27, 0.4)  # standard deviations
MOST_COMPONENTS = 4
SIZES, SAMPLES = (400, 1000), 20
PAIRS, PAIR_ROWS = 100, 80  # with 400 rows every estimator decides every pair rightly


def penalised(z: Floats) -> float:
    return log_density(z).gain


def spacings(z: Floats) -> float:
    """Vasicek's estimate less its mean under normality, about 0.65 sqrt(n), at least 0."""
    return max(0.0, len(z) * negentropy(z) - 0.65 * len(z) ** 0.5)


def kernel(z: Floats) -> float:
    """Leave-one-out likelihood of a Gaussian kernel density, the best of a few bandwidths."""
    squares, n = (z[:, None] - z) ** 2, len(z)
    likelihoods = []
    for h in BANDWIDTHS:
        K = np.exp(-0.5 * squares / h**2)
        np.fill_diagonal(K, 0.0)
        density = K.sum(axis=1) / ((n - 1) * h * np.sqrt(2 * np.pi))
        likelihoods.append(float(np.log(np.maximum(density, 1e-300)).sum()))
    return max(0.0, max(likelihoods) - float(stats.norm.logpdf(z).sum()))


def mixture(z: Floats) -> float:
    """A mixture of up to four normal densities, by BIC."""
    normal, best = float(stats.norm.logpdf(z).sum()), 0.0
    for k in range(2, MOST_COMPONENTS + 1):
        with warnings.catch_warnings(action="ignore"):
            fit = GaussianMixture(k, random_state=0).fit(z[:, None])
        gain = len(z) * fit.score(z[:, None]) - normal - 0.5 * (3 * k - 3) * np.log(len(z))
        best = max(best, float(gain))
    return best


ESTIMATORS: dict[str, Callable[[Floats], float]] = {
    "penalised log density": penalised,
    "spacings": spacings,
    "kernel, leave-one-out": kernel,
    "normal mixture, BIC": mixture,
}


def figures() -> Iterator[Figure]:
    rng = np.random.default_rng(1)
    for label, estimate in ESTIMATORS.items():
        start = time.process_time()
        for n in SIZES:
            for name, density in DENSITIES.items():
                errors = [error(estimate, density, n, rng) for _ in range(SAMPLES)]
                yield Figure(f"{label}, {name}, n={n}: mean error, nats", float(np.mean(errors)))
                yield Figure("  standard deviation", float(np.std(errors)))
        calls = SAMPLES * len(SIZES) * len(DENSITIES)
        yield Figure(f"{label}: CPU ms a call", 1e3 * (time.process_time() - start) / calls)
    for name in ("uniform", "exponential", "Laplace", "Gumbel"):
        for label, estimate in ESTIMATORS.items():
            right = [decides(estimate, DENSITIES[name], PAIR_ROWS, rng) for _ in range(PAIRS)]
            share = float(np.mean(right))
            yield Figure(f"linear pairs, {name}, n={PAIR_ROWS}, {label}: right", share)


def error(estimate: Callable[[Floats], float], density, n: int, rng: np.random.Generator) -> float:
    x = density.rvs(size=n, random_state=rng)
    z = (x - x.mean()) / x.std()
    oracle = density.logpdf(x).sum() + n * np.log(x.std()) - stats.norm.logpdf(z).sum()
    return estimate(z) - float(oracle)


def decides(estimate: Callable[[Floats], float], density, n: int, rng: np.random.Generator) -> bool:
    """Whether the gains of cause and residual exceed those of the reverse direction."""
    x, e = (standard(density.rvs(size=n, random_state=rng)) for _ in range(2))
    y = standard(rng.uniform(0.5, 1.5) * x + e)
    slope = float(x @ y) / n  # of either regression, as both have variance 1
    forward = estimate(x) + estimate(standard(y - slope * x))
    return forward > estimate(y) + estimate(standard(x - slope * y))


def standard(x: Floats) -> Floats:
    return (x - x.mean()) / x.std()
