"""Rows that are no independent draws: copies are merged by every estimator, series are named."""

import warnings
from inspect import signature

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scoredag import CAM, ScoreGP, VarSort
from scoredag.data import distinct_rows
from scoredag.estimators._score_gp import score_gp
from scoredag.exceptions import DataError, DataWarning
from scoredag.plugins import shelf
from scoredag.simulate import paper_dataset

ESTIMATORS = shelf("scoredag.estimators")


def brief(make):
    """An estimator, with few steps where it takes steps."""
    return make(max_iter=3) if "max_iter" in signature(make).parameters else make()


def fitted(model, X):
    """Fit, and return the model and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X)
    return model, [str(entry.message) for entry in caught]


@pytest.mark.parametrize("make", list(ESTIMATORS.values()))
def test_copies_change_nothing(make):
    for module in make._requires:
        pytest.importorskip(module)
    X = paper_dataset(4, "ER1", seed=1, n=120).X
    once, told_once = fitted(brief(make), X)
    twice, told_twice = fitted(brief(make), np.vstack([X, X[:40]]))
    assert_array_equal(twice.edge_statistic_, once.edge_statistic_)
    assert_array_equal(twice.adjacency_matrix_, once.adjacency_matrix_)
    assert once.n_rows_ == twice.n_rows_ == 120
    assert told_twice[0].startswith("40 of 160 rows are copies of other rows.")
    assert told_twice[1:] == told_once


def test_the_function_merges_as_the_class_does():
    X = paper_dataset(4, "ER1", seed=2, n=120).X
    repeated = np.vstack([X, X[:40]])
    with pytest.warns(DataWarning, match="40 of 160 rows") as told:
        found = score_gp(repeated)
    assert len([entry for entry in told if "copies" in str(entry.message)]) == 1
    model, _ = fitted(ScoreGP(), repeated)
    assert_array_equal(found.pruned.adjacency, model.adjacency_matrix_)
    assert_array_equal(found.pruned.statistic, model.edge_statistic_)


def test_resampled_rows_of_independent_columns_are_not_computed_from_each_other():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 4))[rng.integers(200, size=200)]
        model, told = fitted(ScoreGP(), X)
        assert model.adjacency_matrix_.sum() == 0
        assert model.n_rows_ == len(distinct_rows(X)) < 200
        assert [message for message in told if "copies" not in message] == []


def test_discrete_rows_are_all_used():
    X = np.random.default_rng(0).integers(0, 5, size=(200, 3))
    model, told = fitted(VarSort(), X)
    assert model.n_rows_ == 200
    assert not any("copies" in message for message in told)


def test_too_few_distinct_rows_are_refused():
    X = np.tile(np.random.default_rng(0).normal(size=(8, 3)), (5, 1))
    with pytest.raises(DataError, match="32 of 40 rows are copies of other rows"):
        VarSort().fit(X)


def test_a_time_series_is_named():
    X = np.random.default_rng(0).normal(size=(300, 4)).cumsum(axis=0)
    _, told = fitted(CAM(), X)
    assert any("as in a time series" in message for message in told)
