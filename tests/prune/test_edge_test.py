"""The decision about one node."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.graph import full_dag
from scoredag.prune.edge_data import EdgeTest, random_parts, split_rows
from scoredag.prune.edge_test import _loss, _polish, decide_node, threshold
from scoredag.regression.gp_fit import GPFit
from scoredag.settings import EdgeTestSettings

NOTHING = np.zeros((4, 4), dtype=bool)
ORDER = full_dag([0, 1, 3, 2]) == 1


def product(n=200, seed=0):
    """0 and 1 act on 2 by their product; 3 stands alone."""
    rng = np.random.default_rng(seed)
    x, z, alone = rng.normal(size=(3, n))
    return np.column_stack([x, z, x * z + 0.3 * rng.normal(size=n), alone])


def edge_test(X, required=NOTHING, candidates=ORDER, **settings):
    rng = np.random.default_rng(0)
    return EdgeTest.of(X, candidates, required, 0.01, rng, settings=EdgeTestSettings(**settings))


def requiring(*edges):
    required = NOTHING.copy()
    for edge in edges:
        required[edge] = True
    return required


@given(st.floats(1e-6, 0.5), st.integers(50, 5000), st.integers(1, 40))
def test_thresholds_grow_with_candidates_and_fall_with_the_level(level, n, p):
    nats = threshold(level, n, p)
    assert 0 <= nats < np.inf
    assert threshold(level, n, p + 1) > nats
    assert threshold(level * 1.5, n, p) < nats or nats == 0


def test_the_threshold_for_many_rows_is_that_of_half_a_chi_square():
    assert threshold(0.15, 10**6, 1) == pytest.approx(0.5 * 1.6448536**2, abs=1e-3)
    assert threshold(0.15, 10**6, 10) == pytest.approx(0.5 * 2.5758293**2, abs=1e-3)


def test_more_candidates_than_rows_leave_a_threshold():
    assert 0 < threshold(0.01, 20, 40) < np.inf


# --- Blocks of rows


@pytest.mark.parametrize(("n", "sizes"), [(149, [149]), (150, [75, 75]), (251, [84, 84, 83])])
def test_rows_are_split_into_blocks_of_about_one_size(n, sizes):
    X = np.arange(2.0 * n).reshape(n, 2)
    blocks = split_rows(X, random_parts(n, 100, np.random.default_rng(0)))
    assert [len(block) for block in blocks] == sizes
    assert_array_equal(np.sort(np.vstack(blocks), axis=0), X)


@pytest.mark.parametrize("block_rows", [100, 200])
def test_a_polished_fit_comes_with_its_loss_on_all_blocks(block_rows):
    test = edge_test(product(), block_rows=block_rows)
    assert len(test.blocks) == 200 // block_rows
    start = GPFit(frozenset({0, 1}), 0.0, 1.0, np.array([0.7, 0.7, 0.0, 0.0]))
    fit, loss = _polish(test, 2, start, frozenset())
    assert fit.parents == {0, 1}
    assert loss == pytest.approx(_loss(test, 2, fit), abs=1e-4)


# --- Models


def test_the_joint_model_decides_for_parents_that_act_together():
    model = decide_node(edge_test(product()), 2)
    assert model.parents.keys() == {0, 1}
    assert model.fit.parents == {0, 1}
    assert not model.linear


def test_lines_are_preferred_where_curves_are_no_better():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    X = np.column_stack([x[:, :2], x @ [1.0, 1.0, 1.0], x[:, 2]])
    model = decide_node(edge_test(X + 0.3 * rng.normal(size=(300, 4))), 2)
    assert model.linear
    assert model.parents.keys() == {0, 1, 3}


def test_a_node_without_relatives_has_no_parents():
    model = decide_node(edge_test(product()), 3)
    assert model.parents == {}
    assert model.loss == 0


# --- Required parents


@pytest.mark.parametrize("block_rows", [100, 1000])
@pytest.mark.parametrize("edges", [[(3, 2)], [(0, 2), (3, 2)], [(0, 2), (1, 2), (3, 2)]])
def test_required_parents_stay_with_finite_evidence(edges, block_rows):
    """3 has nothing to do with 2."""
    model = decide_node(edge_test(product(), requiring(*edges), block_rows=block_rows), 2)
    assert {parent for parent, _ in edges} <= model.parents.keys()
    assert {0, 1} <= model.parents.keys()
    assert np.isfinite(list(model.parents.values())).all()
    assert np.isfinite(model.loss)
    assert model.parents[0] > 10


@pytest.mark.parametrize("seed", range(4))
def test_a_required_parent_stays_where_no_other_is_found(seed):
    X = np.random.default_rng(seed).normal(size=(120, 4))
    model = decide_node(edge_test(X, requiring((1, 3))), 3)
    assert model.parents.keys() == {1}
    assert np.isfinite(model.parents[1])


def test_a_required_parent_stays_in_a_linear_model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    X[:, 2] = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=300)
    model = decide_node(edge_test(X, requiring((3, 2))), 2)
    assert model.parents.keys() == {0, 1, 3}
    assert model.linear


def test_a_required_parent_that_was_found_anyway_changes_little():
    free, bound = (
        decide_node(edge_test(product(), required), 2)
        for required in (NOTHING, requiring((0, 2), (1, 2)))
    )
    assert free.parents.keys() == bound.parents.keys()
    assert_allclose(list(free.parents.values()), list(bound.parents.values()), rtol=0.05)


def test_a_start_without_a_required_parent_gets_it():
    start = GPFit(frozenset({0, 1}), -100.0, 1.0, np.array([0.7, 0.7, 0.0, 0.0]))
    model = decide_node(edge_test(product(), requiring((3, 2))), 2, start)
    assert model.parents.keys() == {0, 1, 3}
    assert_array_equal(start.relevances, [0.7, 0.7, 0.0, 0.0])
