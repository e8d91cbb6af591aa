import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import block_diag, sqrtm
from scipy.optimize import brentq

from scoredag.metrics import order_divergence
from scoredag.order import refine_order
from scoredag.order.local_score import explore_all, order_loss
from scoredag.order.local_scores.additive import AdditiveScore
from scoredag.regression.additive import most_terms
from scoredag.regression.bases.cubic import cubic
from scoredag.settings import SEARCH, SearchSettings
from scoredag.simulate import paper_dataset


def sines(n=200, seed=0, d=4):
    """The last column is a sum of waves of the others, but for the last but one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, -1] = np.sin(2 * X[:, :-2]).sum(axis=1) + 0.3 * X[:, -1]
    return X


def naive_term(x, edf, size):
    """Centred raw splines, and a root of the penalty that leaves them ``edf`` when alone."""
    raw = cubic(x - x.mean(), size)
    C = raw.evaluate(x - x.mean())
    C = C - C.mean(axis=0)

    def freedom(log_lambda):
        return np.trace(np.linalg.pinv(C.T @ C + np.exp(log_lambda) * raw.penalty) @ C.T @ C)

    log_lambda = brentq(lambda t: freedom(t) - edf, -30.0, 30.0)
    return C, np.real(sqrtm(np.exp(log_lambda) * raw.penalty))


def naive_loss(X, node, parents, settings=SEARCH):
    """n/2 log(R / R_0) + p edf/2 log n, R from one least-squares problem on all rows."""
    y, n, edf = X[:, node] - X[:, node].mean(), len(X), settings.additive_edf
    terms = [naive_term(X[:, k], edf, settings.additive_size) for k in sorted(parents)]
    design = np.vstack([np.hstack([C for C, _ in terms]), block_diag(*[root for _, root in terms])])
    target = np.concatenate([y, np.zeros(len(design) - n)])
    coefficients = np.linalg.lstsq(design, target, rcond=1e-10)[0]
    rest = np.sum((target - design @ coefficients) ** 2)
    return 0.5 * n * np.log(rest / (y @ y)) + 0.5 * len(parents) * edf * np.log(n)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("parents", [{0}, {1}, {0, 1}])
def test_losses_equal_those_of_naive_penalised_least_squares(seed, parents):
    X = sines(seed=seed)
    score = AdditiveScore(X)
    score.explore(3, parents)
    found = score.best(3, parents)
    assert found.parents == parents
    assert found.loss == pytest.approx(naive_loss(X, 3, parents), rel=1e-5, abs=1e-4)


def test_degrees_of_freedom_and_coefficients_come_from_the_settings():
    X = sines(300)
    settings = SearchSettings(additive_edf=3.0, additive_size=6)
    score = AdditiveScore(X, settings)
    score.explore(3, {0, 1})
    assert score.best(3, {0, 1}).loss == pytest.approx(naive_loss(X, 3, {0, 1}, settings), rel=1e-5)


def test_parents_are_those_of_greedy_selection_by_naive_regressions():
    X = paper_dataset(5, "ER4", seed=1, n=150).X
    for node in range(5):
        parents, loss = set(), 0.0
        while rest := set(range(5)) - {node} - parents:
            losses = {k: naive_loss(X, node, parents | {k}) for k in rest}
            k = min(losses, key=losses.get)
            if losses[k] >= loss:
                break
            parents, loss = parents | {k}, losses[k]
        score = AdditiveScore(X)
        score.explore(node, set(range(5)) - {node})
        found = score.best(node, range(5))
        assert found.parents == parents
        assert found.loss == pytest.approx(loss, rel=1e-5, abs=1e-4)


def test_nothing_is_known_at_first_and_losses_only_fall():
    X, rng = paper_dataset(5, "ER4", seed=0, n=200).X, np.random.default_rng(0)
    score = AdditiveScore(X)
    orders = list(itertools.permutations(range(5)))[::10]
    before = np.array([order_loss(score, order) for order in orders])
    assert (before == 0).all()
    for _ in range(20):
        node = int(rng.integers(5))
        score.explore(node, [k for k in range(5) if k != node and rng.random() < 0.6])
        after = np.array([order_loss(score, order) for order in orders])
        assert (after <= before).all()
        before = after
    assert (before < 0).any()


def test_best_uses_available_columns_only():
    score = AdditiveScore(paper_dataset(5, "ER4", seed=0, n=200).X)
    for node in range(5):
        others = [k for k in range(5) if k != node]
        score.explore(node, others)
        for available in itertools.combinations(others, 2):
            assert score.best(node, available).parents <= set(available)


def test_what_an_earlier_search_covers_is_not_explored_again():
    score = AdditiveScore(sines())
    score.explore(3, {0, 1, 2})
    found = score.best(3, {0, 1, 2})
    score.explore(3, {0, 1})
    score.explore(3, [])
    assert score.best(3, {0, 1}) is found
    assert found.parents == {0, 1}


def test_independent_columns_have_no_parents():
    score = AdditiveScore(np.random.default_rng(0).normal(size=(300, 6)))
    explore_all(score, {v: set(range(6)) - {v} for v in range(6)})
    assert all(score.best(v, range(6)).parents == frozenset() for v in range(6))


def test_units_do_not_matter():
    X = paper_dataset(5, "ER4", seed=3, n=200).X
    moved = X * [1e-5, -3.0, 1e5, 1.0, 7.0] + [0, 10, -1e3, 5, 0]
    one, two = AdditiveScore(X), AdditiveScore(moved)
    for node in range(5):
        others = set(range(5)) - {node}
        for score in (one, two):
            score.explore(node, others)
        assert one.best(node, others).parents == two.best(node, others).parents
        assert_allclose(two.best(node, others).loss, one.best(node, others).loss, atol=1e-3)


def test_columns_that_do_not_vary_take_no_part():
    X = np.insert(sines(), 1, 7.0, axis=1)
    score = AdditiveScore(X)
    score.explore(4, {0, 1, 2, 3})
    assert score.best(4, {0, 1, 2, 3}).parents == {0, 2}
    score.explore(1, {0, 2, 3, 4})
    assert score.best(1, {0, 2, 3, 4}).loss == 0
    score.explore(4, {1})
    assert score.best(4, {1}).loss == 0


@pytest.mark.parametrize("shape", [(60, 3), (60, 1)])
def test_a_table_in_which_nothing_varies_has_no_edges(shape):
    score = AdditiveScore(np.ones(shape))
    score.explore(0, range(1, shape[1]))
    assert score.best(0, range(1, shape[1])).loss == 0


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 60))
    X[:, 59] = 2 * np.sin(X[:, 45]) + 0.1 * rng.normal(size=40)
    score = AdditiveScore(X)
    score.explore(59, range(59))
    found = score.best(59, range(59))
    assert 45 in found.parents
    assert len(found.parents) <= most_terms(40)
    assert np.isfinite(found.loss)
    assert sorted(refine_order(X, range(60), local_score="additive").order) == list(range(60))


def test_tied_columns_are_parents_too():
    rng = np.random.default_rng(0)
    binary, few = rng.integers(0, 2, 300), rng.integers(0, 4, 300)
    X = np.column_stack([binary, few, 2 * binary + (few - 1.5) ** 2 + rng.normal(size=300)])
    score = AdditiveScore(X)
    score.explore(2, {0, 1})
    assert score.best(2, {0, 1}).parents == {0, 1}
    for node in (0, 1):
        score.explore(node, {0, 1, 2} - {node})
        assert np.isfinite(score.best(node, range(3)).loss)


def test_copies_have_a_finite_loss():
    x, z = np.random.default_rng(0).normal(size=(2, 100))
    score = AdditiveScore(np.column_stack([x, x, 2 * x, z]))
    for node in range(4):
        score.explore(node, set(range(4)) - {node})
    assert score.best(0, {1, 2, 3}).loss < -100
    assert np.isfinite([score.best(node, range(4)).loss for node in range(4)]).all()


@pytest.mark.parametrize("seed", range(3))
def test_orders_of_the_papers_sparse_data_are_found(seed):
    data = paper_dataset(8, "ER1", seed=seed, n=500)
    start = np.random.default_rng(seed).permutation(8)
    result = refine_order(data.X, start, local_score="additive")
    assert order_divergence(data.adjacency, result.order) <= 1
    assert result.loss < result.start_loss
    assert result.noise is None


def test_rows_do_not_bound_the_additive_score():
    """Only a score whose time grows fast with the rows gets fewer of them."""
    X = sines(300)
    few, all_ = (
        refine_order(X, [3, 2, 1, 0], local_score="additive", final_rows=rows) for rows in (50, 300)
    )
    assert few.loss == all_.loss
