import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.metrics import order_divergence
from scoredag.order import refine_order
from scoredag.order.arrangement import Arrangement
from scoredag.regression import explanations as explanations_module
from scoredag.regression.explanations import Explanations
from scoredag.regression.relevance import Explanation
from scoredag.simulate import paper_dataset


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
def test_a_wrong_pair_is_turned_and_a_right_one_stays(start, seed):
    result = refine_order(pair(seed=seed), start)
    assert_array_equal(result.order, [0, 1])
    assert result.direction[0, 1] > 3
    assert np.isnan(result.direction[[0, 1, 1], [0, 0, 1]]).all()


@pytest.mark.parametrize(("make", "truth"), [(chain, CHAIN), (collider, COLLIDER)])
@pytest.mark.parametrize("seed", range(2))
def test_orders_are_found_from_the_reversed_one(make, truth, seed):
    result = refine_order(make(seed=seed), [3, 2, 1, 0])
    assert order_divergence(truth, result.order) == 0
    assert result.loss < result.start_loss - 10


@pytest.mark.parametrize("start", list(itertools.permutations(range(3))))
def test_causes_that_act_only_together_are_found_from_any_order(start):
    """No edge shows as long as an effect is before one of its causes, so there is none to turn."""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 300))
    y = np.sin(2 * x) * z + 0.3 * rng.normal(size=300)
    result = refine_order(np.column_stack([y, x, z]), start)
    assert result.order[-1] == 0
    assert result.explanations[0].causes == {1, 2}


def test_a_column_that_others_hardly_need_is_put_behind_them(monkeypatch):
    """3 seems to be a weak cause of all others; it is their joint effect."""

    def told(X, target, start, **_):
        causes = frozenset(np.flatnonzero(start).tolist())
        if target == 3 and len(causes) == 3:
            return Explanation(causes, -60.0, 0.7, start)
        if target == 3 or 3 not in causes:
            return Explanation.none(4)
        only = np.where(np.arange(4) == 3, start, 0.0)
        return Explanation(frozenset({3}), -5.0, 0.7, only)

    monkeypatch.setattr(explanations_module, "explain", told)
    X = np.random.default_rng(0).normal(size=(60, 4))
    result = refine_order(X, [3, 0, 1, 2])
    assert result.order[-1] == 3
    assert result.loss == -60


def test_an_edge_is_turned_against_the_evidence_if_another_makes_up_for_it(monkeypatch):
    """Of 2 -> 1 -> 0 each edge loses when it is turned alone; both together gain 5 nats."""
    losses = {(1, (2,)): -50, (0, (1,)): -50, (1, (0, 2)): -88, (2, (1,)): -45, (1, (0,)): -60}

    def told(X, target, start, **_):
        offered = set(np.flatnonzero(start).tolist())
        known = [(loss, of) for (v, of), loss in losses.items() if v == target and {*of} <= offered]
        loss, causes = min(known, default=(0, ()))
        relevances = np.where(np.isin(np.arange(3), causes), 0.7, 0.0)
        return Explanation(frozenset(causes), float(loss), 0.7, relevances)

    monkeypatch.setattr(explanations_module, "explain", told)
    X = np.random.default_rng(0).normal(size=(60, 3))
    result = refine_order(X, [2, 1, 0])
    assert result.start_loss == -100
    assert result.loss == -105
    assert_array_equal(result.order, [0, 1, 2])


def test_explanations_belong_to_the_order():
    X = collider()
    result = refine_order(X, [3, 2, 1, 0])
    place = np.argsort(result.order)
    for v, explanation in enumerate(result.explanations):
        assert all(place[u] < place[v] for u in explanation.causes)
    assert result.explanations[2].causes == {0, 1}
    assert result.loss == pytest.approx(sum(e.loss for e in result.explanations))
    needed = np.array([[i in e.causes for e in result.explanations] for i in range(4)])
    assert not np.isfinite(result.direction)[~needed].any()


