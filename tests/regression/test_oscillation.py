import numpy as np
import pytest

from scoredag.regression.oscillation import von_neumann_score


@pytest.mark.parametrize("draw", ["normal", "exponential", "standard_cauchy"])
def test_of_independent_values_it_is_about_standard_normal(draw):
    scores = []
    for rng in np.random.default_rng(0).spawn(400):
        x, values = rng.normal(size=200), getattr(rng, draw)(size=200)
        scores.append(von_neumann_score(values, np.argsort(x)))
    assert np.mean(scores) == pytest.approx(0, abs=0.2)
    assert np.std(scores) < 1.15
    assert np.abs(scores).max() < 5


@pytest.mark.parametrize("speed", [1, 8, 20])
def test_functions_of_any_speed_are_seen(speed):
    x, e = np.random.default_rng(0).normal(size=(2, 200))
    assert von_neumann_score(np.sin(speed * x) + 0.3 * e, np.argsort(x)) > 5


@pytest.mark.parametrize("value", [1.0, 1 / 3, np.nan])
def test_what_does_not_vary_follows_nothing(value):
    assert np.isnan(von_neumann_score(np.full(200, value), np.arange(200)))
