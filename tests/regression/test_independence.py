import numpy as np
import pytest
from scipy import stats

from scoredag.data.margins import normal_scores
from scoredag.regression.independence import independence_p_value, independence_p_values

DEPENDENT = {
    "line": lambda x, e: x + e,
    "parabola": lambda x, e: x**2 + 0.5 * e,
    "scale": lambda x, e: x * e,
    "circle": lambda x, e: np.sign(e) * np.sqrt(np.maximum(4 - x**2, 0)),
}


@pytest.mark.parametrize("kind", DEPENDENT)
def test_all_kinds_of_dependence_are_seen(kind):
    x, e = np.random.default_rng(0).normal(size=(2, 300))
    assert independence_p_value(x, DEPENDENT[kind](x, e)) < 1e-4


@pytest.mark.parametrize("n", [60, 300])
def test_p_values_of_independent_columns_are_uniform(n):
    p = np.array(
        [
            independence_p_value(rng.normal(size=n), rng.exponential(size=n))
            for rng in np.random.default_rng(0).spawn(200)
        ]
    )
    for level in (0.05, 0.2, 0.5):
        assert (p < level).mean() == pytest.approx(level, abs=0.1)
    assert (p < 0.05).mean() < 0.1


def test_several_columns_are_tested_one_by_one():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    y += X[:, 1]
    assert independence_p_values(X, y) == [independence_p_value(x, y) for x in X.T]
    assert independence_p_values(X[:5], y[:5]) == [1.0, 1.0, 1.0]


def test_what_is_not_known_is_not_tested():
    x = np.random.default_rng(0).normal(size=50)
    assert np.isnan(independence_p_value(x, np.full(50, np.nan)))


def test_the_moments_are_those_of_the_paper():
    """Gretton et al. (2007), by centring matrices and plain sums."""
    x, y = np.random.default_rng(3).normal(size=(2, 40))
    y += 0.3 * x
    n = 40
    scores = [normal_scores(v[:, None]) for v in (x, y)]
    K, L = (np.exp(-0.5 * (s - s.T) ** 2) for s in scores)
    H = np.eye(n) - 1 / n
    centred_K, centred_L = H @ K @ H, H @ L @ H
    statistic = np.trace(centred_K @ centred_L) / n
    off = ~np.eye(n, dtype=bool)
    mean = (1 - K[off].mean()) * (1 - L[off].mean()) / n
    factor = 72 * (n - 4) * (n - 5) / (n * (n - 1) * (n - 2) * (n - 3))
    variance = factor * ((centred_K * centred_L / 6)[off] ** 2).mean()
    p = stats.gamma.sf(statistic, mean**2 / variance, scale=n * variance / mean)
    assert independence_p_value(x, y) == pytest.approx(p, rel=1e-9)


def test_the_first_rows_decide():
    x, y = np.random.default_rng(0).normal(size=(2, 600))
    y[500:] = x[500:]
    assert independence_p_value(x, y) == independence_p_value(x[:500], y[:500])


@pytest.mark.parametrize("n", [3, 5, 50])
def test_what_cannot_be_told_is_taken_for_independent(n):
    assert independence_p_value(np.ones(n), np.arange(n, dtype=float)) == 1


def test_neither_outliers_nor_units_decide():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 200))
    expected = independence_p_value(x, y)
    assert independence_p_value(1e9 * x + 3, np.exp(y)) == expected
    x[np.argmax(x)] = 1e12
    assert independence_p_value(x, y) == expected
