import numpy as np
import pytest

from scoredag import Knowledge
from scoredag.data.standardise import standardise
from scoredag.prune import gp_prune
from scoredag.prune.edge_data import EdgeTest
from scoredag.prune.scale_test import estimate_scale
from scoredag.regression.gp_fit import GPFit

FULL = np.triu(np.ones((3, 3)), 1)


def table(seed, n=400):
    """0 changes the scale of 2; 1 changes the mean of 2."""
    rng = np.random.default_rng(seed)
    x, z, e = rng.normal(size=(3, n))
    return np.column_stack([x, z, np.sin(2 * z) + 0.5 * np.exp(0.9 * x) * e])


def test_parents_of_the_scale_are_kept_with_free_noise_only():
    X = table(0)
    free, normal = gp_prune(X, FULL), gp_prune(X, FULL, noise="normal")
    assert free.adjacency.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert free.details["scale_only"][0, 2] == 1
    assert free.details["scale_only"][1, 2] == 0
    assert normal.adjacency[1, 2] == 1
    assert "scale_only" not in normal.details
    assert set(free.effects) == {(0, 2), (1, 2)}
    assert free.effects[0, 2].size < 0.5 * free.effects[1, 2].size
    assert np.isnan(free.details["linear"][0, 2])


def test_constant_scale_gives_no_estimate():
    X = standardise(np.random.default_rng(1).normal(size=(300, 2)))
    fit = GPFit(frozenset({0}), 0.0, 0.0, np.zeros(2), scale_parents=frozenset({0}))
    assert estimate_scale([X], 1, fit) is None
    assert estimate_scale([X], 1, GPFit.null(2)) is None


def test_weak_parents_of_the_scale_are_eliminated():
    X = standardise(table(2))
    relevances = np.array([0.0, 1.5, 0.0])
    fit = GPFit(frozenset({0, 1}), 0.0, 1.0, relevances, scale_parents=frozenset({0}))
    scale = estimate_scale([X], 2, fit)
    assert set(scale.parents_beside([], least=5.0, level=0.01)) == {0}
    assert scale.parents_beside([0], least=5.0, level=0.01) == {}


def test_constant_weights_change_nothing():
    X = standardise(table(3))
    rng = np.random.default_rng(0)
    test = EdgeTest.of(X, FULL == 1, np.zeros((3, 3), dtype=bool), 0.03, rng, free_noise=True)
    weighted = test.weighted(2, np.zeros(len(X)))
    np.testing.assert_allclose(weighted.correlation, test.correlation, atol=1e-10)
    np.testing.assert_allclose(weighted.p_values[:2, 2], test.p_values[:2, 2], rtol=1e-6)
    np.testing.assert_allclose(weighted.blocks[0], test.blocks[0], atol=1e-6)


@pytest.mark.parametrize("noise", ["Free", None, 3, "gaussian"])
def test_other_models_of_the_noise_are_refused(noise):
    with pytest.raises(ValueError, match="noise must be 'free' or 'normal'"):
        gp_prune(table(0, 100), FULL, noise=noise)


def test_required_parents_of_the_scale_stay():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(150, 3))
    fits = [GPFit.null(3)] * 2 + [
        GPFit(frozenset({0}), 0.0, 0.0, np.zeros(3), scale_parents=frozenset({0}))
    ]
    known = Knowledge(required=[(0, 2)])
    result = gp_prune(X, FULL, fits=fits, knowledge=known)
    assert result.adjacency[0, 2] == 1


def test_no_candidates_have_the_same_details():
    X = np.random.default_rng(0).normal(size=(60, 3))
    for noise in ("free", "normal"):
        empty, full = (gp_prune(X, c, noise=noise).details for c in (np.zeros((3, 3)), FULL))
        assert empty.keys() == full.keys()


def test_a_node_by_rank_is_tested_alike_whatever_its_distortion():
    """The response is a function of its ranks, and an increasing function keeps those."""
    X = table(4)
    distorted = X.copy()
    distorted[:, 2] += X[:, 2] ** 3
    tests = [
        EdgeTest.of(T, FULL != 0, FULL == 2, 0.03, np.random.default_rng(0)).by_rank(2)
        for T in (X, distorted)
    ]
    np.testing.assert_allclose(tests[0].p_values[:2, 2], tests[1].p_values[:2, 2])
    np.testing.assert_allclose(tests[0].correlation, tests[1].correlation)
    np.testing.assert_allclose(tests[0].blocks[0], tests[1].blocks[0])


def test_edges_of_distorted_nodes_are_marked():
    rng = np.random.default_rng(5)
    x, e = rng.normal(size=(2, 400))
    X = np.column_stack([x, 1 / (1 + np.exp(-4 * (np.sin(2 * x) + 0.3 * e)))])
    free = gp_prune(X, [[0, 1], [0, 0]])
    assert free.details["post_nonlinear"][0, 1] == 1
    assert np.isnan(free.details["post_nonlinear"][1, 0])
    plain = gp_prune(np.column_stack([x, np.sin(2 * x) + 0.3 * e]), [[0, 1], [0, 0]])
    assert plain.details["post_nonlinear"][0, 1] == 0


def test_a_few_large_squares_make_no_parent_of_the_scale():
    """Independent Laplace columns whose largest values happen to come together."""
    X = standardise(np.random.default_rng(377).laplace(size=(100, 2)))
    fit = GPFit(frozenset({0}), 0.0, 0.0, np.zeros(2), scale_parents=frozenset({0}))
    scale = estimate_scale([X], 1, fit)
    assert scale.parents_beside([], least=3.0, level=1.0)[0] > 3.0
    assert scale.parents_beside([], least=3.0, level=0.01) == {}


def test_normal_noise_takes_no_ranks():
    """A post-nonlinear fit of the search is tested in the units of the table."""
    rng = np.random.default_rng(7)
    x, e = rng.normal(size=(2, 300))
    X = np.column_stack([x, np.exp(np.sin(2 * x) + 0.3 * e)])
    relevances = np.array([1.5, 0.0])
    plain = GPFit(frozenset({0}), 0.0, 1.0, relevances)
    by_rank = GPFit(frozenset({0}), 0.0, 1.0, relevances, post_nonlinear=True)
    evidence = [
        gp_prune(X, [[0, 1], [0, 0]], fits=[GPFit.null(2), fit], noise="normal").statistic[0, 1]
        for fit in (plain, by_rank)
    ]
    assert evidence[0] == evidence[1]
