import numpy as np
import pytest

from scoredag.simulate import sample_poisson

PAIR = [[0, 1], [0, 0]]


def test_counts():
    X = sample_poisson(np.eye(10, k=1), 1000, rng=0)
    assert (X >= 0).all()
    assert (np.round(X) == X).all()
    assert np.median(np.median(X, axis=0)) == pytest.approx(5, abs=2)
    assert X.max() < 5 * np.exp(5) * 1.2


def test_mean_and_variance_given_the_parents_are_equal():
    """With a constant function the rate is the median count, and mean and variance both are it."""
    X = sample_poisson(
        PAIR, 20_000, mechanism=lambda parents, rng: np.zeros(len(parents)), median_count=7, rng=1
    )
    assert (X[:, 1].mean(), X[:, 1].var()) == pytest.approx((7, 7), rel=0.03)
    assert abs(np.corrcoef(X.T)[0, 1]) < 0.03


def test_log_link():
    """With f the standardised log of the parent, mean counts grow by exp(f)."""
    seen = []

    def keep(parents, rng):
        seen.append(parents[:, 0])
        return parents[:, 0]

    X = sample_poisson(PAIR, 20_000, mechanism=keep, median_count=4, rng=2)
    (f,) = seen
    assert (f.mean(), f.std()) == pytest.approx((0, 1))
    assert np.corrcoef(f, np.log1p(X[:, 0]))[0, 1] == pytest.approx(1)
    for low in (-1, 0, 1):
        rows = (f > low) & (f < low + 0.5)
        assert X[rows, 1].mean() == pytest.approx(4 * np.exp(f[rows]).mean(), rel=0.05)


def test_median_count_must_be_positive():
    with pytest.raises(ValueError, match="median_count must be a number between 0 and"):
        sample_poisson(PAIR, 5, median_count=0)
