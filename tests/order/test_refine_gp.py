"""The whole search on data, with Gaussian processes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag import Knowledge
from scoredag.metrics import order_divergence
from scoredag.order import refine_order
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.settings import SearchSettings
from scoredag.simulate import paper_dataset
from tests.some_slow import some_slow


def bent(x, rng, noise=0.3):
    return np.sin(2 * x) + noise * rng.normal(size=len(x))


def pair(n=200, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return np.column_stack([x, bent(x, rng)])


def chain(n=200, seed=0):
    """0 -> 1 -> 2 -> 3"""
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=n)]
    for _ in range(3):
        columns.append(np.tanh(1.5 * columns[-1]) + 0.4 * rng.normal(size=n))
    return np.column_stack(columns)


def collider(n=200, seed=0):
    """0 -> 2 <- 1 and 2 -> 3"""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    y = np.sin(2 * x) + z**2 / 2 + 0.3 * rng.normal(size=n)
    return np.column_stack([x, z, y, np.tanh(y) + 0.3 * rng.normal(size=n)])


CHAIN = np.eye(4, k=1, dtype=int)
COLLIDER = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])


@pytest.mark.parametrize("start", [[0, 1], [1, 0]])
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_pair_is_reversed_and_a_right_one_stays(start, seed):
    result = refine_order(pair(seed=seed), start)
    assert_array_equal(result.order, [0, 1])
    assert result.reversal_evidence[0, 1] > 3
    assert np.isnan(result.reversal_evidence[[0, 1, 1], [0, 0, 1]]).all()


@pytest.mark.parametrize(("make", "truth"), [(chain, CHAIN), (collider, COLLIDER)])
@pytest.mark.parametrize("seed", range(2))
def test_orders_are_found_from_the_reversed_one(make, truth, seed):
    result = refine_order(make(seed=seed), [3, 2, 1, 0])
    assert order_divergence(truth, result.order) == 0
    assert result.loss < result.start_loss - 10


@pytest.mark.parametrize("start", some_slow(itertools.permutations(range(3)), 3))
def test_parents_that_act_only_together_are_found_from_any_order(start):
    """No edge shows as long as an effect is before one of its causes: there is none to reverse."""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 300))
    y = np.sin(2 * x) * z + 0.3 * rng.normal(size=300)
    result = refine_order(np.column_stack([y, x, z]), start)
    assert result.order[-1] == 0
    assert result.fits[0].parents == {1, 2}


def test_fits_belong_to_the_order():
    X = collider()
    result = refine_order(X, [3, 2, 1, 0])
    place = np.argsort(result.order)
    for v, fit in enumerate(result.fits):
        assert all(place[u] < place[v] for u in fit.parents)
    assert result.fits[2].parents == {0, 1}
    assert result.loss == pytest.approx(sum(fit.loss for fit in result.fits))
    used = np.array([[i in fit.parents for fit in result.fits] for i in range(4)])
    assert not np.isfinite(result.reversal_evidence)[~used].any()


@pytest.mark.slow  # with a table of losses instead of fits it is quick: see test_refine.py
@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["ER1", "SF1"]))
def test_the_result_is_an_order_no_worse_than_its_start(seed, graph):
    X = paper_dataset(6, graph, seed=seed, n=80).X
    start = np.random.default_rng(seed).permutation(6)
    result = refine_order(X, start)
    assert sorted(result.order) == list(range(6))
    assert result.loss <= result.start_loss + 1e-9


@pytest.mark.slow  # with a table of losses instead of fits it is quick: see test_refine.py
def test_the_best_of_several_starts_goes_on():
    X = collider()
    orders = list(itertools.permutations(range(4)))[::7]
    together = refine_order(X, *orders)
    assert together.loss <= min(refine_order(X, order).loss for order in orders) + 2
    assert order_divergence(COLLIDER, together.order) == 0


def test_disallowed_parents_are_never_used():
    X = collider()
    candidates = np.ones((4, 4))
    candidates[0, 2] = 0
    for start in ([0, 1, 2, 3], [3, 2, 1, 0]):
        result = refine_order(X, start, candidates=candidates)
        assert 0 not in result.fits[2].parents
    assert refine_order(X, [0, 1, 2, 3]).fits[2].parents == {0, 1}


def test_what_is_related_to_nothing_comes_last():
    X = np.column_stack([np.random.default_rng(1).normal(size=200), pair()])
    assert_array_equal(refine_order(X, [0, 1, 2]).order, [1, 2, 0])


def test_without_candidates_every_order_is_as_good():
    result = refine_order(chain(), [2, 0, 3, 1], candidates=np.zeros((4, 4)))
    assert_array_equal(result.order, [2, 0, 3, 1])
    assert result.loss == result.start_loss == 0
    assert np.isnan(result.reversal_evidence).all()


@pytest.mark.parametrize(
    ("rows", "final_rows", "compared", "is_sharpened"),
    [(60, 120, 120, True), (60, 1000, 150, True), (60, 60, 60, False), (400, 1000, 150, False)],
)
def test_a_last_round_looks_at_more_rows(rows, final_rows, compared, is_sharpened):
    built, sharpened = [], []

    class Observed(GaussianProcessScore):
        def __init__(self, X, rows, settings):
            super().__init__(X, rows, settings)
            built.append((len(X), rows))

        def sharpened(self):
            sharpened.append(super().sharpened())
            return sharpened[-1]

    result = refine_order(
        collider(150), [3, 2, 1, 0], local_score=Observed, rows=rows, final_rows=final_rows
    )
    assert built == [(compared, rows)]
    assert [score is not None for score in sharpened] == [is_sharpened]
    assert sorted(result.order) == [0, 1, 2, 3]


def test_more_rows_are_worth_more_nats():
    X = collider(300)
    few = refine_order(X, [0, 1, 2, 3], rows=100, final_rows=100)
    more = refine_order(X, [0, 1, 2, 3], rows=100, final_rows=300)
    assert more.loss < 1.5 * few.loss < 0


def test_the_generator_draws_the_rows():
    X = collider(300)

    def loss(rng):
        return refine_order(X, [3, 2, 1, 0], rows=100, final_rows=100, rng=rng).loss

    assert loss(None) == loss(None) == loss(0) != loss(1)
    assert loss(np.random.default_rng(1)) == loss(1)


def test_jobs_change_nothing():
    X = collider(150)
    one, two = (refine_order(X, [3, 2, 1, 0], rows=100, n_jobs=k) for k in (1, 2))
    assert_array_equal(one.order, two.order)
    assert one.loss == two.loss
    assert_array_equal(one.reversal_evidence, two.reversal_evidence)


@pytest.mark.parametrize("rows", [60, 400])
def test_progress_ends_at_its_total(rows):
    seen = []
    refine_order(
        chain(100), [3, 2, 1, 0], [0, 1, 2, 3], rows=rows, progress=lambda *s: seen.append(s)
    )
    done = [state[0] for state in seen]
    assert done == sorted(done)
    assert len({total for _, total in seen}) == 1
    assert seen[-1][0] == seen[-1][1]


@settings(max_examples=2)
@given(
    st.lists(st.floats(-5, 5), min_size=4, max_size=4),
    st.lists(st.sampled_from([-1.0, 1.0]), min_size=4, max_size=4),
    st.lists(st.floats(-100, 100), min_size=4, max_size=4),
)
def test_units_do_not_matter(exponents, signs, shifts):
    X = collider(120)
    scales = np.array(signs) * 10.0 ** np.array(exponents)
    result, moved = (refine_order(T, [3, 2, 1, 0]) for T in (X, scales * (X + shifts)))
    assert_array_equal(moved.order, result.order)
    assert_allclose(moved.loss, result.loss, atol=0.1)


def test_columns_that_hardly_vary_do_not_fail():
    """Other than 0 in one row, which the search does not draw."""
    rare = np.zeros(150)
    rare[np.random.default_rng(0).permutation(150)[-1]] = 1.0
    X = np.column_stack([pair(150), rare])
    result = refine_order(X, [2, 1, 0], rows=60, final_rows=80)
    place = np.argsort(result.order)
    assert place[0] < place[1]


NOISES = {
    "uniform": lambda rng, size: rng.uniform(-1, 1, size),
    "exponential": lambda rng, size: rng.exponential(size=size),
    "two humps": lambda rng, size: rng.choice([-1, 1], size) + 0.3 * rng.normal(size=size),
}


def lines(kind, d, seed, n=400):
    """A chain of straight lines, 0 -> 1 -> ..., with such noise."""
    noise = NOISES[kind](np.random.default_rng(seed), (n, d))
    for j in range(1, d):
        noise[:, j] = noise[:, j - 1] + 0.6 * noise[:, j]
    return noise


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("seed", some_slow(range(3), 1))
def test_the_negentropy_of_noise_tells_the_direction_of_a_line(kind, seed):
    X = lines(kind, 2, seed)
    for start in ([0, 1], [1, 0]):
        result = refine_order(X, start)
        assert_array_equal(result.order, [0, 1])
        assert result.reversal_evidence[0, 1] > 10


@pytest.mark.parametrize("seed", some_slow(range(2), 1))
def test_a_chain_of_lines_is_reversed_edge_by_edge(seed):
    result = refine_order(lines("uniform", 5, seed), [4, 3, 2, 1, 0])
    assert_array_equal(result.order, range(5))
    assert [sorted(fit.parents) for fit in result.fits] == [[], [0], [1], [2], [3]]


@pytest.mark.parametrize("decimals", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_rounded_noise_tells_directions_too(decimals, seed):
    result = refine_order(lines("uniform", 2, seed).round(decimals), [1, 0])
    assert_array_equal(result.order, [0, 1])


@pytest.mark.parametrize("seed", range(10))
def test_the_negentropy_of_noise_takes_no_edge_away(seed):
    """Only the wrong direction is allowed, and the edge too weak to show in the noise."""
    rng = np.random.default_rng(seed)
    x = rng.choice([-1, 1], 100) + 0.3 * rng.normal(size=100)
    X = np.column_stack([0.5 * x + rng.normal(size=100), x])
    result = refine_order(X, [0, 1], candidates=[[0, 1], [0, 0]])
    assert_array_equal(result.order, [0, 1])


@pytest.mark.parametrize("seed", some_slow(range(8), 2))
def test_all_edges_are_weighed_anew_after_a_reversal(seed):
    result = refine_order(lines("exponential", 5, seed, n=200), [4, 3, 2, 1, 0])
    edges = np.zeros((5, 5), dtype=int)
    for node, fit in enumerate(result.fits):
        edges[sorted(fit.parents), node] = 1
    longer = np.linalg.matrix_power(np.eye(5) + edges, 5) @ edges @ edges > 0
    assert np.isfinite(result.reversal_evidence[(edges == 1) & ~longer]).all()


@pytest.mark.parametrize("seed", range(3))
def test_noise_that_depends_on_the_parent_either_way_reverses_nothing(seed):
    """The noise is multiplied: entropies alone would reverse the edge."""
    rng = np.random.default_rng(seed)
    x, e = rng.normal(size=(2, 300))
    result = refine_order(np.column_stack([x, np.exp(2 * np.sin(2 * x) + 0.6 * e)]), [0, 1])
    assert_array_equal(result.order, [0, 1])


@pytest.mark.parametrize("seed", some_slow(range(8), 3))
def test_normal_noise_reverses_nothing(seed):
    """What its negentropy seems to say is less than the error."""
    deaf = SearchSettings(negentropy_error_at_1000=np.inf)
    rng = np.random.default_rng(seed)
    x = rng.normal(size=400)
    X = np.column_stack([x, x + rng.normal(size=400)])
    heard, ignored = (refine_order(X, [0, 1], **options) for options in ({}, {"settings": deaf}))
    assert_array_equal(heard.order, ignored.order)


def test_no_order_is_returned_that_is_known_to_be_worse():
    X = paper_dataset(8, "ER4", seed=102, n=200).X
    rng = np.random.default_rng(2)
    result = refine_order(X, rng.permutation(8), rng.permutation(8), rows=100)
    assert np.nanmin(result.reversal_evidence) > -1


# --- Knowledge


def test_knowledge_without_rules_changes_no_bit():
    X = collider(120)
    free, bound = (refine_order(X, [3, 2, 1, 0], knowledge=k) for k in (None, Knowledge()))
    assert_array_equal(free.order, bound.order)
    assert free.loss == bound.loss
    assert_array_equal(free.reversal_evidence, bound.reversal_evidence)
    assert_array_equal(free.noise.independence, bound.noise.independence)


@pytest.mark.parametrize("start", [[0, 1], [1, 0]])
def test_a_wrong_rule_is_obeyed_whatever_the_noise_says(start):
    """Neither the evidence nor the negentropy of the residuals may reverse the edge."""
    for X in (pair(), lines("uniform", 2, 0)):
        result = refine_order(X, start, knowledge=Knowledge(required=[(1, 0)]))
        assert_array_equal(result.order, [1, 0])
        assert np.isnan(result.reversal_evidence).all()


def test_a_wrong_rule_about_one_pair_reverses_its_edge():
    """In the chain 0 -> 1 -> 2 -> 3."""
    X = lines("uniform", 4, 0)
    knowledge = Knowledge(tiers=[[3], [2]])
    result = refine_order(X, [0, 1, 2, 3], knowledge=knowledge)
    place = np.argsort(result.order)
    assert place[3] < place[2]
    assert 3 in result.fits[2].parents


# --- The additive score on data


@pytest.mark.parametrize(("make", "truth"), [(chain, CHAIN), (collider, COLLIDER)])
def test_the_additive_score_finds_orders_too(make, truth):
    result = refine_order(make(n=400), [3, 2, 1, 0], local_score="additive")
    assert order_divergence(truth, result.order) == 0
    assert result.noise is None


@pytest.mark.parametrize("local_score", ["gp", "additive"])
def test_a_table_in_which_nothing_varies_has_no_edges(local_score):
    result = refine_order(np.ones((60, 3)), [2, 0, 1], local_score=local_score)
    assert_array_equal(result.order, [2, 0, 1])
    assert result.loss == 0
