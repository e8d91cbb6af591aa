import numpy as np
import pytest

from scoredag import ScoreGP
from scoredag.diagnosis import Reason, about_products, exact_relations, related
from scoredag.diagnosis.computed import Relation
from scoredag.exceptions import DataWarning


def columns(n=200, seed=0):
    """Price, count, and two others; all positive."""
    rng = np.random.default_rng(seed)
    return rng.uniform(1, 2, size=n), rng.poisson(30, size=n) + 1.0, *rng.uniform(1, 9, (2, n))


def found(*values):
    return {(tuple(sorted(r.columns)), r.is_product) for r in exact_relations(np.transpose(values))}


def test_sums_and_products():
    price, count, a, b = columns()
    assert found(price, count, a, b) == set()
    assert found(price, count, a, price * count) == {((0, 1, 3), True)}
    assert found(price, count, a, a - 2 * count) == {((1, 2, 3), False)}
    assert found(price, count, a, count / price**2) == {((0, 1, 3), True)}


def test_two_relations_side_by_side():
    price, count, a, b = columns()
    assert found(price, count, a, b, price * count, a + b) == {
        ((0, 1, 4), True),
        ((2, 3, 5), False),
    }


def test_relations_that_share_a_column_are_one():
    price, count, _, b = columns()
    values = np.array([price, b, count, price * count, price / count, price**2 * count])
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(6)
        (relation,) = exact_relations(values[order].T)
        assert {int(order[k]) for k in relation.columns} == {0, 2, 3, 4, 5}


def test_rows_with_zeros_have_no_logarithm():
    price, count, a, _ = columns()
    count[:40] = 0
    assert found(price, count, a, price * count) == {((0, 1, 3), True)}
    mostly_zero = np.where(np.arange(200) < 150, 0.0, a)
    assert found(price, count, mostly_zero, price * count) == {((0, 1, 3), True)}


def test_units_do_not_matter():
    price, count, a, _ = columns()
    assert found(1e6 * price, 1e-6 * count, -a, -7 * price * count) == {((0, 1, 3), True)}


@pytest.mark.parametrize("decimals", [2, 3])
def test_rounded_products(decimals):
    price, count, a, _ = columns()
    assert found(price, count, a, np.round(price * count, decimals)) == {((0, 1, 3), True)}


def test_noise_is_no_relation():
    price, count, a, _ = columns()
    noise = np.random.default_rng(1).normal(size=200)
    assert found(price, count, a, price * count * np.exp(0.03 * noise)) == set()


@pytest.mark.parametrize("shape", [(3, 4), (6, 8), (100, 1)])
def test_relations_by_chance_do_not_count(shape):
    """With no more rows than columns every column is a function of the others."""
    assert exact_relations(np.random.default_rng(0).normal(size=shape)) == ()


def test_constant_and_all_zero_columns():
    price, count, a, _ = columns()
    assert found(price, 0 * a, 3 + 0 * a, count, price * count) == {((0, 3, 4), True)}


def test_pairs_of_a_relation():
    assert np.argwhere(related([Relation(frozenset({0, 2}), True)], 3)).tolist() == [
        [0, 0],
        [0, 2],
        [2, 0],
        [2, 2],
    ]


def test_only_products_are_named():
    relations = [Relation(frozenset({0, 1}), False), Relation(frozenset({1, 2}), True)]
    (message,) = about_products(relations, ["a", "b", "c"])
    assert message.startswith("'b' and 'c' are tied by a product of powers")


def test_edges_between_computed_columns_are_undirected():
    rng = np.random.default_rng(2)
    price, warmth = rng.uniform(1, 2, size=300), rng.normal(size=300)
    count = np.exp(np.sin(warmth) + 0.2 * rng.normal(size=300))
    with pytest.warns(DataWarning, match="'x1', 'x2' and 'x3' are tied by a product"):
        model = ScoreGP().fit(np.column_stack([warmth, price, count, price * count]))
    between = model.adjacency_matrix_[1:, 1:] == 1
    assert between.any()
    assert (model.undirected_reasons_[1:, 1:][between] == Reason.COMPUTED).all()
    assert np.isnan(model.direction_evidence_[1:, 1:][between]).all()


def test_edges_to_a_column_without_noise_are_undirected():
    """Whatever the function: this one is neither a sum of columns nor a product."""
    x, z = np.random.default_rng(3).uniform(1, 4, size=(2, 200))
    with pytest.warns(DataWarning, match="can be computed from"):
        model = ScoreGP().fit(np.column_stack([x, z, np.sin(x) + z]))
    assert (model.undirected_reasons_[model.adjacency_matrix_ == 1] == Reason.COMPUTED).all()


@pytest.mark.parametrize("function", [np.exp, np.sinh, np.tanh])
def test_a_curve_without_noise_is_named(function):
    """A few rounding errors at the ends must not look like noise whose scale varies."""
    x = np.random.default_rng(0).normal(size=500)
    with pytest.warns(DataWarning, match="can be computed from"):
        model = ScoreGP().fit(np.column_stack([x, function(x)]))
    assert (model.undirected_reasons_[model.adjacency_matrix_ == 1] == Reason.COMPUTED).all()


@pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")
def test_edges_among_the_parents_of_a_computed_column_are_undirected():
    """Which of a * b - c, a, b and c is computed cannot be told: the search may take a."""
    for seed in (3, 7):
        a, b, c = np.random.default_rng(seed).uniform(1, 2, size=(3, 300))
        model = ScoreGP().fit(np.column_stack([a, b, c, a * b - c]))
        assert model.adjacency_matrix_.sum() > 2
        assert (model.undirected_reasons_[model.adjacency_matrix_ == 1] == Reason.COMPUTED).all()


def test_columns_with_many_zeros_do_not_hide_a_product():
    price, count, *_ = columns(500)
    rng = np.random.default_rng(1)
    sparse = [np.where(rng.random(500) < 0.45, 0.0, rng.gamma(2, 1, 500)) for _ in range(6)]
    assert found(price, count, price * count, *sparse) == {((0, 1, 2), True)}
    some = np.where(rng.random(500) < 0.1, 0.0, count)
    assert found(price, some, price * some, *sparse) == {((0, 1, 2), True)}


def test_few_small_counts_are_not_related_by_chance():
    for seed in range(100):
        X = np.random.default_rng(seed).integers(0, 3, size=(200, 4)).astype(float)
        assert exact_relations(X) == ()
