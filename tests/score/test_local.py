"""The local field: against the plain one in the limits, and its memory of what is up to date."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.exceptions import DataWarning
from scoredag.metrics import order_divergence
from scoredag.order import boosted_neighbours, peel
from scoredag.order.peel import find_leaves
from scoredag.score import SteinField
from scoredag.score.fields.local import LocalField
from scoredag.simulate import paper_dataset


def table(n=120, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1:] += np.sin(2 * X[:, :-1])
    return X


def everything(X):
    return np.ones((X.shape[1],) * 2)


def nothing(X):
    return np.zeros((X.shape[1],) * 2)


def chain(X):
    return np.eye(X.shape[1], k=1)


def test_with_all_columns_near_it_is_the_plain_field():
    X = table()
    local, plain = LocalField(X, screen=everything, most=6), SteinField(X)
    for column in (None, 2, 5):
        if column is not None:
            local.remove(column)
            plain.remove(column)
        assert_array_equal(local.columns, plain.columns)
        assert_allclose(local.score(), plain.score(), rtol=1e-6, atol=1e-8)
        assert_allclose(local.jacobian_diagonal(), plain.jacobian_diagonal(), rtol=1e-5, atol=1e-7)
        for ours, theirs in zip(local.diagonal_moments(), plain.diagonal_moments(), strict=True):
            assert_allclose(ours, theirs, rtol=1e-6)
        row = int(local.columns[1])
        assert_allclose(local.jacobian_row(row), plain.jacobian_row(row), rtol=1e-5, atol=1e-7)


def test_without_neighbours_columns_are_alone():
    X = table()
    local = LocalField(X, screen=nothing)
    alone = np.hstack([SteinField(X[:, [j]]).jacobian_diagonal() for j in range(6)])
    assert_array_equal(local.jacobian_diagonal(), alone)
    row = local.jacobian_row(2)
    assert_array_equal(row[:, [0, 1, 3, 4, 5]], 0)
    assert_array_equal(row[:, 2], alone[:, 2])


def test_a_row_is_that_of_the_neighbourhood():
    X = table()
    local = LocalField(X, screen=chain, most=2)
    local.remove(0)
    assert local.neighbourhood(3) == (2, 4)
    expected = SteinField(X[:, [3, 2, 4]]).jacobian_row(0)
    assert_array_equal(local.jacobian_row(3)[:, [2, 1, 3]], expected)  # of the columns 1 to 5


def test_moments_after_removals_are_those_of_a_fresh_field():
    X = table(d=8)
    local = LocalField(X, most=3)
    for column in (3, 0, 7):
        local.diagonal_moments()
        local.remove(column)
        J = local.jacobian_diagonal()
        mean, variance = local.diagonal_moments()
        assert_allclose(mean, J.mean(axis=0))
        assert_allclose(variance, J.var(axis=0))


class Counting(LocalField):
    def __init__(self, X):
        self.asked = []
        super().__init__(X, screen=chain, most=2)

    def _field_of(self, column):
        self.asked.append(column)
        return super()._field_of(column)


def test_only_columns_near_a_removed_one_are_computed_again():
    field = Counting(table(n=40, d=9))
    field.diagonal_moments()
    assert field.asked == list(range(9))
    field.diagonal_moments()
    assert len(field.asked) == 9
    field.remove(4)
    near = {3, 5}  # each column's two neighbours fill its neighbourhood
    field.diagonal_moments()
    assert set(field.asked[9:]) == near


def test_the_score_of_a_chain_is_seen_by_neighbours_alone():
    """Of 40 columns in pairs x -> y, one kernel over all resolves less than one over each pair."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 20))
    X = np.hstack([x, np.sin(2 * x) + 0.5 * rng.normal(size=x.shape)])
    plain, local = (field(X).diagonal_moments()[1] for field in (SteinField, LocalField))
    pairs = [(v[20:] < v[:20]).sum() for v in (plain, local)]  # where the effect varies less
    assert pairs[1] >= pairs[0]
    assert pairs[1] >= 18


def test_it_makes_fewer_mistakes_than_the_plain_field():
    sets = [paper_dataset(60, "ER1", seed=seed, n=300) for seed in (1000, 1001, 1002)]
    plain, local = (
        sum(order_divergence(D.adjacency, peel(D.X, score_estimator=name)) for D in sets)
        for name in ("stein", "local")
    )
    assert local <= 0.7 * plain


def test_any_screen_will_do():
    X = paper_dataset(6, "ER1", seed=1000, n=200).X
    for screen in ("dependence", "forward", boosted_neighbours):
        order = peel(X, score_estimator=lambda T, screen=screen: LocalField(T, screen=screen))
        assert_array_equal(np.sort(order), np.arange(6))
    with pytest.raises(ValueError, match="screen must be one of 'dependence', 'forward'"):
        LocalField(X, screen="nothing")
    with pytest.raises(ValueError, match="screen must return strengths"):
        LocalField(X, screen=lambda T: T)


def test_all_values_of_every_step_are_up_to_date():
    X = paper_dataset(6, "ER1", seed=1000, n=150).X
    leaves = find_leaves(X, score_estimator="local")
    assert all(leaf.current is None for leaf in leaves)
    left = leaves[2].columns
    assert_allclose(leaves[2].values, LocalFieldOf(X, left).diagonal_moments()[1])


def LocalFieldOf(X, left):
    field = LocalField(X)
    for column in np.setdiff1d(np.arange(X.shape[1]), left):
        field.remove(int(column))
    return field


@pytest.mark.parametrize("scale", [1e-6, 1e4])
def test_a_scale_far_from_the_papers_is_warned_about_once(scale):
    field = LocalField(table(n=40) * scale)
    with pytest.warns(DataWarning, match="the ridge grows with that distance") as caught:
        field.diagonal_moments()
    assert len(caught) == 1


def test_what_the_plain_field_refuses_is_refused():
    with pytest.raises(ValueError, match="eta must be a positive number"):
        LocalField(table(), eta=0)
    with pytest.raises(ValueError, match="at least 3 rows"):
        LocalField(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="most must be a whole number"):
        LocalField(table(), most=0)
    field = LocalField(table(n=30, d=2))
    field.remove(0)
    for use in (field.remove, field.neighbourhood, field.jacobian_row):
        with pytest.raises(ValueError, match="column 0 is not among the columns left"):
            use(0)
    with pytest.raises(ValueError, match="column 1 is the last one"):
        field.remove(1)
