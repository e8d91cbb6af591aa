import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from scoredag.graph import full_dag, is_dag
from scoredag.neural.reduction import strongest_dag


@given(st.integers(1, 7), st.integers(0, 1000))
def test_no_lower_threshold_leaves_a_dag(d, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 6, size=(d, d)) * (1.0 - np.eye(d))  # with ties
    dag = strongest_dag(weights)
    assert is_dag(dag)
    dropped = weights[dag == 0].max(initial=0.0)
    assert (weights[dag == 1] > dropped).all()
    if dropped > 0:
        assert not is_dag(weights >= dropped)


def test_a_dag_keeps_its_edges():
    weights = full_dag([2, 0, 1]) * 1e-3
    assert_array_equal(strongest_dag(weights), weights > 0)
