"""What must not change the result, on random tables of the paper's kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_limits

from scoredag import SCORE
from scoredag.simulate import paper_dataset

pytestmark = pytest.mark.filterwarnings("ignore::scoredag.exceptions.DataWarning")

seeds = st.integers(0, 2**32 - 1)
columns = st.integers(2, 7)


def table(d, seed):
    return paper_dataset(d, "ER1" if d > 3 else "ER0", seed=seed, n=80).X


@settings(max_examples=25)
@given(columns, seeds)
def test_permuting_the_columns_permutes_the_result(d, seed):
    X = table(d, seed)
    place = np.random.default_rng(seed).permutation(d)
    model, permuted = SCORE(alpha=0.01).fit(X), SCORE(alpha=0.01).fit(X[:, place])
    assert_array_equal(place[permuted.causal_order_], model.causal_order_)
    assert_array_equal(permuted.adjacency_matrix_, model.adjacency_matrix_[np.ix_(place, place)])


@settings(max_examples=25)
@given(columns, seeds, st.floats(-1e4, 1e4))
def test_shifting_columns_changes_nothing(d, seed, shift):
    X = table(d, seed)
    model, shifted = SCORE(alpha=0.01).fit(X), SCORE(alpha=0.01).fit(X + shift * np.arange(d))
    assert_array_equal(shifted.causal_order_, model.causal_order_)
    assert_array_equal(shifted.adjacency_matrix_, model.adjacency_matrix_)


@settings(max_examples=10)
@given(columns, seeds, st.integers(2, 4))
def test_jobs_and_threads_change_nothing(d, seed, count):
    X = table(d, seed)
    with threadpool_limits(limits=1):
        model = SCORE(n_jobs=1).fit(X)
        assert_array_equal(SCORE(n_jobs=count).fit(X).p_values_, model.p_values_)
    with threadpool_limits(limits=count):
        threaded = SCORE().fit(X)
    assert_array_equal(threaded.causal_order_, model.causal_order_)
    assert_array_equal(threaded.adjacency_matrix_, model.adjacency_matrix_)


@settings(max_examples=10)
@given(columns, seeds)
def test_permuting_the_rows_changes_nothing(d, seed):
    X = table(d, seed)
    model = SCORE(alpha=0.01).fit(X)
    shuffled = SCORE(alpha=0.01).fit(np.random.default_rng(seed).permutation(X))
    assert_array_equal(shuffled.causal_order_, model.causal_order_)
    assert_array_equal(shuffled.adjacency_matrix_, model.adjacency_matrix_)
