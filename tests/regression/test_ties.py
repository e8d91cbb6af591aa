"""Which columns with equal values have a density."""

import numpy as np
import pytest

from scoredag.regression.ties import spread_ties

RNG = np.random.default_rng


def rain(zeros, seed, n=500):
    rng = RNG(seed)
    return np.where(rng.random(n) < zeros, 0.0, rng.gamma(2, 2, n).round(1))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("zeros", [0.1, 0.17, 0.3])
def test_zeros_among_rounded_values_have_no_density(zeros, seed):
    assert spread_ties(rain(zeros, seed)) is None


@pytest.mark.parametrize("seed", range(5))
def test_heaped_values_have_no_density(seed):
    """Ages that half of the people round to tens."""
    rng = RNG(seed)
    ages = rng.uniform(20, 80, 1000).round()
    assert spread_ties(np.where(rng.random(1000) < 0.5, ages.round(-1), ages)) is None


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.normal(size=1000),
        lambda rng: rng.exponential(size=1000),
        lambda rng: rng.uniform(size=1000),
        lambda rng: rng.standard_t(3, size=1000),
        lambda rng: np.exp(rng.normal(size=1000)),
    ],
)
def test_rounded_values_keep_their_density(draw, seed):
    values = draw(RNG(seed))
    bulk = np.ptp(np.quantile(values, [0.05, 0.95]))
    spread = spread_ties(np.round(values / bulk * 30))
    assert spread is not None
    assert len(np.unique(spread)) == len(spread)


@pytest.mark.parametrize("rate", [10.0, 60.0])
def test_counts_with_many_levels_have_a_density(rate):
    counts = RNG(0).poisson(rate, size=4000).astype(float)
    assert (spread_ties(counts) is not None) == (len(np.unique(counts)) >= 20)
