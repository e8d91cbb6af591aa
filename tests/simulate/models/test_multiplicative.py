import pytest
from scipy import stats

from scoredag.simulate import sample_multiplicative

PAIR = [[0, 1], [0, 0]]


def first_parent(parents, rng):
    return parents[:, 0]


def scaled(column):
    return (column - column.mean()) / column.std()


def test_default_factor_is_uniform_from_0_to_2():
    X = sample_multiplicative(PAIR, 5000, mechanism=first_parent, rng=0)
    factor = X[:, 1] / scaled(X[:, 0])
    assert stats.kstest(factor, stats.uniform(0, 2).cdf).pvalue > 0.01
    assert abs(stats.spearmanr(factor, X[:, 0]).statistic) < 0.05


def test_spread_is_the_relative_deviation_whatever_the_variance_of_the_noise():
    for variance in (0.1, 3.0):
        X = sample_multiplicative(
            PAIR,
            20_000,
            mechanism=first_parent,
            noise="gaussian",
            spread=0.25,
            noise_variance=variance,
            rng=1,
        )
        factor = X[:, 1] / scaled(X[:, 0])
        assert (factor.mean(), factor.std()) == pytest.approx((1, 0.25), abs=0.01)
        assert X[:, 0].var() == pytest.approx(variance, rel=0.05)


def test_spread_must_be_positive():
    with pytest.raises(ValueError, match="spread must be a number above 0; got -1"):
        sample_multiplicative(PAIR, 5, spread=-1)