@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["ER1", "SF1"]))
def test_the_result_is_an_order_no_worse_than_its_start(seed, graph):
    X = paper_dataset(6, graph, seed=seed, n=80).X
    start = np.random.default_rng(seed).permutation(6)
    result = refine_order(X, start)
    assert sorted(result.order) == list(range(6))
    assert result.loss <= result.start_loss + 1e-9


def test_the_best_of_several_starts_goes_on():
    X = collider()
    orders = list(itertools.permutations(range(4)))[::7]
    together = refine_order(X, *orders)
    assert together.loss <= min(refine_order(X, order).loss for order in orders) + 2
    assert order_divergence(COLLIDER, together.order) == 0


@pytest.mark.parametrize(
    "order", [[0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], [0.5, 1, 2, 3], [[0, 1], [2, 3]], 0, []]
)
def test_what_is_no_order_is_refused(order):
    with pytest.raises(ValueError, match="each of the 4 columns once"):
        refine_order(chain(60), [0, 1, 2, 3], order)


def test_an_order_is_needed():
    with pytest.raises(ValueError, match="at least one order"):
        refine_order(chain(60))


def test_forbidden_causes_are_never_used():
    X = collider()
    candidates = np.ones((4, 4))
    candidates[0, 2] = 0
    for start in ([0, 1, 2, 3], [3, 2, 1, 0]):
        result = refine_order(X, start, candidates=candidates)
        assert 0 not in result.explanations[2].causes
    assert refine_order(X, [0, 1, 2, 3]).explanations[2].causes == {0, 1}


def test_what_is_related_to_nothing_comes_last():
    X = np.column_stack([np.random.default_rng(1).normal(size=200), pair()])
    assert_array_equal(refine_order(X, [0, 1, 2]).order, [1, 2, 0])


def test_without_candidates_every_order_is_as_good():
    result = refine_order(chain(), [2, 0, 3, 1], candidates=np.zeros((4, 4)))
    assert_array_equal(result.order, [2, 0, 3, 1])
    assert result.loss == result.start_loss == 0
    assert np.isnan(result.direction).all()


@pytest.fixture
def rows_used(monkeypatch):
    """Numbers of rows that were fitted."""
    used = set()

    def spied(X, target, start, **options):
        used.add(len(X))
        return explain(X, target, start, **options)

    explain = explanations_module.explain
    monkeypatch.setattr(explanations_module, "explain", spied)
    return used


@pytest.mark.parametrize(
    ("rows", "final_rows", "expected"),
    [(60, 120, {60, 120}), (60, 1000, {60, 150}), (60, 60, {60}), (400, 1000, {150})],
)
def test_a_last_round_looks_at_more_rows(rows_used, rows, final_rows, expected):
    result = refine_order(collider(150), [3, 2, 1, 0], rows=rows, final_rows=final_rows)
    assert rows_used == expected
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
    assert_array_equal(one.direction, two.direction)


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


@settings(max_examples=5)
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


def tell(known, target, causes, loss):
    """Let it be known, without a fit."""
    relevances = np.zeros(len(known._known))
    relevances[list(causes)] = 1.0
    known._known[target].append(Explanation(frozenset(causes), loss, 0.0, relevances))


def test_a_move_is_worth_what_it_promises():
    """2 could do without 0 by 1, but 1 cannot be before it if 0 is put behind."""
    known = Explanations(np.random.default_rng(0).normal(size=(60, 4)))
    tell(known, 1, {0}, -50.0)
    tell(known, 2, {0}, -25.0)
    tell(known, 2, {1}, -24.0)
    tell(known, 0, {2, 3}, -10.0)
    arrangement = Arrangement(known, [3, 0, 1, 2], ~np.eye(4, dtype=bool))
    move = arrangement._put_off(0)
    after = known.loss([*move.before, 0, *move.after])
    assert arrangement.loss - after == pytest.approx(move.gain)


