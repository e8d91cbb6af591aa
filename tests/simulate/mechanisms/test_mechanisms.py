import numpy as np
import pytest

from scoredag.plugins import shelf

MECHANISMS = shelf("scoredag.simulate.mechanisms")
NAMES = sorted(MECHANISMS)
SCALED = ["additive_sigmoids", "additive_sines", "linear", "polynomial", "tanh_network"]
ADDITIVE = ["additive_gp", "additive_sigmoids", "additive_sines", "linear"]
JOINT = ["gp", "polynomial", "tanh_network"]


def grid(levels):
    """All pairs of levels as rows."""
    first, second = np.meshgrid(levels, levels, indexing="ij")
    return np.column_stack([first.ravel(), second.ravel()])


def interaction(values, size):
    """Share of the variance on a grid that no sum of functions of one parent explains."""
    table = values.reshape(size, size)
    additive = table.mean(axis=0) + table.mean(axis=1, keepdims=True) - table.mean()
    return np.var(table - additive) / np.var(table)


def test_the_shelf():
    assert set(MECHANISMS) == {*ADDITIVE, *JOINT}


@pytest.mark.parametrize("p", [1, 2, 7])
@pytest.mark.parametrize("name", NAMES)
def test_shape_determinism_and_parents_left_alone(name, p):
    parents = np.random.default_rng(0).normal(size=(30, p))
    before = parents.copy()
    first, second = (MECHANISMS[name](parents, np.random.default_rng(5)) for _ in range(2))
    assert first.shape == (30,)
    assert (first == second).all()
    assert (parents == before).all()
    assert (first != MECHANISMS[name](parents, np.random.default_rng(6))).any()


@pytest.mark.parametrize("name", NAMES)
def test_equal_parents_have_equal_effects(name):
    """It is a function: the row number does not enter."""
    parents = np.repeat(np.random.default_rng(1).normal(size=(20, 3)), 2, axis=0)
    values = MECHANISMS[name](parents, np.random.default_rng(2))
    assert values[::2] == pytest.approx(values[1::2], abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_every_parent_matters(name):
    """Moving one parent alone moves the output, for each parent."""
    rng = np.random.default_rng(3)
    parents = rng.normal(size=(300, 4))
    for k in range(4):
        moved = parents.copy()
        moved[:, k] = rng.permutation(moved[:, k])
        both = np.vstack([parents, moved])
        values = MECHANISMS[name](both, np.random.default_rng(4))
        assert np.std(values[:300] - values[300:]) > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_variance_is_of_order_one(name):
    rng = np.random.default_rng(5)
    parents = 1.2 * rng.normal(size=(400, 5))
    variances = [MECHANISMS[name](parents, rng).var() for _ in range(10)]
    if name in SCALED:
        assert variances == pytest.approx([1.0] * 10)
    assert 0.4 < np.mean(variances) < 1.5


@pytest.mark.parametrize("name", ADDITIVE)
def test_additive_ones_have_no_interaction(name):
    values = MECHANISMS[name](grid(np.linspace(-2, 2, 15)), np.random.default_rng(6))
    assert interaction(values, 15) < 1e-6


@pytest.mark.parametrize("name", JOINT)
def test_joint_ones_have_interactions(name):
    rng = np.random.default_rng(7)
    shares = [
        interaction(MECHANISMS[name](grid(np.linspace(-2, 2, 15)), rng), 15) for _ in range(5)
    ]
    assert np.mean(shares) > 0.05


def test_linear_is_linear():
    levels = np.linspace(-1, 1, 9)
    values = MECHANISMS["linear"](levels[:, None], np.random.default_rng(8))
    assert np.diff(values, n=2) == pytest.approx(np.zeros(7), abs=1e-9)


def test_linear_weights_keep_away_from_zero():
    """The smallest share of the largest effect is 0.5 / 2, whatever the draw."""
    rng = np.random.default_rng(9)
    parents = rng.normal(size=(200, 6))
    for _ in range(20):
        values = MECHANISMS["linear"](parents, rng)
        scaled = (parents - parents.mean(axis=0)) / parents.std(axis=0)
        weights = np.abs(np.linalg.lstsq(scaled, values, rcond=None)[0])
        assert weights.min() >= weights.max() / 4 - 1e-9


def test_polynomial_is_constant_far_out():
    parents = np.r_[np.random.default_rng(10).normal(size=500), 30.0, 60.0][:, None]
    values = MECHANISMS["polynomial"](parents, np.random.default_rng(11))
    assert values[-1] == values[-2]


@pytest.mark.parametrize("name", NAMES)
def test_constant_parents_and_a_single_row(name):
    for parents in (np.ones((5, 2)), np.ones((1, 1))):
        assert np.isfinite(MECHANISMS[name](parents, np.random.default_rng(0))).all()


def test_sigmoids_are_strictly_monotone():
    for seed in range(10):
        values = MECHANISMS["additive_sigmoids"](
            np.linspace(-3, 3, 50)[:, None], np.random.default_rng(seed)
        )
        assert len(set(np.sign(np.diff(values)))) == 1
