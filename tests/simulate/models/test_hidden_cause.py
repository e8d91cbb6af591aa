import numpy as np
import pytest

from scoredag.graph import is_dag
from scoredag.simulate import random_dag, sample_anm, sample_hidden_cause
from scoredag.simulate.models.hidden_cause import with_hidden_roots


@pytest.mark.parametrize("d", [2, 3, 10])
def test_hidden_roots_have_two_to_four_children(d):
    A = random_dag(d, 1, rng=0)
    for seed in range(20):
        whole = with_hidden_roots(A, 3, np.random.default_rng(seed))
        assert (whole[:d, :d] == A).all()
        assert is_dag(whole)
        assert not whole[:, d:].any()
        assert set(whole[d:].sum(axis=1)) <= set(range(2, min(4, d) + 1))


def test_children_of_a_hidden_root_are_dependent():
    """Two columns without an edge between them, and a cause that is not in the table."""
    X = sample_hidden_cause(np.zeros((2, 2)), 4000, mechanism="linear", hidden=1, rng=0)
    assert X.shape == (4000, 2)
    assert abs(np.corrcoef(X.T)[0, 1]) > 0.4


def test_none_hidden_is_the_additive_model():
    A = random_dag(4, 1, rng=1)
    generator = np.random.default_rng(5)
    generator.spawn(1)  # of the hidden roots
    expected = sample_anm(A, 30, rng=generator)
    assert (sample_hidden_cause(A, 30, hidden=0, rng=5) == expected).all()


@pytest.mark.parametrize(
    ("adjacency", "hidden", "message"),
    [
        ([[0]], 1, "adjacency must have two nodes for a common cause; got 1"),
        ([[0, 1], [0, 0]], -1, "hidden must be a whole number, at least 0; got -1"),
    ],
)
def test_errors(adjacency, hidden, message):
    with pytest.raises(ValueError, match=message):
        sample_hidden_cause(adjacency, 5, hidden=hidden)
