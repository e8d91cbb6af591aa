import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.prune import Effect, JointEffect, gp_prune
from scoredag.prune.joint_effect import JointModel

LAST = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]])


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=40)
    return JointModel(X, y - y.mean(), 1.2, np.array([0.9, 0.5]), np.array([10.0, -3.0]),
                      np.array([2.0, 0.1]), 5.0)  # fmt: skip


@pytest.fixture
def effect(model):
    return JointEffect((7.0, 13.0), np.linspace(6.0, 14.0, 9), model, 0)


def kernel(model, A, B):
    distances = ((A[:, None] - B) * model.relevances) ** 2
    return np.exp(model.log_amplitude - 0.5 * distances.sum(axis=2))


def at(model, values):
    """The rows with the first cause moved to each of some values, in its own units."""
    places = (np.asarray(values) - model.centres[0]) / model.spreads[0]
    return np.array([[[place, other] for place in places] for other in model.X[:, 1]])


def fitted(model, points):
    M = kernel(model, model.X, model.X) + np.eye(len(model.y))
    flat = points.reshape(-1, 2)
    return (kernel(model, flat, model.X) @ np.linalg.solve(M, model.y)).reshape(points.shape[:-1])


def centred_curves(model, effect):
    own = model.centres[0] + model.spreads[0] * model.X[:, 0]
    return fitted(model, at(model, effect.x)) - fitted(model, at(model, own)).mean(
        axis=1, keepdims=True
    )


def test_curves_are_those_of_the_gaussian_process(model, effect):
    curves = 5.0 * centred_curves(model, effect)
    assert_allclose(effect.y, curves.mean(axis=0), atol=1e-10)
    assert_allclose(effect.low, np.quantile(curves, 0.1, axis=0), atol=1e-10)
    assert_allclose(effect.high, np.quantile(curves, 0.9, axis=0), atol=1e-10)


def test_the_error_is_that_of_the_average(model, effect):
    """Of the posterior: prior less explained covariance of the points that are averaged."""
    n, own = len(model.y), model.centres[0] + model.spreads[0] * model.X[:, 0]
    M_inverse = np.linalg.inv(kernel(model, model.X, model.X) + np.eye(n))
    noise = model.y @ M_inverse @ model.y / n
    everywhere = at(model, own).reshape(-1, 2)
    for place in (0, 30, 59):
        here = at(model, effect.x[[place]]).reshape(-1, 2)
        points = np.vstack([here, everywhere])
        weights = np.r_[np.full(n, 1 / n), np.full(n * n, -1 / n**2)]
        told = weights @ kernel(model, points, model.X)
        variance = weights @ kernel(model, points, points) @ weights - told @ M_inverse @ told
        assert effect.standard_error[place] == pytest.approx(5.0 * np.sqrt(noise * variance))


def test_size_is_what_the_cause_moves_within_rows(model, effect):
    moved = fitted(model, at(model, model.centres[0] + model.spreads[0] * model.X[:, 0]))
    assert effect.size == pytest.approx(np.sqrt(moved.var(axis=1).mean()))


def test_a_single_cause_has_one_curve_for_all_rows(model):
    alone = JointModel(model.X[:, :1], model.y, 1.0, np.array([1.0]), np.zeros(1), np.ones(1), 1.0)
    effect = JointEffect((-2.0, 2.0), np.linspace(-2, 2, 9), alone, 0)
    assert_allclose(effect.low, effect.y)
    assert_allclose(effect.high, effect.y)


def table(n=400, seed=0):
    """The last column needs 0 and 1 together and not 2."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    return np.column_stack([x, x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=n)])


def test_an_interaction_is_flat_on_average_and_large_within_rows():
    effects = gp_prune(table(), LAST).effects
    assert effects.keys() == {(0, 3), (1, 3)}
    for effect in effects.values():
        assert isinstance(effect, JointEffect)
        assert np.abs(effect.y).max() < 0.3 * effect.high.max()
        assert 0.8 < effect.size < 1.1


def test_causes_that_add_up_have_smooth_effects():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    y = np.tanh(2 * x).sum(axis=1) + 0.3 * rng.normal(size=400)
    effects = gp_prune(np.column_stack([x, y]), LAST).effects
    assert all(isinstance(effect, Effect) for effect in effects.values())
    moved = np.tanh(2 * x[:, 0]).std() / y.std()
    assert effects[0, 3].size == pytest.approx(moved, rel=0.1)
    inside = (effects[0, 3].marks > effects[0, 3].x[0]) & (
        effects[0, 3].marks < effects[0, 3].x[-1]
    )
    assert inside.all()


@pytest.mark.parametrize("seed", range(3))
def test_a_single_cause_has_a_smooth_effect(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=300)
    X = np.column_stack([x, np.sin(3 * x) + 0.3 * rng.normal(size=300)])
    (effect,) = gp_prune(X, [[0, 1], [0, 0]]).effects.values()
    assert isinstance(effect, Effect)


def test_effects_are_in_the_units_of_the_columns():
    plain, other = (gp_prune(X, LAST).effects[0, 3] for X in (table(), table() * 100 + 7))
    assert_allclose(other.x, 100 * plain.x + 7)
    assert_allclose(other.marks, 100 * plain.marks + 7)
    for name in ("y", "standard_error", "low", "high"):
        assert_allclose(getattr(other, name), 100 * getattr(plain, name), rtol=1e-3, atol=1e-3)
    assert other.size == pytest.approx(plain.size, rel=1e-3)


def test_many_rows_are_drawn_from_a_block_of_them():
    effect = gp_prune(table(3000), LAST).effects[0, 3]
    assert len(effect.model.y) == 1000
    assert effect.size > 0.8
    assert_array_equal(np.isfinite([effect.y, effect.standard_error]), True)
