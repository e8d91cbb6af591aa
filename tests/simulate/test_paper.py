import dataclasses

import numpy as np
import pytest

from scoredag.metrics import order_divergence
from scoredag.simulate import paper_dataset

# Written by `paper_dataset` itself with numpy 2.4, to notice when a seed comes to mean other data.
GOLDEN_ADJACENCY = [[0, 0, 1], [1, 0, 1], [0, 0, 0]]
GOLDEN_ROWS = [
    [1.6536077773966857, 0.5548988569608968, 0.8282035653564384],
    [-1.053472124761601, 0.2555572335393918, 0.8360257411619326],
]


@pytest.mark.parametrize(
    ("d", "graph", "edges"),
    [
        (10, "ER1", 10),
        (10, "ER4", 40),
        (20, "ER4", 80),
        (10, "SF1", 9),
        (10, "SF4", 30),
        (5, "ER9", 10),
    ],
)
def test_graphs(d, graph, edges):
    data = paper_dataset(d, graph, n=20)
    assert data.X.shape == (20, d)
    assert data.adjacency.sum() == edges
    assert order_divergence(data.adjacency, data.order) == 0


def test_defaults_are_the_papers():
    data = paper_dataset(10)
    assert data.X.shape == (1000, 10)
    assert data.adjacency.sum() == 40


def test_variances_of_roots_and_effects():
    """Roots have their noise's variance, in [0.4, 0.8]; a GP adds to that of the others."""
    roots, effects = [], []
    for seed in range(12):
        data = paper_dataset(10, "ER1", seed=seed, n=600)
        is_root = ~data.adjacency.any(axis=0)
        roots += data.X[:, is_root].var(axis=0).tolist()
        effects += data.X[:, ~is_root].var(axis=0).tolist()
    assert min(roots) > 0.3
    assert max(roots) < 1.0
    assert np.mean(roots) == pytest.approx(0.6, abs=0.05)
    assert 0.9 < np.mean(effects) < 1.6


def test_seed_decides_and_noises_share_the_graph():
    first = paper_dataset(8, "ER1", seed=3, n=50)
    again = paper_dataset(8, "ER1", seed=3, n=50)
    laplace = paper_dataset(8, "ER1", noise="laplace", seed=3, n=50)
    other = paper_dataset(8, "ER1", seed=4, n=50)
    assert (first.X == again.X).all()
    assert (first.adjacency == laplace.adjacency).all()
    assert (first.X != laplace.X).all()
    assert (first.adjacency != other.adjacency).any()


def test_golden_values():
    data = paper_dataset(3, "ER1", seed=0, n=40)
    assert data.adjacency.tolist() == GOLDEN_ADJACENCY
    assert data.X[[0, 39]] == pytest.approx(np.array(GOLDEN_ROWS), abs=1e-5)


def test_progress_changes_nothing():
    seen = []
    watched = paper_dataset(3, "ER1", n=10, progress=lambda done, total: seen.append(done))
    assert seen == [1, 2, 3]
    assert (watched.X == paper_dataset(3, "ER1", n=10).X).all()


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        paper_dataset(2, "ER1", n=5).X = None


@pytest.mark.parametrize("graph", ["ER", "er4", "ER4x", "BA2", "4ER", "ER1.5", "ER-1"])
def test_graph_name_must_parse(graph):
    with pytest.raises(ValueError, match="graph must be one of BIPARTITE, ER, SF and a whole"):
        paper_dataset(5, graph)
