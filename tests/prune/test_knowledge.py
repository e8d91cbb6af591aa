"""Rules about edges: what is required stays, with its statistic, and nothing forbidden does."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from benchmarks.search import random_constraints
from scoredag import Knowledge
from scoredag.graph import full_dag
from scoredag.plugins import shelf
from scoredag.regression.gp_fit import GPFit
from scoredag.simulate import paper_dataset

PRUNERS = shelf("scoredag.prune.pruners")
HAVE_EFFECTS = ("cam", "das", "gp")

every_pruner = pytest.mark.parametrize("name", PRUNERS)


def curve(n=150, seed=0):
    """0 -> 1; 2 and 3 stand alone."""
    X = np.random.default_rng(seed).normal(size=(n, 4))
    X[:, 1] = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
    return X


@every_pruner
def test_a_required_edge_is_kept_with_a_statistic_and_an_effect(name):
    result = PRUNERS[name](curve(), full_dag(range(4)), knowledge=Knowledge(required=[(2, 3)]))
    assert result.adjacency[2, 3] == 1
    assert result.adjacency[0, 1] == 1
    assert np.isfinite(result.statistic[2, 3])
    if name in HAVE_EFFECTS:
        assert set(result.effects) == set(zip(*np.nonzero(result.adjacency), strict=True))
        effect = result.effects[2, 3]
        assert np.isfinite(effect.x).all()
        assert np.isfinite(effect.y).all()


@every_pruner
def test_a_required_edge_need_be_no_candidate(name):
    candidates = np.zeros((4, 4))
    candidates[0, 1] = 1
    result = PRUNERS[name](curve(), candidates, knowledge=Knowledge(required=[(3, 2)]))
    assert_array_equal(np.argwhere(result.adjacency), [[0, 1], [3, 2]])
    assert np.isfinite(result.statistic[3, 2])
    assert ((3, 2) in result.effects) == (name in HAVE_EFFECTS)


@every_pruner
def test_a_forbidden_edge_is_not_tested(name):
    knowledge = Knowledge(forbidden=[(0, 1)])
    result = PRUNERS[name](curve(), full_dag(range(4)), knowledge=knowledge)
    assert result.adjacency[0, 1] == 0
    assert np.isnan(result.statistic[0, 1])
    assert (0, 1) not in result.effects


@every_pruner
@pytest.mark.parametrize("seed", range(3))
def test_all_rules_are_obeyed(name, seed):
    data = paper_dataset(5, "ER1", seed=seed, n=80)
    constraints = random_constraints(5, np.random.default_rng(seed))
    candidates = full_dag(constraints.repair(data.order))
    result = PRUNERS[name](data.X, candidates, knowledge=constraints)
    assert (result.adjacency[constraints.required] == 1).all()
    assert np.isfinite(result.statistic[constraints.required]).all()
    assert not result.adjacency[~constraints.allowed].any()
    assert np.isnan(result.statistic[~constraints.allowed]).all()


@every_pruner
def test_knowledge_without_rules_changes_no_bit(name):
    X, candidates = curve(), full_dag(range(4))
    free, bound = (PRUNERS[name](X, candidates, knowledge=k) for k in (None, Knowledge()))
    assert_array_equal(free.adjacency, bound.adjacency)
    assert_array_equal(free.statistic, bound.statistic)
    assert free.effects.keys() == bound.effects.keys()


@every_pruner
def test_a_rule_about_one_node_changes_no_bit_of_others(name):
    X, candidates = curve(), full_dag(range(4))
    free, bound = (
        PRUNERS[name](X, candidates, knowledge=k) for k in (None, Knowledge(required=[(2, 3)]))
    )
    assert_array_equal(free.statistic[:, :3], bound.statistic[:, :3])
    assert_array_equal(free.adjacency[:, :3], bound.adjacency[:, :3])


@every_pruner
def test_required_edges_beyond_what_rows_allow_are_kept(name):
    """With 40 rows only the ten strongest of 20 candidates are tested."""
    X = np.random.default_rng(0).normal(size=(40, 21))
    candidates = np.zeros((21, 21))
    candidates[:20, 20] = 1
    required = [(k, 20) for k in range(0, 20, 5)]
    result = PRUNERS[name](X, candidates, knowledge=Knowledge(required=required))
    for edge in required:
        assert result.adjacency[edge] == 1
        assert np.isfinite(result.statistic[edge])
        assert (edge in result.effects) == (name in HAVE_EFFECTS)


def test_fits_without_the_required_parent_are_used_all_the_same():
    fits = [GPFit.null(4)] * 4
    knowledge = Knowledge(required=[(2, 3), (0, 1)])
    result = PRUNERS["gp"](curve(), full_dag(range(4)), fits=fits, knowledge=knowledge)
    assert result.adjacency[2, 3] == result.adjacency[0, 1] == 1
    assert result.statistic[0, 1] > 10
    assert abs(result.statistic[2, 3]) < 10
