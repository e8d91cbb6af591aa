"""Right and wrong edges, those of them that a method doubts, and F1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag import ScoreGP
from scoredag.bench.measures.f1 import f1
from scoredag.bench.measures.precision import precision
from scoredag.bench.measures.recall import recall
from scoredag.bench.measures.right_doubted import right_doubted
from scoredag.bench.measures.right_edges import right_edges
from scoredag.bench.measures.wrong_doubted import wrong_doubted
from scoredag.bench.measures.wrong_edges import wrong_edges
from scoredag.bench.methods import run_method
from scoredag.bench.scoring import Outcome, marks_of_dag
from scoredag.metrics import edge_report
from scoredag.settings import EDGE_TEST
from scoredag.simulate import random_dag, simulated_dataset

CHAIN = np.eye(4, k=1, dtype=int)
# 0 -> 1 is right, 2 -> 1 reversed, 0 -> 3 absent from the chain, and 2 -> 3 not found.
FOUND = np.array([[0, 1, 0, 1], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
NOTHING = np.zeros((4, 4), dtype=int)


def dag(matrix, doubtful=None):
    return Outcome("dag", matrix, None, {}, doubtful=doubtful)


def test_reversed_and_absent_edges_are_wrong():
    assert right_edges(CHAIN, dag(FOUND)) == 1
    assert wrong_edges(CHAIN, dag(FOUND)) == 2
    assert f1(CHAIN, dag(FOUND)) == pytest.approx(1 / 3)


def test_doubt_counts_only_at_edges_that_were_found():
    doubtful = np.zeros((4, 4), dtype=bool)
    doubtful[0, 1] = doubtful[2, 1] = doubtful[1, 2] = doubtful[2, 3] = True
    assert right_doubted(CHAIN, dag(FOUND, doubtful)) == 1
    assert wrong_doubted(CHAIN, dag(FOUND, doubtful)) == 1
    none = np.zeros((4, 4), dtype=bool)
    assert right_doubted(CHAIN, dag(FOUND, none)) == wrong_doubted(CHAIN, dag(FOUND, none)) == 0


def test_a_method_that_never_doubts_has_no_count():
    assert right_doubted(CHAIN, dag(FOUND)) is None
    assert wrong_doubted(CHAIN, dag(FOUND)) is None


def test_a_graph_without_edges():
    assert right_edges(CHAIN, dag(NOTHING)) == wrong_edges(CHAIN, dag(NOTHING)) == 0
    assert f1(CHAIN, dag(NOTHING)) == 0
    assert f1(NOTHING, dag(NOTHING)) == 1


def test_undirected_and_two_headed_edges():
    """0 - 1 is no claim, 1 <-> 2 and 0 - 3, which the truth lacks, are wrong, 2 -> 3 is right."""
    marks = np.array([[0, 3, 0, 3], [3, 0, 2, 0], [0, 2, 0, 2], [3, 0, 3, 0]])
    outcome = Outcome("cpdag", marks, None, {})
    assert (right_edges(CHAIN, outcome), wrong_edges(CHAIN, outcome)) == (1, 2)
    assert f1(CHAIN, outcome) == pytest.approx(1 / 3)
    assert wrong_doubted(CHAIN, outcome) is None


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_they_agree_with_the_report_of_edges(seed, d):
    rng = np.random.default_rng(seed)
    true, found = random_dag(d, 1, rng=rng), random_dag(d, 1, rng=rng)
    report = edge_report(true, found)
    for outcome in (dag(found), Outcome("cpdag", marks_of_dag(found), None, {})):
        assert right_edges(true, outcome) == report.n_correct
        assert wrong_edges(true, outcome) == report.n_pred - report.n_correct
        assert f1(true, outcome) == pytest.approx(report.f1)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_f1_is_the_harmonic_mean(seed, d):
    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 4, size=(d, d))
    joined = np.triu(rng.random((d, d)) < 0.5, 1)
    outcome = Outcome("pag", np.where(joined | joined.T, marks, 0), None, {})
    true = random_dag(d, 1, rng=rng)
    parts = precision(true, outcome), recall(true, outcome)
    expected = 2 * np.prod(parts) / sum(parts) if sum(parts) else 0.0
    assert f1(true, outcome) == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore")
def test_doubt_of_score_gp_is_what_its_attributes_say():
    data = simulated_dataset("hidden_cause", 5, "ER1", n=200, seed=0)
    model = ScoreGP(random_state=3).fit(data.X)
    outcome = run_method("ScoreGP", data.X, {}, 3)
    p = model.noise_independence_
    small = p < EDGE_TEST.dependent_noise_level / max(np.isfinite(p).sum(), 1)
    assert (outcome.doubtful == (model.undirected_edges_ | model.weak_edges_ | small)).all()
    assert outcome.doubtful.any()


def test_score_says_nothing_of_doubt():
    data = simulated_dataset("additive", 3, "ER1", n=100, seed=0)
    assert run_method("SCORE", data.X, {}, 0).doubtful is None
