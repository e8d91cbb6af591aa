from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.exceptions import DataError
from scoredag.graph import full_dag
from scoredag.order import refine_order
from scoredag.prune import JointEffect, cam_prune, gp_prune
from scoredag.prune.edge_test import threshold
from scoredag.regression.gp_fit import GPFit
from scoredag.settings import EdgeTestSettings

MARGINS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "laplace": lambda rng, shape: rng.laplace(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
}


def product(n=200, seed=0):
    """0 and 1 act on 2 by their product; 3 stands alone, between them."""
    rng = np.random.default_rng(seed)
    x, z, alone = rng.normal(size=(3, n))
    return np.column_stack([x, z, x * z + 0.3 * rng.normal(size=n), alone])


PRODUCT = np.zeros((4, 4), dtype=int)
PRODUCT[[0, 1], 2] = 1
PRODUCT_ORDER = full_dag([0, 1, 3, 2])


@pytest.mark.parametrize("seed", range(3))
def test_parents_that_act_only_together_are_found(seed):
    X = product(seed=seed)
    assert_array_equal(gp_prune(X, PRODUCT_ORDER).adjacency[:, 2], PRODUCT[:, 2])
    assert not cam_prune(X, PRODUCT_ORDER, alpha=0.01).adjacency[[0, 1], 2].all()


def test_additive_parents_are_found():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 4))
    y = np.sin(2 * x[:, 0]) + 0.4 * x[:, 1] + 0.5 * np.abs(x[:, 2]) + 0.4 * rng.normal(size=300)
    kept = gp_prune(np.column_stack([x, y]), full_dag(range(5))).adjacency
    assert_array_equal(kept[:, 4], [1, 1, 1, 0, 0])


def share_with_a_parent(margin, n, level, tables):
    """Share of the nodes with candidates, all independent of each other, that get a parent."""
    false = 0
    for seed in range(tables):
        X = MARGINS[margin](np.random.default_rng(1000 + seed), (n, 5))
        false += gp_prune(X, full_dag(range(5)), level).adjacency.any(axis=0).sum()
    return false / (4 * tables)


def most_by_chance(share, tables):
    """Three standard errors above a share of the nodes."""
    return share + 3 * np.sqrt(share / (4 * tables))


@pytest.mark.slow
@pytest.mark.slice
def test_independent_columns_rarely_get_a_parent():
    assert share_with_a_parent("normal", 200, 0.05, 30) <= most_by_chance(0.05, 30)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.05, 0.01])
@pytest.mark.parametrize("margin", MARGINS)
def test_false_parents_are_as_rare_as_the_level_says(margin, level):
    assert share_with_a_parent(margin, 200, level, 60) <= most_by_chance(level, 60)


@pytest.mark.slow
@pytest.mark.slice
def test_more_rows_than_a_block():
    rng = np.random.default_rng(0)
    x, z, alone = rng.normal(size=(3, 2500))
    X = np.column_stack([x, z, np.sin(2 * x) * z + rng.normal(size=2500), alone])
    candidates = np.zeros((4, 4))
    candidates[[0, 1, 3], 2] = 1
    result = gp_prune(X, candidates)
    assert_array_equal(result.adjacency, PRODUCT)
    # The evidence is summed over all blocks, not that of one.
    assert result.statistic[0, 2] > 1.5 * gp_prune(X[:1000], candidates).statistic[0, 2]


@pytest.mark.slow
@pytest.mark.slice
def test_the_generator_draws_the_blocks():
    X = product(1600)[:, :3]

    def evidence(rng):
        return gp_prune(X, PRODUCT[:3, :3], rng=rng).statistic[0, 2]

    assert evidence(None) == evidence(0) != evidence(1)
    assert evidence(np.random.default_rng(1)) == evidence(1)


def test_a_fit_says_which_parents_are_tested_jointly():
    X = product()
    null = [GPFit.null(4)] * 4
    assert not gp_prune(X, PRODUCT_ORDER, fits=null).adjacency[:2, 2].all()
    refined = refine_order(X, [0, 1, 3, 2])
    candidates = full_dag(refined.order)
    result = gp_prune(X, candidates, fits=refined.fits)
    assert_array_equal(result.adjacency, PRODUCT)