def erratic(rng, scale):
    """Fits that find something else every time, as no good ones would."""

    def explain(X, target, start, **_):
        predictors = np.flatnonzero(start)
        causes = predictors[rng.random(len(predictors)) < 0.5]
        if not len(causes):
            return Explanation.none(len(start))
        relevances = np.zeros(len(start))
        relevances[causes] = 1.0
        loss = -float(rng.exponential(scale)) * len(causes)
        return Explanation(frozenset(causes.tolist()), loss, 0.7, relevances)

    return explain


@pytest.mark.parametrize("seed", [*range(20), 202, 351, 449, 591])
def test_any_outcome_of_the_fits_leaves_an_order(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    d, scale = int(rng.integers(3, 10)), float(rng.choice([3, 20, 100]))
    monkeypatch.setattr(explanations_module, "explain", erratic(rng, scale))
    monkeypatch.setattr(Explanations, "_scored", lambda self, target, fit: fit)
    X, starts = rng.normal(size=(60, d)), [rng.permutation(d) for _ in range(2)]
    candidates = None if rng.random() < 0.5 else rng.random((d, d)) < 0.7
    rows = int(rng.choice([50, 60]))
    result = refine_order(X, *starts, rows=rows, candidates=candidates)
    assert sorted(result.order) == list(range(d))
    assert result.loss <= result.start_loss
    place = np.argsort(result.order)
    for v, explanation in enumerate(result.explanations):
        assert all(place[u] < place[v] for u in explanation.causes)
        assert candidates is None or all(candidates[u, v] for u in explanation.causes)


@pytest.mark.parametrize("seed", range(20))
def test_bringing_two_columns_together_is_free(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(explanations_module, "explain", erratic(rng, 20.0))
    arrangement = Arrangement(
        Explanations(rng.normal(size=(60, 7))), list(range(7)), ~np.eye(7, dtype=bool)
    )
    arrangement.look_back(n_jobs=1)
    for a, b in list(arrangement.edges()):
        if arrangement.joins_only(a, b):
            arrangement.gain_of_turning(a, b)
            before = arrangement.loss
            x, y = next((x, y) for x, y in arrangement.edges() if arrangement.joins_only(x, y))
            arrangement.bring_together(x, y)
            assert arrangement.loss <= before + 1e-9


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
@pytest.mark.parametrize("seed", range(3))
def test_the_shape_of_noise_tells_the_direction_of_a_line(kind, seed):
    X = lines(kind, 2, seed)
    for start in ([0, 1], [1, 0]):
        result = refine_order(X, start)
        assert_array_equal(result.order, [0, 1])
        assert result.direction[0, 1] > 10


@pytest.mark.parametrize("seed", range(2))
def test_a_chain_of_lines_is_turned_round_edge_by_edge(seed):
    result = refine_order(lines("uniform", 5, seed), [4, 3, 2, 1, 0])
    assert_array_equal(result.order, range(5))
    assert [sorted(e.causes) for e in result.explanations] == [[], [0], [1], [2], [3]]


@pytest.mark.parametrize("decimals", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_rounded_noise_has_a_shape_too(decimals, seed):
    result = refine_order(lines("uniform", 2, seed).round(decimals), [1, 0])
    assert_array_equal(result.order, [0, 1])


@pytest.mark.parametrize("seed", range(10))
def test_the_shape_of_noise_takes_no_edge_away(seed):
    """Only the wrong direction is allowed, and the edge too weak to show in the noise."""
    rng = np.random.default_rng(seed)
    x = rng.choice([-1, 1], 100) + 0.3 * rng.normal(size=100)
    X = np.column_stack([0.5 * x + rng.normal(size=100), x])
    result = refine_order(X, [0, 1], candidates=[[0, 1], [0, 0]])
    assert_array_equal(result.order, [0, 1])


def test_all_edges_are_weighed_anew_after_a_turn():
    for seed in range(8):
        result = refine_order(lines("exponential", 5, seed, n=200), [4, 3, 2, 1, 0])
        edges = np.zeros((5, 5), dtype=int)
        for effect, explanation in enumerate(result.explanations):
            edges[sorted(explanation.causes), effect] = 1
        longer = np.linalg.matrix_power(np.eye(5) + edges, 5) @ edges @ edges > 0
        assert np.isfinite(result.direction[(edges == 1) & ~longer]).all()


def test_the_shape_of_noise_is_that_in_all_rows_where_it_matters():
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    known = Explanations(np.column_stack([x, x + rng.normal(size=800)]))
    arrangement = Arrangement(known, [0, 1], ~np.eye(2, dtype=bool))
    arrangement.look_back(None)
    arrangement.gain_by_noise(0, 1)
    forward = known.noise_shape(0, known.best(0, [])), known.noise_shape(1, known.best(1, [0]))
    reverse = known.noise_shape(1, known.best(1, [])), known.noise_shape(0, known.best(0, [1]))
    assert arrangement.shapes[0, 1] == pytest.approx(sum(forward) - sum(reverse))
    assert arrangement.shapes[1, 0] == -arrangement.shapes[0, 1]


@pytest.mark.parametrize(("shape", "expected"), [(-19, -7), (-4, 8), (4, 12), (19, 21)])
def test_the_shape_of_noise_counts_whole_only_against_an_edge(shape, expected):
    X = pair(100)
    arrangement = Arrangement(Explanations(X), [0, 1], ~np.eye(2, dtype=bool))
    arrangement.look_back(None)
    arrangement.costs[0, 1], arrangement.shapes[0, 1] = 12, shape
    assert arrangement.costs_of_turning()[0, 1] == expected


@pytest.mark.parametrize("seed", range(3))
def test_noise_that_depends_on_the_cause_either_way_turns_nothing(seed):
    """The noise is multiplied: entropies alone would turn the edge round."""
    rng = np.random.default_rng(seed)
    x, e = rng.normal(size=(2, 300))
    result = refine_order(np.column_stack([x, np.exp(2 * np.sin(2 * x) + 0.6 * e)]), [0, 1])
    assert_array_equal(result.order, [0, 1])


def test_normal_noise_turns_nothing(monkeypatch):
    """What its shape seems to say is less than the error."""

    def orders():
        for seed in range(8):
            rng = np.random.default_rng(seed)
            x = rng.normal(size=400)
            yield refine_order(np.column_stack([x, x + rng.normal(size=400)]), [0, 1]).order

    listened = list(orders())
    monkeypatch.setattr(Arrangement, "gain_by_noise", lambda *_: -np.inf)
    assert_array_equal(listened, list(orders()))


def test_no_order_is_returned_that_is_known_to_be_worse():
    X = paper_dataset(8, "ER4", seed=102, n=200).X
    rng = np.random.default_rng(2)
    result = refine_order(X, rng.permutation(8), rng.permutation(8), rows=100)
    assert np.nanmin(result.direction) > -1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.full((60, 4), np.nan)}, "finite"),
        ({"X": np.ones(60)}, "n rows by d columns"),
        ({"X": chain(5)}, "at least 10 rows"),
        ({"X": 1e-200 * chain(60)}, "too small"),
        ({"X": 1e200 * chain(60)}, "too large"),
        ({"candidates": [0, 1, 1, 1]}, r"got shape \(4,\)"),
        ({"candidates": 0}, r"got shape \(\)"),
        ({"candidates": np.ones((3, 3))}, "4 x 4 matrix"),
        ({"candidates": np.full((4, 4), np.nan)}, "candidates must be finite"),
        ({"rows": 0}, "rows must be a whole number, at least 50"),
        ({"rows": 100.5}, "rows must be a whole number, at least 50"),
        ({"final_rows": -1}, "final_rows must be a whole number, at least 50"),
        ({"margin": np.nan}, "margin must be a number, 0 or more"),
        ({"margin": -5}, "margin must be a number, 0 or more"),
        ({"margin": "a"}, "margin must be a number, 0 or more; got 'a'"),
    ],
)
def test_wrong_input_is_refused(change, message):
    options = {"X": chain(60)} | change
    with pytest.raises(ValueError, match=message):
        refine_order(options.pop("X"), [0, 1, 2, 3], **options)
