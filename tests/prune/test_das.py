import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from scoredag import SCORE, Knowledge
from scoredag.graph import full_dag
from scoredag.prune import cam_prune, das_prune
from scoredag.score import stein_jacobian_row
from scoredag.simulate import paper_dataset

WIDE = 15  # columns: more candidates than are kept without a test


def wide(n=300, seed=0):
    """Column 14 is a curve of 4 and of 9 and may have any parent; the others stand alone."""
    X = np.random.default_rng(seed).normal(size=(n, WIDE))
    X[:, -1] = np.sin(2 * X[:, 4]) + np.cos(2 * X[:, 9]) + 0.5 * X[:, -1]
    candidates = np.zeros((WIDE, WIDE), dtype=int)
    candidates[:-1, -1] = 1
    return X, candidates


def test_few_candidates_are_pruned_as_by_cam():
    data = paper_dataset(8, "ER1", seed=200, n=200)
    candidates = full_dag(data.order)
    ours, cam = das_prune(data.X, candidates), cam_prune(data.X, candidates)
    assert_array_equal(ours.adjacency, cam.adjacency)
    assert_array_equal(ours.p_values, cam.p_values)


def test_preselection_is_the_t_test_of_the_paper():
    X, candidates = wide()
    tested = ~np.isnan(das_prune(X, candidates).p_values[:, -1])
    slopes = np.abs(stein_jacobian_row(X / X.std(axis=0), WIDE - 1))[:, :-1]
    reference = slopes[:, slopes.mean(axis=0).argmin()]
    expected = [
        stats.ttest_rel(slope, reference, alternative="greater").pvalue < 0.01 for slope in slopes.T
    ]
    assert_array_equal(tested, [*expected, False])
    assert 2 <= sum(expected) < WIDE - 1


def test_what_is_preselected_is_pruned_as_by_cam():
    X, candidates = wide()
    ours = das_prune(X, candidates, alpha=0.01, smoothing="gcv")
    chosen = np.isfinite(ours.p_values)
    cam = cam_prune(X, chosen, alpha=0.01, smoothing="gcv")
    assert_array_equal(ours.p_values, cam.p_values)
    assert {(4, 14), (9, 14)} <= set(ours.effects)
    assert ours.effects.keys() == cam.effects.keys()


def test_at_most_so_many_and_the_strongest_ones():
    X, candidates = wide()
    tested = np.isfinite(das_prune(X, candidates, max_parents=2).p_values[:, -1])
    assert_array_equal(np.flatnonzero(tested), [4, 9])


def test_required_edges_are_kept_and_forbidden_ones_never():
    X, candidates = wide()
    free = np.isfinite(das_prune(X, candidates).p_values[:, -1])
    weak = int(np.flatnonzero(~free)[0])  # not preselected
    knowledge = Knowledge(required=[(weak, 14)], forbidden=[(9, 14)])
    result = das_prune(X, candidates, knowledge=knowledge)
    assert result.adjacency[weak, 14] == 1
    assert np.isfinite(result.p_values[weak, 14])
    assert (weak, 14) in result.effects
    assert result.adjacency[4, 14] == 1
    assert result.adjacency[9, 14] == 0
    assert np.isnan(result.p_values[9, 14])


def test_candidates_without_an_order_are_taken_as_they_are():
    """Every node with its own candidates, which need not come from a full graph."""
    X, candidates = wide()
    candidates[:3, 4] = 1
    result = das_prune(X, candidates)
    assert np.isfinite(result.p_values[:3, 4]).all()
    assert not result.adjacency[candidates == 0].any()


def test_units_do_not_matter():
    X, candidates = wide()
    units = 10.0 ** np.random.default_rng(0).integers(-3, 4, size=WIDE)
    ours, other = das_prune(X, candidates), das_prune(X * units - 7, candidates)
    assert_array_equal(np.isnan(ours.p_values), np.isnan(other.p_values))
    assert_array_equal(ours.adjacency, other.adjacency)


def test_same_bits_for_any_number_of_jobs():
    data = paper_dataset(16, "ER1", seed=200, n=120)
    candidates = full_dag(data.order)
    one, two = (das_prune(data.X, candidates, n_jobs=jobs).p_values for jobs in (1, 2))
    assert_array_equal(one, two)


def test_progress_counts_nodes():
    seen = []
    X = np.random.default_rng(0).normal(size=(60, 4))
    das_prune(X, full_dag(range(4)), progress=lambda *state: seen.append(state))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_is_a_pruner_of_score_with_its_options():
    X = wide(n=120)[0][:, 2:]
    model = SCORE(pruner="das", alpha=0.01, eta=1e-2).fit(X)
    pruned = das_prune(X, full_dag(model.causal_order_), alpha=0.01, eta=1e-2)
    assert_array_equal(model.adjacency_matrix_, pruned.adjacency)
    assert_array_equal(model.p_values_, pruned.p_values)


def test_bad_arguments_are_refused():
    X, candidates = wide(60)
    with pytest.raises(ValueError, match="max_parents must be a whole number, at least 1"):
        das_prune(X, candidates, max_parents=0)
    with pytest.raises(ValueError, match="preselection_alpha must be a number between 0 and 1"):
        das_prune(X, candidates, preselection_alpha=1.5)
    with pytest.raises(ValueError, match="smoothing must be one of"):
        das_prune(X, candidates, smoothing="x")
    with pytest.raises(TypeError, match="float lacks jacobian_row"):
        das_prune(X, candidates, score_estimator=lambda table: 3.0)
