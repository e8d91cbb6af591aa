import numpy as np
import pytest

from scoredag.simulate.mechanisms.gp import _by_random_waves, _exact, gp

POINTS = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, 1.0], [1.0, -1.0], [2.5, 2.0]])
KERNEL = np.exp(-0.5 * ((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=-1))


@pytest.mark.parametrize("draw", [_exact, _by_random_waves])
def test_covariance_is_the_unit_rbf_kernel(draw):
    """Moments of 2500 functions; an entry's standard error is at most sqrt(2 / 2500)."""
    rng = np.random.default_rng(0)
    values = np.array([draw(POINTS, rng) for _ in range(2500)])
    assert np.abs(values.mean(axis=0)).max() < 4 / np.sqrt(2500)
    assert np.abs(values.T @ values / 2500 - KERNEL).max() < 4 * np.sqrt(2 / 2500)


@pytest.mark.parametrize("draw", [_exact, _by_random_waves])
def test_differences_are_gaussian(draw):
    """Kurtosis 3 of f(x) - f(x') at distance 1; a single random wave would have 6.9."""
    rng = np.random.default_rng(1)
    steps = np.array([np.subtract(*draw(POINTS[[0, 2]], rng)) for _ in range(4000)])
    assert np.mean(steps**4) / np.mean(steps**2) ** 2 == pytest.approx(3, abs=0.4)


def test_waves_in_blocks_are_one_function(monkeypatch):
    inputs = np.random.default_rng(2).normal(size=(50, 3))
    whole = _by_random_waves(inputs, np.random.default_rng(3))
    monkeypatch.setattr("scoredag.simulate.mechanisms.gp._ROWS_AT_ONCE", 7)
    assert _by_random_waves(inputs, np.random.default_rng(3)) == pytest.approx(whole)


def test_many_rows_take_the_waves_and_few_the_exact_draw():
    inputs = np.random.default_rng(4).normal(size=(3001, 1))
    many, few = (gp(inputs[:n], np.random.default_rng(5)) for n in (3001, 10))
    assert (many == _by_random_waves(inputs, np.random.default_rng(5))).all()
    assert (few == _exact(inputs[:10], np.random.default_rng(5))).all()


def test_exact_draw_is_smooth():
    """A function of length-scale 1, not white noise: neighbours at 0.001 differ by about 0.001."""
    inputs = np.arange(0, 1, 0.001)[:, None]
    steps = np.diff(_exact(inputs, np.random.default_rng(6)))
    assert np.abs(steps).max() < 0.01
