"""AUROC of directed edges: hand-made cases, and what must hold for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.bench.measures.auroc import auroc
from scoredag.bench.methods import run_method
from scoredag.bench.scoring import Outcome, marks_of_dag
from scoredag.simulate import paper_dataset, random_dag

CHAIN = np.eye(3, k=1, dtype=int)


def dag(matrix, scores=None):
    return Outcome("dag", np.asarray(matrix), None, {}, scores=scores)


def by_counting(true, ranks):
    """The definition: true edges against all other ordered pairs."""
    d = len(true)
    pairs = [(i, j) for i in range(d) for j in range(d) if i != j]
    wins = [
        (ranks[edge] > ranks[other]) + (ranks[edge] == ranks[other]) / 2
        for edge in pairs
        if true[edge]
        for other in pairs
        if not true[other]
    ]
    return np.mean(wins)


def test_perfect_reversed_and_empty():
    assert auroc(CHAIN, dag(CHAIN)) == 1
    # Both true edges tie with two of the four others, and lose against the other two.
    assert auroc(CHAIN, dag(CHAIN.T)) == pytest.approx(0.25)
    assert auroc(CHAIN, dag(np.zeros((3, 3)))) == 0.5
    assert auroc(np.zeros((3, 3)), dag(CHAIN)) is None


def test_kept_edges_rank_above_others_whatever_the_scores():
    scores = np.array([[0, -5.0, 90.0], [70.0, 0, -9.0], [80.0, 60.0, 0]])
    assert auroc(CHAIN, dag(CHAIN, scores)) == 1


def test_scores_order_the_kept_edges():
    full = np.triu(np.ones((3, 3), dtype=int), 1)
    good, bad = np.zeros((3, 3)), np.zeros((3, 3))
    good[0, 1] = good[1, 2] = 5
    bad[0, 2] = 5
    assert auroc(CHAIN, dag(full, good)) == 1
    assert auroc(CHAIN, dag(full, bad)) == pytest.approx(0.75)
    assert auroc(CHAIN, dag(full)) == pytest.approx(0.875)


def test_undirected_and_two_headed_edges():
    undirected = 3 * (CHAIN + CHAIN.T)
    # Each true edge ties with two of the four others, and beats the other two.
    assert auroc(CHAIN, Outcome("cpdag", undirected, None, {})) == pytest.approx(0.75)
    two_headed = 2 * (CHAIN + CHAIN.T)
    assert auroc(CHAIN, Outcome("pag", two_headed, None, {})) == 0.5


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_definition(seed, d):
    rng = np.random.default_rng(seed)
    true, found = random_dag(d, 1, rng=rng), random_dag(d, 1, rng=rng)
    scores = rng.integers(-3, 4, size=(d, d)).astype(float)
    expected = by_counting(true, scores + 100 * found)
    assert auroc(true, dag(found, scores)) == pytest.approx(expected)
    assert auroc(true, dag(found, np.exp(scores))) == pytest.approx(expected)
    assert auroc(true, dag(found)) == pytest.approx(
        auroc(true, Outcome("cpdag", marks_of_dag(found), None, {}))
    )


@pytest.mark.parametrize(
    ("method", "options"), [("SCORE", {}), ("SCORE", {"pruner": "gp"}), ("VarSort", {})]
)
def test_estimators_have_scores(method, options):
    """Of the edges among the columns, those with more evidence have larger scores."""
    data = paper_dataset(5, "ER1", seed=0, n=300)
    found = run_method(method, data.X, options, 0)
    assert found.scores.shape == (5, 5)
    assert np.isfinite(found.scores).all()
    kept = found.matrix != 0
    assert found.scores[kept].min() > found.scores[~kept].max()
    assert 0.5 < auroc(data.adjacency, found) <= 1
