"""Columns with heavy tails in the edge test: each node in the units of its fit."""

import numpy as np
import pytest

from scoredag.data.margins import rank_transformed
from scoredag.data.standardise import standardise
from scoredag.prune import gp_prune
from scoredag.prune.edge_data import EdgeTest, columns_by_rank
from scoredag.regression.gp_fit import GPFit

BOTH = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
HEAVY = np.array([True, False, True])


def table(n=300, seed=0):
    """0 is heavy-tailed and acts on 1 and 2, and 2 is heavy-tailed."""
    rng = np.random.default_rng(seed)
    z, e, f = rng.normal(size=(3, n))
    return np.column_stack([np.exp(2 * z), np.sin(2 * z) + 0.3 * e, np.exp(2 * (z + 0.5 * f))])


def fit_of(parents, **units):
    relevances = np.zeros(3)
    relevances[list(parents)] = 1.0
    return GPFit(frozenset(parents), -1.0, 0.0, relevances, **units)


@pytest.mark.parametrize(
    ("node", "units", "by_rank"),
    [
        (1, {}, [True, False, True]),
        (1, {"raw_parents": True}, [False, False, False]),
        (1, {"post_nonlinear": True}, [True, True, True]),
        (1, {"post_nonlinear": True, "raw_parents": True}, [False, True, False]),
        (2, {"post_nonlinear": True}, [True, False, True]),
        (2, {}, [True, False, False]),
        (2, {"raw_parents": True}, [False, False, False]),
    ],
)
def test_a_node_is_tested_in_the_units_of_its_fit(node, units, by_rank):
    X, rng = table(), np.random.default_rng(0)
    test = EdgeTest.of(X, BOTH == 1, BOTH == 2, 0.03, rng, free_noise=True, ranked=HEAVY)
    used = np.vstack(test.in_units_of(node, fit_of([0], **units)).blocks)
    expected = standardise(rank_transformed(X, np.array(by_rank)))
    # Columns that are neither the node nor its parent may keep the units of the table.
    np.testing.assert_allclose(used[:, [0, node]], expected[:, [0, node]], atol=1e-6)


def test_blocks_have_the_same_rows_in_both_units():
    X, rng = table(3000), np.random.default_rng(0)
    test = EdgeTest.of(X, BOTH == 1, BOTH == 2, 0.03, rng, free_noise=True, ranked=HEAVY)
    assert len(test.blocks) == 3
    for block, raw in zip(test.blocks, test.raw_blocks, strict=True):
        np.testing.assert_array_equal(block[:, 1], raw[:, 1])
        np.testing.assert_array_equal(np.argsort(block[:, 0]), np.argsort(raw[:, 0]))


def test_monotone_changes_of_a_column_by_rank_change_no_evidence():
    X = table()
    changed = X.copy()
    changed[:, 0] **= 3
    fits = [GPFit.null(3), fit_of([0]), GPFit.null(3)]
    found = [gp_prune(T, BOTH * [0, 1, 0], fits=fits, heavy_tailed=HEAVY) for T in (X, changed)]
    assert found[0].adjacency[0, 1] == 1
    assert found[0].statistic[0, 1] == pytest.approx(found[1].statistic[0, 1], rel=1e-3)


def test_effects_are_in_the_units_that_are_asked_for():
    X = table()
    curves = {
        by_rank: gp_prune(X, BOTH * [0, 1, 0], heavy_tailed=HEAVY & by_rank).effects[0, 1]
        for by_rank in (False, True)
    }
    assert np.abs(curves[True].x).max() < 4 < np.abs(curves[False].x).max()


def test_ranks_need_free_noise_and_a_value_for_each_column():
    with pytest.raises(ValueError, match="heavy_tailed needs noise='free'"):
        gp_prune(table(), BOTH, noise="normal", heavy_tailed=HEAVY)
    with pytest.raises(ValueError, match="heavy_tailed must be one for each of 3 columns"):
        gp_prune(table(), BOTH, heavy_tailed=[True])


def test_only_columns_that_every_fit_took_raw_are_shown_raw():
    heavy = np.array([True, True, True, False])
    null = GPFit.null(4)
    raw = GPFit(frozenset({0}), -1.0, 0.0, np.ones(4), raw_parents=True)
    ranked = GPFit(frozenset({1}), -1.0, 0.0, np.ones(4))
    shown = columns_by_rank([null, raw, null, raw], heavy)
    assert shown.tolist() == [False, False, True, False]
    shown = columns_by_rank([null, raw, null, ranked], heavy)
    assert shown.tolist() == [False, True, True, False]
