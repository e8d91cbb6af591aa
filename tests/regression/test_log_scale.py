import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.regression.log_scale import fit_log_scale, scale_features


def draw(n, seed, slope, kind="normal"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    e = rng.normal(size=n) if kind == "normal" else rng.standard_t(3, size=n)
    return x, (np.exp(slope * x) * e) ** 2


def test_scale_that_varies_is_recovered():
    x, squares = draw(1000, 0, 0.5)
    found = fit_log_scale([scale_features(x)], squares)
    assert found.gain > 100
    assert_allclose(found.log_variance.mean(), 0, atol=1e-10)
    inner = np.abs(x) < 2
    assert np.abs(found.log_variance - x)[inner].max() < 0.5  # log g^2 = x


@pytest.mark.parametrize("kind", ["normal", "t"])
def test_constant_scale_gains_next_to_nothing(kind):
    gains = [
        fit_log_scale([scale_features(x)], s).gain
        for x, s in (draw(300, seed, 0.0, kind) for seed in range(40))
    ]
    assert min(gains) >= 0
    assert np.mean(np.array(gains) > 3) <= 0.05


def test_units_of_the_residuals_do_not_matter():
    x, squares = draw(400, 1, 0.4)
    one, other = (fit_log_scale([scale_features(x)], c * squares) for c in (1.0, 1e6))
    assert one.gain == pytest.approx(other.gain)
    assert_allclose(one.log_variance, other.log_variance, atol=1e-8)


def test_irrelevant_parents_cost_more_than_they_gain():
    x, squares = draw(500, 2, 0.5)
    other = np.random.default_rng(9).normal(size=500)
    alone = fit_log_scale([scale_features(x)], squares)
    both = fit_log_scale([scale_features(x), scale_features(other)], squares)
    assert both.gain < alone.gain + 1


def test_no_parents_and_constant_parents():
    squares = np.random.default_rng(0).chisquare(1, size=50)
    assert fit_log_scale([], squares).gain == 0
    assert fit_log_scale([scale_features(np.zeros(50))], squares).gain == 0


def test_residuals_of_zero_are_no_error():
    x, squares = draw(200, 3, 0.5)
    squares[:50] = 0.0
    assert np.isfinite(fit_log_scale([scale_features(x)], squares).log_variance).all()


def test_two_valued_parents_have_a_line():
    x = np.random.default_rng(0).integers(0, 2, size=300).astype(float)
    assert scale_features(x).shape == (300, 1)
