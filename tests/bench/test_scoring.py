"""Scoring of CPDAGs and PAGs: hand-made cases, and what must hold for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.bench.scoring import HOW_SCORED, MarkReport, compare_marks, marks_of_dag
from scoredag.exceptions import GraphError
from scoredag.metrics import edge_report, shd

CIRCLE, ARROWHEAD, TAIL = 1, 2, 3
EDGE = [[0, 1], [0, 0]]  # the truth: 0 -> 1
NOTHING = [[0, 0], [0, 0]]


def between(at_0, at_1):
    """Two nodes and one edge, with these marks at its ends."""
    return [[0, at_1], [at_0, 0]]


@pytest.mark.parametrize(
    ("at_0", "at_1", "report"),
    [
        (TAIL, ARROWHEAD, MarkReport(0, 0, 1.0, 1.0)),  # 0 --> 1
        (CIRCLE, ARROWHEAD, MarkReport(0, 0, 1.0, 1.0)),  # 0 o-> 1
        (ARROWHEAD, TAIL, MarkReport(1, 1, 0.0, 0.0)),  # 0 <-- 1
        (ARROWHEAD, CIRCLE, MarkReport(1, 1, 0.0, 0.0)),  # 0 <-o 1
        (TAIL, TAIL, MarkReport(1, 0, 1.0, 0.0)),  # 0 --- 1
        (CIRCLE, CIRCLE, MarkReport(1, 0, 1.0, 0.0)),  # 0 o-o 1
        (TAIL, CIRCLE, MarkReport(1, 0, 1.0, 0.0)),  # 0 --o 1
        (ARROWHEAD, ARROWHEAD, MarkReport(1, 1, 0.0, 0.0)),  # 0 <-> 1
        (0, 0, MarkReport(1, 1, 1.0, 0.0)),  # no edge
    ],
)
def test_every_edge_where_the_truth_has_one(at_0, at_1, report):
    assert compare_marks(EDGE, between(at_0, at_1)) == report


@pytest.mark.parametrize("at_0", [CIRCLE, ARROWHEAD, TAIL])
@pytest.mark.parametrize("at_1", [CIRCLE, ARROWHEAD, TAIL])
def test_every_edge_where_the_truth_has_none_is_a_wrong_claim(at_0, at_1):
    assert compare_marks(NOTHING, between(at_0, at_1)) == MarkReport(1, 1, 0.0, 1.0)


def test_nothing_where_there_is_nothing():
    assert compare_marks(NOTHING, NOTHING) == MarkReport(0, 0, 1.0, 1.0)


def test_equivalence_class_of_a_chain_is_free_of_mistakes_at_its_best():
    chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    undirected = TAIL * (np.array(chain) + np.transpose(chain))
    assert compare_marks(chain, undirected) == MarkReport(shd=2, shd_best=0, precision=1, recall=0)


def test_a_pair_counts_once_in_a_mixed_graph():
    """Truth 0 -> 1, 1 -> 2, 0 -> 3; output 0 -> 1, 1 - 2, 2 <-> 3, 3 -> 0."""
    true = np.zeros((4, 4), dtype=int)
    true[0, 1] = true[1, 2] = true[0, 3] = 1
    marks = np.zeros((4, 4), dtype=int)
    marks[0, 1], marks[1, 0] = ARROWHEAD, TAIL
    marks[1, 2], marks[2, 1] = TAIL, TAIL
    marks[2, 3], marks[3, 2] = ARROWHEAD, ARROWHEAD
    marks[3, 0], marks[0, 3] = ARROWHEAD, TAIL
    assert compare_marks(true, marks) == MarkReport(
        shd=3, shd_best=2, precision=pytest.approx(1 / 3), recall=pytest.approx(1 / 3)
    )


@st.composite
def dags(draw, d):
    upper = np.triu(draw(_matrices(d, st.integers(0, 1))), 1)
    shuffled = draw(st.permutations(range(d)))
    return upper[np.ix_(shuffled, shuffled)]


@st.composite
def mark_matrices(draw, d):
    marks = draw(_matrices(d, st.integers(1, 3)))
    joined = np.triu(draw(_matrices(d, st.booleans())), 1)
    return np.where(joined | joined.T, marks, 0)


def _matrices(d, elements):
    return st.lists(elements, min_size=d * d, max_size=d * d).map(
        lambda values: np.array(values).reshape(d, d)
    )


@st.composite
def truth_and(draw, other):
    d = draw(st.integers(1, 6))
    return draw(dags(d)), draw(other(d))


@given(truth_and(dags))
def test_a_dag_scores_as_the_dag_metrics_do(pair):
    true, pred = pair
    report, edges = compare_marks(true, marks_of_dag(pred)), edge_report(true, pred)
    assert report.shd == report.shd_best == shd(true, pred)
    assert (report.precision, report.recall) == (edges.precision, edges.recall)


@given(truth_and(mark_matrices))
def test_bounds(pair):
    true, marks = pair
    report, d = compare_marks(true, marks), len(true)
    assert 0 <= report.shd_best <= report.shd <= d * (d - 1) / 2
    assert 0 <= report.precision <= 1
    assert 0 <= report.recall <= 1


@given(truth_and(mark_matrices))
def test_best_is_what_turning_every_undecided_edge_gives(pair):
    true, marks = pair
    undecided = (marks != 0) & (marks != ARROWHEAD) & (marks.T != ARROWHEAD)
    turned = np.where(undecided & (true | true.T).astype(bool), marks_of_dag(true), marks)
    assert compare_marks(true, turned).shd == compare_marks(true, marks).shd_best


@given(truth_and(mark_matrices), st.randoms(use_true_random=False))
def test_the_names_of_the_nodes_do_not_matter(pair, random):
    true, marks = pair
    other = random.sample(range(len(true)), len(true))
    index = np.ix_(other, other)
    assert compare_marks(true[index], marks[index]) == compare_marks(true, marks)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ([[0, 2], [0, 0]], "none at 0"),
        ([[0, 0], [2, 0]], "none at 1"),
        ([[0, 4], [3, 0]], "must be 0, 1"),
        ([[2, 0], [0, 0]], "0 on the diagonal"),
        ([[0]], "over the 2 nodes"),
    ],
)
def test_what_is_no_graph_is_refused(marks, message):
    with pytest.raises(GraphError, match=message):
        compare_marks(EDGE, marks)


def test_a_cyclic_truth_is_refused():
    with pytest.raises(GraphError, match="true_adjacency must be acyclic"):
        compare_marks([[0, 1], [1, 0]], NOTHING)


def test_the_footnotes_name_what_is_scored():
    assert set(HOW_SCORED) == {"cpdag", "pag"}
    assert "o->" in HOW_SCORED["pag"]
