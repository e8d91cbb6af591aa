import numpy as np
from numpy.testing import assert_array_equal

from scoredag.estimators.grandag.selection import tree_neighbours
from scoredag.simulate import paper_dataset


def test_causes_are_among_the_neighbours():
    data = paper_dataset(8, "ER1", seed=100, n=400)
    chosen = tree_neighbours(data.X, rng=np.random.default_rng(0), trees=50)
    assert not np.diagonal(chosen).any()
    assert chosen[data.adjacency == 1].mean() >= 0.8
    assert chosen.mean() < 0.6


def test_the_result_depends_on_the_seed_alone():
    X = paper_dataset(5, "ER1", seed=100, n=100).X
    first, second = (
        tree_neighbours(X, rng=np.random.default_rng(1), trees=10, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    assert_array_equal(first, second)


def test_a_larger_share_of_the_mean_keeps_fewer():
    X = paper_dataset(5, "ER1", seed=100, n=100).X
    counts = [
        tree_neighbours(X, rng=np.random.default_rng(1), trees=10, share=share).sum()
        for share in (0.0, 0.75, 5.0)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 20
    assert counts[2] == 0
