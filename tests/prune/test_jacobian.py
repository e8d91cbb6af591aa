import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scoredag.graph import full_dag
from scoredag.metrics import edge_report
from scoredag.prune import jacobian_prune
from scoredag.simulate import paper_dataset


def test_finds_most_edges_of_a_sparse_graph_given_its_order():
    data = paper_dataset(8, "ER1", seed=200, n=600)
    result = jacobian_prune(data.X, full_dag(data.order))
    report = edge_report(data.adjacency, result.adjacency)
    assert report.precision >= 0.7
    assert report.recall >= 0.7
    assert result.statistic_name == "jacobian_variance_ratio"
    with pytest.raises(AttributeError, match="no p-values, but jacobian_variance_ratio"):
        _ = result.p_values


def test_keeps_what_exceeds_the_threshold_among_candidates():
    data = paper_dataset(5, "ER1", seed=1, n=200)
    candidates = full_dag(data.order)
    result = jacobian_prune(data.X, candidates, threshold=1.1)
    assert_array_equal(np.isnan(result.statistic), candidates == 0)
    assert_array_equal(result.adjacency == 1, result.statistic > 1.1)


def test_the_ratio_is_about_one_for_independent_columns():
    X = np.random.default_rng(0).normal(size=(300, 5))
    ratios = jacobian_prune(X, full_dag(range(5)), n_permutations=5).statistic
    assert 0.8 < np.nanmedian(ratios) < 1.2


def test_units_do_not_matter():
    data = paper_dataset(5, "ER1", seed=1, n=200)
    candidates = full_dag(data.order)
    ours = jacobian_prune(data.X, candidates).statistic
    other_units = jacobian_prune(data.X * [1, 100, 0.01, 5, 1] - 7, candidates).statistic
    assert_allclose(other_units, ours, rtol=1e-5)


def test_few_absent_edges_are_kept():
    for n in (100, 400):
        kept = [
            jacobian_prune(np.random.default_rng(seed).normal(size=(n, 6)), full_dag(range(6)))
            for seed in range(6)
        ]
        assert np.mean([result.adjacency.sum() / 15 for result in kept]) < 0.04


def test_same_bits_for_any_number_of_jobs_and_the_same_seed():
    data = paper_dataset(6, "ER4", seed=0, n=120)
    candidates = full_dag(data.order)

    def ratios(**options):
        rng = np.random.default_rng(7)
        return jacobian_prune(data.X, candidates, rng=rng, **options).statistic

    assert_array_equal(ratios(n_jobs=2), ratios(n_jobs=1))
    assert_array_equal(jacobian_prune(data.X, candidates, rng=7).statistic, ratios())
    other = jacobian_prune(data.X, candidates, rng=8).statistic
    assert (other != ratios())[candidates == 1].any()


def test_permuting_the_columns_permutes_the_result():
    data = paper_dataset(6, "ER4", seed=0, n=120)
    candidates, place = full_dag(data.order), np.random.default_rng(0).permutation(6)
    ours = jacobian_prune(data.X, candidates).statistic
    permuted = jacobian_prune(data.X[:, place], candidates[np.ix_(place, place)]).statistic
    assert_allclose(permuted, ours[np.ix_(place, place)], rtol=1e-6)


def test_progress_counts_nodes():
    seen = []
    X = np.random.default_rng(0).normal(size=(60, 4))
    jacobian_prune(X, full_dag(range(4)), progress=lambda *state: seen.append(state))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_bad_arguments_are_refused():
    X = np.random.default_rng(0).normal(size=(60, 4))
    with pytest.raises(ValueError, match="n_permutations must be a whole number, at least 1"):
        jacobian_prune(X, full_dag(range(4)), n_permutations=0)
    with pytest.raises(ValueError, match="4 x 4"):
        jacobian_prune(X, full_dag(range(3)))
