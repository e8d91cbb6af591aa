import numpy as np
import pytest
from scipy import stats

from scoredag.plugins import shelf

NOISES = shelf("scoredag.simulate.noises")
# Distribution with variance 1 and mean 0, by scipy.
REFERENCES = {
    "exponential": stats.expon(loc=-1),
    "gaussian": stats.norm(),
    "laplace": stats.laplace(scale=1 / np.sqrt(2)),
    "gumbel": stats.gumbel_r(loc=-np.euler_gamma * np.sqrt(6) / np.pi, scale=np.sqrt(6) / np.pi),
    "uniform": stats.uniform(loc=-np.sqrt(3), scale=2 * np.sqrt(3)),
    "student_t": stats.t(df=5, scale=np.sqrt(3 / 5)),
}


def test_every_noise_has_a_reference():
    assert set(NOISES) == set(REFERENCES)


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_reference_is_centred_with_unit_variance(name):
    assert REFERENCES[name].mean() == pytest.approx(0, abs=1e-12)
    assert REFERENCES[name].var() == pytest.approx(1)


@pytest.mark.parametrize("variance", [0.4, 3.0])
@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_draws_follow_the_scaled_reference(name, variance):
    draws = NOISES[name](20_000, variance, np.random.default_rng(0))
    assert draws.shape == (20_000,)
    assert stats.kstest(draws / np.sqrt(variance), REFERENCES[name].cdf).pvalue > 0.001


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_generator_decides(name):
    first, second = (NOISES[name](5, 1.0, np.random.default_rng(9)) for _ in range(2))
    assert (first == second).all()
