"""Training: what it finds, what it must not depend on, and how it fails."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from scoredag.estimators.grandag.training import train
from scoredag.graph import is_dag
from scoredag.simulate import paper_dataset

X = paper_dataset(4, "ER1", seed=100, n=100).X


def short(**options):
    return train(X, **{"rng": np.random.default_rng(0), "max_iter": 30} | options)


def test_the_same_seed_gives_the_same_bits_whatever_pytorchs_own_state():
    first = short()
    state = torch.manual_seed(123).get_state()
    second = short()
    assert_array_equal(torch.get_rng_state(), state)
    assert_array_equal(second.weights, first.weights)
    assert second.h == first.h
    assert (short(rng=np.random.default_rng(1)).weights != first.weights).any()


def test_units_change_nothing():
    scaled = train(
        X * [1, 2, 0.25, 1024] + 4, rng=np.random.default_rng(0), max_iter=30
    )  # powers of two, but for rounding in the means
    np.testing.assert_allclose(scaled.weights, short().weights, rtol=1e-6)


def test_only_allowed_edges_have_weights():
    allowed = np.ones((4, 4), dtype=bool)
    allowed[0] = False
    weights = short(allowed=allowed).weights
    assert_array_equal(weights > 0, allowed & ~np.eye(4, dtype=bool))


def test_it_ends_at_once_where_the_graph_is_acyclic_already():
    seen = []
    found = short(allowed=np.triu(np.ones((4, 4), dtype=bool)), progress=lambda *s: seen.append(s))
    assert (found.steps, found.h) == (0, 0.0)
    assert seen == [(100, 100)]


def test_options_reach_what_they_steer():
    base = short().weights
    for options in ({"hidden": (5,)}, {"learning_rate": 0.01}, {"batch_size": 7}):
        assert (short(**options).weights != base).any()
    assert short(tolerance=10.0).steps == 0
    assert short(batch_size=10_000).steps == 30  # no more rows than there are


def test_it_says_that_the_learning_rate_is_too_large():
    with pytest.raises(ValueError, match=r"learning_rate must be smaller .* got 1e\+200"):
        short(learning_rate=1e200)


def test_the_constraint_falls_until_an_edge_is_cut_for_good():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    table = np.column_stack([np.sin(2 * x) + 0.5 * rng.normal(size=300), x])
    seen = []
    found = train(table, rng=rng, batch_size=300, progress=lambda *state: seen.append(state))
    assert found.h <= 1e-8
    assert found.steps < 30_000
    assert is_dag(found.weights)
    assert_array_equal(found.weights > 0, [[False, False], [True, False]])
    assert seen == sorted(seen)
    assert seen[0] == (0, 100)
    assert seen[-1] == (100, 100)
    assert any(20 < done < 80 for done, _ in seen)
