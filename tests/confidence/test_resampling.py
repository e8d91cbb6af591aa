"""Replicates: equal bits however they run, resumed after a kill, and a consensus that agrees."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from numpy.testing import assert_array_equal

from scoredag import SCORE, Knowledge, VarSort
from scoredag.confidence import bootstrap, consensus_graph
from scoredag.exceptions import DataError, DataWarning
from scoredag.simulate import paper_dataset

X = paper_dataset(5, "ER1", seed=1000, n=200).X


def test_any_jobs_and_backends_give_the_same_bits():
    expected = bootstrap(SCORE(), X, n_replicates=6).adjacency
    assert_array_equal(bootstrap(SCORE(), X, n_replicates=6, n_jobs=2).adjacency, expected)
    with parallel_config(backend="loky", n_jobs=2):
        assert_array_equal(bootstrap(SCORE(), X, n_replicates=6).adjacency, expected)
    assert_array_equal(bootstrap(SCORE(), X, n_replicates=4).adjacency, expected[:4])


def test_replicates_differ_and_seeds_matter():
    found = bootstrap(SCORE(), X, n_replicates=8)
    assert len(np.unique(found.adjacency, axis=0)) > 1
    other = bootstrap(SCORE(), X, n_replicates=8, random_state=1)
    assert (found.adjacency != other.adjacency).any()


def test_a_run_that_was_killed_goes_on_with_the_same_bits(tmp_path):
    expected = bootstrap(SCORE(), X, n_replicates=6).adjacency
    path = tmp_path / "replicates.jsonl"
    bootstrap(SCORE(), X, n_replicates=4, path=path)
    content = path.read_bytes()
    path.write_bytes(content[: int(0.8 * len(content))])  # killed while writing
    done = []
    found = bootstrap(
        SCORE(), X, n_replicates=6, path=path, progress=lambda k, n: done.append((k, n))
    )
    assert_array_equal(found.adjacency, expected)
    assert done[-1] == (6, 6)
    assert 2 <= len(done) < 6


@pytest.mark.parametrize(
    "change", [{"random_state": 1}, {"fraction": 0.6}, {"scheme": "bootstrap"}]
)
def test_a_file_of_another_analysis_is_refused(tmp_path, change):
    path = tmp_path / "replicates.jsonl"
    bootstrap(VarSort(), X, n_replicates=2, path=path)
    (name,) = change
    with pytest.raises(DataError, match=name):
        bootstrap(VarSort(), X, n_replicates=2, path=path, **change)
    with pytest.raises(DataError, match="estimator"):
        bootstrap(SCORE(), X, n_replicates=2, path=path)
    with pytest.raises(DataError, match="table"):
        bootstrap(VarSort(), X + 1, n_replicates=2, path=path)


def test_rules_hold_in_every_replicate_and_in_the_consensus():
    rules = Knowledge(required=["x0 -> x1"], forbidden=["x2 -> *"], roots=["x0"])
    found = bootstrap(SCORE(knowledge=rules), X, n_replicates=8)
    assert found.adjacency[:, 0, 1].all()
    assert not found.adjacency[:, 2].any()
    assert not found.adjacency[:, :, 0].any()
    assert found.consensus().has_edge("x0", "x1")


def test_failed_replicates_are_told():
    rare = X.copy()
    rare[:, 4] = 0
    rare[:2, 4] = 1
    with pytest.warns(DataWarning, match="could not be fitted"):
        found = bootstrap(VarSort(), rare, n_replicates=20, fraction=0.2)
    assert 0 < len(found.adjacency) < 20
    assert sum(found.failures.values()) == 20 - len(found.adjacency)


@pytest.mark.parametrize(
    "wrong",
    [{"n_replicates": 0}, {"random_state": -1}, {"scheme": "jackknife"}, {"fraction": 1.5}],
)
def test_wrong_arguments_are_named(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        bootstrap(VarSort(), X, **wrong)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 7), st.integers(0, 10_000))
def test_the_consensus_is_acyclic_and_agrees_with_its_probabilities(d, seed):
    rng = np.random.default_rng(seed)
    both = rng.dirichlet([0.6, 0.6, 0.6], size=(d, d))  # i -> j, j -> i, neither
    p = np.triu(both[..., 0], 1) + np.triu(both[..., 1], 1).T
    graph = consensus_graph(p)
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == set(range(d))
    for i, j in np.ndindex(d, d):
        if graph.has_edge(i, j):
            assert p[i, j] > 0.5
        elif p[i, j] > 0.5:  # then it would close a cycle of likelier edges
            path = nx.shortest_path(graph, j, i)
            assert all(p[a, b] >= p[i, j] for a, b in nx.utils.pairwise(path))
