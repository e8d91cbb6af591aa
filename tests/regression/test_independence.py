import numpy as np
import pytest

from scoredag.regression.independence import independence_p_value

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