def off(fit, factor):
    """As if it were fitted to other rows."""
    return replace(fit, relevances=factor * fit.relevances)


def test_evidence_of_a_weak_parent_does_not_depend_on_where_fits_were_made():
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=(2, 300))
    y = np.sin(2 * x) * (1 + 0.17 * z) + 0.3 * rng.normal(size=300)
    X, candidates = np.column_stack([x, z, y]), [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    fitted = refine_order(X, [0, 1, 2]).fits
    there, elsewhere = (
        gp_prune(X, candidates, fits=[off(fit, factor) for fit in fitted]).statistic[1, 2]
        for factor in (1.0, 1.5)
    )
    assert 5 < there < 15
    assert elsewhere == pytest.approx(there, abs=2)


def test_the_joint_model_is_compared_at_its_best():
    """At the relevances that it is given it would lose against the additive one."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    X = np.column_stack([x, np.sin(2 * x).sum(axis=1) + 0.3 * rng.normal(size=400)])
    candidates = np.zeros((4, 4))
    candidates[:3, 3] = 1
    given = [off(fit, 1.5) for fit in refine_order(X, [0, 1, 2, 3]).fits]
    effects = gp_prune(X, candidates, fits=given).effects
    assert all(isinstance(effect, JointEffect) for effect in effects.values())


def test_a_fit_with_other_columns_than_the_candidates_is_not_used():
    X = product()
    refined = refine_order(X, [0, 1, 3, 2])
    candidates = np.zeros((4, 4))
    candidates[1, 2] = 1
    result = gp_prune(X, candidates, fits=refined.fits)
    assert not result.adjacency[candidates == 0].any()


def test_evidence_is_there_for_candidates_and_large_for_what_is_kept():
    X = product()
    result = gp_prune(X, PRODUCT_ORDER)
    assert result.statistic_name == "evidence"
    assert_array_equal(np.isnan(result.statistic), PRODUCT_ORDER == 0)
    assert (result.statistic[PRODUCT == 1] >= threshold(0.01, 200, 3)).all()
    assert_array_equal(result.statistic[(PRODUCT_ORDER == 1) & (PRODUCT == 0)], 0.0)
    with pytest.raises(AttributeError, match="no p-values, but evidence"):
        _ = result.p_values


def test_effects_are_there_for_kept_edges():
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 200))
    y = 100 * (np.sin(2 * x) + 0.3 * rng.normal(size=200))
    result = gp_prune(np.column_stack([x, z, y]), full_dag([0, 1, 2]))
    assert set(result.effects) == set(zip(*np.nonzero(result.adjacency), strict=True)) == {(0, 2)}
    effect = result.effects[0, 2]
    middle = abs(effect.x) < 1.5
    # In the units of the columns.
    assert np.corrcoef(effect.y[middle], np.sin(2 * effect.x[middle]))[0, 1] > 0.95
    assert 50 < effect.y[middle].max() < 150


def test_a_stricter_level_keeps_less():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 6))
    y = x @ [0.1, 0.15, 0.2, 0.25, 0.3, 0.35] + rng.normal(size=200)
    X = np.column_stack([x, y])
    kept = [gp_prune(X, full_dag(range(7)), level).adjacency[:, 6].sum() for level in (0.2, 1e-8)]
    assert kept[0] > kept[1]


def test_nothing_is_kept_without_candidates():
    result = gp_prune(product(), np.zeros((4, 4)))
    assert not result.adjacency.any()
    assert np.isnan(result.statistic).all()
    assert result.effects == {}


def test_jobs_change_nothing():
    X = product(150)
    one, two = (gp_prune(X, PRODUCT_ORDER, n_jobs=k) for k in (1, 2))
    assert_array_equal(one.statistic, two.statistic)


def test_progress_counts_nodes_with_candidates():
    seen = []
    gp_prune(product(60), PRODUCT_ORDER, progress=lambda *state: seen.append(state))
    assert seen == [(k, 3) for k in range(1, 4)]


def test_units_do_not_matter():
    X = product()
    moved = X * [1e-5, -1e5, 3.0, 1.0] + [0, 0, 7, -2]
    assert_array_equal(
        gp_prune(moved, PRODUCT_ORDER).adjacency, gp_prune(X, PRODUCT_ORDER).adjacency
    )


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 2, np.nan])
def test_levels_are_probabilities(alpha):
    with pytest.raises(ValueError, match="alpha must be a number between 0 and 1"):
        gp_prune(product(30), PRODUCT_ORDER, alpha)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (np.zeros((3, 3)), "4 x 4"),
        (np.eye(4), "self-loop"),
        (np.full((4, 4), np.nan), "finite"),
    ],
)
def test_candidates_must_fit_the_table(candidates, message):
    with pytest.raises(ValueError, match=message):
        gp_prune(product(30), candidates)


def test_tables_must_hold_finite_numbers_that_vary():
    X = product(30)
    X[3, 1] = np.nan
    with pytest.raises(DataError, match="finite"):
        gp_prune(X, PRODUCT_ORDER)
    X[:, 1] = 1.0
    with pytest.raises(DataError, match="constant"):
        gp_prune(X, PRODUCT_ORDER)


def test_columns_that_do_not_vary_in_a_block_do_not_fail():
    """Other than 0 in one row only, so that one block of two has nothing but zeros."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=1600)
    rare = np.zeros(1600)
    rare[0] = 1.0
    X = np.column_stack([x, rare, np.sin(2 * x) + 0.3 * rng.normal(size=1600)])
    for seed in range(2):
        kept = gp_prune(X, full_dag([0, 1, 2]), rng=np.random.default_rng(seed)).adjacency
        assert kept[0, 2] == 1


def test_fits_are_counted():
    X = np.random.default_rng(0).normal(size=(60, 3))
    with pytest.raises(ValueError, match="one for each of 3 columns; got 2"):
        gp_prune(X, np.eye(3, k=1), fits=[None, None])


def test_no_candidates_have_the_same_details():
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert (
        gp_prune(X, np.zeros((3, 3))).details.keys() == gp_prune(X, np.eye(3, k=1)).details.keys()
    )


def faint(n=3000, seed=0):
    """Column 6 is a joint function of the others, which shows on many rows only."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 7))
    X[:, 6] = np.sin(1.4 * X[:, :6].sum(axis=1)) + X[:, 6]
    return X


SMALL_BLOCKS = EdgeTestSettings(block_rows=300, wide_block_rows=1500, wide_rows=3000)
TO_THE_LAST = np.zeros((7, 7), dtype=int)
TO_THE_LAST[:6, 6] = 1


def fits_to_the_last(relevance=1.4):
    relevances = np.append(np.full(6, relevance), 0.0)
    fit = GPFit(frozenset(range(6)), -50.0, -0.5, relevances)
    return [*[GPFit.null(7)] * 6, fit]


@pytest.mark.parametrize("noise", ["free", "normal"])
def test_a_function_of_many_columns_shows_in_large_blocks(noise):
    wide, options = np.arange(7) == 6, {"settings": SMALL_BLOCKS, "noise": noise}
    options["fits"] = fits_to_the_last()
    for X in (faint(), 3 + 2 * faint()):
        kept = gp_prune(X, TO_THE_LAST, wide=wide, **options)
        assert_array_equal(kept.adjacency, TO_THE_LAST)
        assert (kept.statistic[:6, 6] > 15).all()
    assert gp_prune(faint(), TO_THE_LAST, **options).adjacency[:, 6].sum() < 6


@pytest.mark.parametrize("seed", range(3))
def test_large_blocks_show_no_function_of_independent_columns(seed):
    X = np.random.default_rng(seed).normal(size=(3000, 7))
    options = {"fits": fits_to_the_last(), "settings": SMALL_BLOCKS}
    assert not gp_prune(X, TO_THE_LAST, wide=np.arange(7) == 6, **options).adjacency.any()


def test_large_blocks_are_for_all_or_some_columns():
    with pytest.raises(ValueError, match="wide must be one for each of 4 columns; got"):
        gp_prune(product(), PRODUCT_ORDER, wide=[True])
