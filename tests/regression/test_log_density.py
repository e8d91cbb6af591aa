import numpy as np
import pytest
from scipy import stats

from scoredag.regression.log_density import NORMAL, compress, log_density
from scoredag.regression.ties import spread_ties
from scoredag.settings import SEARCH

DENSITIES = {
    "uniform": stats.uniform,
    "exponential": stats.expon,
    "laplace": stats.laplace,
    "gumbel": stats.gumbel_r,
    "gamma": stats.gamma(3),
}


def standard(x):
    return (x - x.mean()) / x.std()


@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize("n", [300, 1000])
def test_gain_is_near_that_of_the_true_density(name, n):
    density = DENSITIES[name]
    x = density.rvs(size=n, random_state=np.random.default_rng(5))
    z = standard(x)
    oracle = density.logpdf(x).sum() + n * np.log(x.std()) - stats.norm.logpdf(z).sum()
    gain = log_density(z).gain
    # The freedom of the density costs nats; the gain hardly ever exceeds the truth's.
    assert oracle - 25 < gain < oracle + 5


def test_normal_values_gain_next_to_nothing():
    rng = np.random.default_rng(0)
    gains = [log_density(standard(rng.normal(size=n))).gain for n in (100, 400, 1000) * 15]
    assert min(gains) >= 0
    assert np.mean(gains) < 1
    assert max(gains) < 7


def test_density_integrates_to_one_and_gives_the_likelihood():
    z = standard(np.random.default_rng(1).exponential(size=800))
    found = log_density(z)
    width = found.edges[1] - found.edges[0]
    assert np.exp(found.log_heights).sum() * width == pytest.approx(1, abs=1e-3)
    places, log_slopes = compress(z, SEARCH.density_tail)
    bins = np.clip(np.searchsorted(found.edges, places) - 1, 0, len(found.log_heights) - 1)
    likelihood = (found.log_heights[bins] + log_slopes).sum() - stats.norm.logpdf(z).sum()
    # The Bayes factor has paid for the freedom of the density and for its sharp end.
    assert found.gain < likelihood < found.gain + 60


def test_mirrored_values_gain_the_same():
    z = standard(np.random.default_rng(2).gamma(2, size=500))
    assert log_density(-z).gain == pytest.approx(log_density(z).gain, abs=0.5)


def test_rounded_values_gain_no_more_than_exact_ones():
    rng = np.random.default_rng(3)
    for x in (rng.normal(size=1000), rng.laplace(size=1000)):
        rounded = np.round(4 * x) / 4
        exact = log_density(standard(x)).gain
        assert log_density(standard(rounded)).gain < exact + 6


@pytest.mark.parametrize(
    "values",
    [
        np.r_[np.zeros(400), np.random.default_rng(0).normal(size=600)],  # an atom
        np.random.default_rng(0).integers(0, 2, size=500).astype(float),
        np.full(200, np.nan),
        np.random.default_rng(0).normal(size=20),  # too few
    ],
)
def test_values_without_a_density_count_as_normal(values):
    assert log_density(values) is NORMAL


def test_ties_are_spread_over_one_step():
    spread = spread_ties(np.repeat(np.arange(20.0), 5))
    assert len(np.unique(spread)) == 100
    assert spread.min() > -0.5
    assert spread.max() < 19.5


def test_outliers_do_not_break_the_fit():
    z = np.random.default_rng(0).normal(size=500)
    z[:2] = 1e6, -1e4
    assert np.isfinite(log_density(standard(z)).gain)


def test_compression_is_smooth_and_increasing():
    x = np.linspace(-10, 10, 2001)
    places, log_slopes = compress(x, 3.0)
    slopes = np.gradient(places, x)
    assert (np.diff(places) > 0).all()
    np.testing.assert_allclose(slopes[1:-1], np.exp(log_slopes)[1:-1], atol=0.01)


@pytest.mark.parametrize("sigma", [2.0, 3.0])
def test_the_density_of_skewed_heavy_tails_is_resolved(sigma):
    """The gain of a log-normal sample is near that of the true density."""
    z = np.random.default_rng(503).normal(size=400)
    x = np.exp(sigma * z)
    true = -0.5 * z @ z - len(z) * np.log(sigma) - np.log(x).sum()
    normal = -len(z) * (0.5 + np.log(x.std()))
    found = log_density((x - x.mean()) / x.std()).gain
    assert true - normal == pytest.approx(found, rel=0.1)
