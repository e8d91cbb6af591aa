"""CAM pruning of a table in blocks: one Gram matrix, summed over the blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag import Knowledge
from scoredag.data.blocks import ArrayBlocks
from scoredag.exceptions import DataError
from scoredag.graph import full_dag
from scoredag.prune import cam_prune
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.simulate import paper_dataset


@pytest.fixture(scope="module")
def data():
    return paper_dataset(8, "ER2", seed=1000, n=700)


def log_p(result):
    return np.log(np.maximum(result.p_values, 1e-300))


def test_gram_matrix_is_the_same(data):
    in_memory = AdditiveDesign.of(data.X, [0, 2, 5], cubic, 10)
    in_blocks = AdditiveDesign.of(ArrayBlocks(data.X, 61), [0, 2, 5], cubic, 10)
    assert in_blocks.n_rows == 700
    for name in ("gram", "cross", "squares"):
        mine, theirs = getattr(in_blocks, name), getattr(in_memory, name)
        assert_allclose(mine, theirs, rtol=1e-8, atol=1e-10 * abs(theirs).max())


@pytest.mark.parametrize("smoothing", ["reml", "gcv"])
def test_same_p_values_and_effects_with_the_same_knots(data, smoothing):
    """The sample holds all rows of a small table, so that the knots are those in memory."""
    candidates = full_dag(data.order)
    in_memory = cam_prune(data.X, candidates, smoothing=smoothing)
    in_blocks = cam_prune(ArrayBlocks(data.X, 61), candidates, smoothing=smoothing)
    assert_array_equal(in_blocks.adjacency, in_memory.adjacency)
    assert_allclose(log_p(in_blocks), log_p(in_memory), rtol=1e-5, atol=1e-6)
    assert in_blocks.effects.keys() == in_memory.effects.keys()
    for edge, effect in in_memory.effects.items():
        found = in_blocks.effects[edge]
        for name in ("x", "y", "standard_error", "marks", "edf", "size"):
            assert_allclose(getattr(found, name), getattr(effect, name), rtol=1e-4, atol=1e-6)


def test_bits_do_not_depend_on_jobs(data):
    blocks, candidates = ArrayBlocks(data.X, 61), full_dag(data.order)
    one, two = (cam_prune(blocks, candidates, n_jobs=jobs) for jobs in (1, 2))
    assert_array_equal(one.p_values, two.p_values)


def test_knots_of_a_sample_change_little(data, monkeypatch):
    """A sample of 300 of 700 rows: its quantiles are eight times as far off as those of 20,000."""
    monkeypatch.setattr("scoredag.data.profile.SAMPLE_ROWS", 300)
    candidates = full_dag(data.order)
    in_memory, in_blocks = (cam_prune(X, candidates) for X in (data.X, ArrayBlocks(data.X, 61)))
    assert_array_equal(in_blocks.adjacency, in_memory.adjacency)
    tested = ~np.isnan(in_memory.p_values)
    assert (log_p(in_blocks) != log_p(in_memory))[tested].any()
    assert_allclose(log_p(in_blocks), log_p(in_memory), rtol=0.1, atol=0.5)


def test_few_rows_a_candidate():
    X = np.random.default_rng(0).normal(size=(60, 30))
    candidates = np.triu(np.ones((30, 30)), 1)
    in_memory, in_blocks = (cam_prune(Y, candidates) for Y in (X, ArrayBlocks(X, 7)))
    assert np.isnan(in_memory.p_values[:29, 29]).any()  # only the strongest are tested
    assert_allclose(in_blocks.p_values, in_memory.p_values, rtol=1e-5)


def test_rules_hold(data):
    last, first = data.order[-1], data.order[0]
    rules = Knowledge(required=[(first, last)], forbidden=[(data.order[1], last)])
    result = cam_prune(ArrayBlocks(data.X, 61), full_dag(data.order), knowledge=rules)
    assert result.adjacency[first, last] == 1
    assert np.isnan(result.p_values[data.order[1], last])


def test_table_is_checked():
    X = np.random.default_rng(0).normal(size=(60, 2))
    X[3, 1] = np.nan
    with pytest.raises(DataError, match="'x1': 1 missing"):
        cam_prune(ArrayBlocks(X, 7), [[0, 1], [0, 0]])
