"""Forward regression finds neighbours, against least squares, and finds none among strangers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.screening import rank_features
from scoredag.screening.screens.forward import forward
from scoredag.simulate import paper_dataset


def gain(features, target, predictors):
    """The gains of all steps: -n / 2 sum_a log of the shares that least squares leaves."""
    n = len(features)
    Z = features[:, predictors].reshape(n, -1)
    y = features[:, target]
    rest = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    return -n / 2 * np.log((rest**2).mean(axis=0)).sum()


def test_gains_are_those_of_least_squares():
    X = paper_dataset(6, "ER2", seed=1000, n=400).X
    strength = forward(X, level=0.9)
    features = rank_features(X, 3)
    for j in range(6):
        joined = np.flatnonzero(strength[:, j])
        assert len(joined) >= 2
        # Whatever the order in which columns joined, their gains add up to that of all.
        assert strength[:, j].sum() == pytest.approx(gain(features, j, joined), rel=1e-5)


def test_neighbours_of_a_graph_are_found():
    data = paper_dataset(30, "ER1", seed=1001, n=600)
    found = forward(data.X) > 0
    found |= found.T
    true = (data.adjacency + data.adjacency.T) != 0
    assert (found & true).sum() >= 0.8 * true.sum()
    assert (found & ~true).sum() <= 0.3 * true.sum()


def test_the_other_parent_of_a_child_is_found_through_the_child():
    rng = np.random.default_rng(1)
    x, z, noise = rng.normal(size=(3, 1000))
    X = np.column_stack([x, z, x + z + 0.3 * noise])
    found = forward(X) > 0
    assert found[1, 0]
    assert found[0, 1]


def test_strangers_have_no_neighbours():
    level = 0.05
    runs = [np.random.default_rng(seed).normal(size=(300, 20)) for seed in range(15)]
    share = np.mean([(forward(X, level=level) > 0).any(axis=0).mean() for X in runs])
    assert share < 2 * level  # 300 columns: a standard error of 0.013


def test_permuting_the_columns_permutes_the_strengths():
    X = paper_dataset(8, "ER1", seed=1002, n=200).X
    columns = np.random.default_rng(0).permutation(8)
    assert_allclose(forward(X[:, columns]), forward(X)[np.ix_(columns, columns)], atol=1e-8)


def test_more_columns_than_one_product_takes():
    X = np.random.default_rng(0).normal(size=(200, 130))
    X[:, 129] = np.sin(2 * X[:, 1]) + 0.2 * X[:, 129]
    strength = forward(X)
    assert strength[1, 129] > 50
    assert strength[129, 1] > 50
    assert_array_equal(strength.shape, (130, 130))


def test_most_bounds_the_columns_of_a_regression():
    X = paper_dataset(10, "ER4", seed=1000, n=400).X
    assert (forward(X, level=0.9, most=2) > 0).sum(axis=0).max() == 2


@pytest.mark.parametrize("d", [1, 2])
def test_few_columns(d):
    assert_array_equal(forward(np.random.default_rng(0).normal(size=(50, d))), np.zeros((d, d)))


def test_copies_and_constants_do_no_harm():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.column_stack([x, x, rng.integers(0, 2, size=200), np.ones(200), rng.normal(size=200)])
    strength = forward(X)
    assert np.isfinite(strength).all()
    assert strength[0, 1] > 100
    assert not strength[3].any()
    assert not strength[:, 3].any()


@pytest.mark.parametrize(("option", "value"), [("level", 0), ("level", 1), ("most", 0)])
def test_wrong_options_are_refused(option, value):
    with pytest.raises(ValueError, match=option):
        forward(np.ones((5, 2)), **{option: value})
