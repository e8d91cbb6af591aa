import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag.prune import PruneResult, cam_prune
from scoredag.prune.required import keep_required


def edges(*pairs, d=4):
    mask = np.zeros((d, d), dtype=bool)
    for edge in pairs:
        mask[edge] = True
    return mask


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    x, z, w = rng.normal(size=(3, 300))
    return np.column_stack([x, z, w, np.sin(2 * x) + z + 0.3 * rng.normal(size=300)])


def of(*pairs):
    return PruneResult(edges(*pairs).astype(int), np.full((4, 4), np.nan))


def test_effects_are_those_of_an_additive_regression_on_all_parents(X):
    """A required edge has the effect that CAM pruning fits where nothing is left out."""
    found = keep_required(X, of((1, 3)), edges((0, 3), (2, 3)))
    expected = cam_prune(X, edges((0, 3), (1, 3), (2, 3)), alpha=0.9999)
    assert_array_equal(found.adjacency, edges((0, 3), (1, 3), (2, 3)))
    assert found.effects.keys() == {(0, 3), (2, 3)}
    for edge, effect in found.effects.items():
        assert_array_equal(effect.y, expected.effects[edge].y)


def test_effects_of_the_pruner_stay(X):
    pruned = cam_prune(X, edges((0, 3), (1, 3)))
    found = keep_required(X, pruned, edges((0, 3), (0, 2)))
    assert found.effects[0, 3] is pruned.effects[0, 3]
    assert found.effects[1, 3] is pruned.effects[1, 3]
    assert found.effects.keys() == {(0, 3), (1, 3), (0, 2)}


def test_nothing_required_changes_nothing(X):
    pruned = cam_prune(X, edges((0, 3)))
    found = keep_required(X, pruned, edges())
    assert_array_equal(found.adjacency, pruned.adjacency)
    assert found.effects == pruned.effects


def test_more_required_edges_than_rows_allow_have_effects():
    X = np.random.default_rng(0).normal(size=(30, 20))
    required = np.zeros((20, 20), dtype=bool)
    required[:19, 19] = True
    pruned = PruneResult(np.zeros((20, 20), dtype=int), np.full((20, 20), np.nan))
    effects = keep_required(X, pruned, required).effects
    assert len(effects) == 19
    assert all(np.isfinite(effect.size) for effect in effects.values())
