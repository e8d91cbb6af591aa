import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from scoredag.exceptions import GraphError
from scoredag.metrics import edge_report, shd
from scoredag.simulate import random_dag


@st.composite
def pairs_of_dags(draw):
    d = draw(st.integers(1, 8))
    per_node = st.floats(0, 4)
    seed = st.integers(0, 2**32)
    return tuple(random_dag(d, draw(per_node), rng=draw(seed)) for _ in range(2))


def test_worked_example():
    """Two right, 0->2 missing, 0->3 extra, 1->2 turned round."""
    true, pred = np.zeros((4, 4)), np.zeros((4, 4))
    for i, j in [(0, 1), (0, 2), (1, 2), (2, 3)]:
        true[i, j] = 1
    for i, j in [(0, 1), (2, 1), (2, 3), (0, 3)]:
        pred[i, j] = 1
    report = edge_report(true, pred)
    assert report.missing == ((0, 2),)
    assert report.extra == ((0, 3),)
    assert report.reversed == ((1, 2),)
    assert (report.n_true, report.n_pred, report.n_correct) == (4, 4, 2)
    assert (report.precision, report.recall, report.f1) == (0.5, 0.5, 0.5)


@given(pairs_of_dags())
def test_lists_add_up(pair):
    true, pred = pair
    report = edge_report(true, pred)
    wrong = [*report.missing, *report.extra, *report.reversed]
    assert len(set(wrong)) == len(wrong) == shd(true, pred)
    assert report.n_true == report.n_correct + len(report.missing) + len(report.reversed)
    assert report.n_pred == report.n_correct + len(report.extra) + len(report.reversed)
    assert all(true[i, j] and not pred[i, j] and not pred[j, i] for i, j in report.missing)
    assert all(pred[i, j] and not true[i, j] and not true[j, i] for i, j in report.extra)
    assert all(true[i, j] and pred[j, i] for i, j in report.reversed)


@given(pairs_of_dags())
def test_ratios_equal_scikit_learn(pair):
    true, pred = pair
    report = edge_report(true, pred)
    arguments = {"y_true": true.ravel(), "y_pred": pred.ravel(), "zero_division": 1.0}
    assert report.precision == pytest.approx(precision_score(**arguments))
    assert report.recall == pytest.approx(recall_score(**arguments))
    assert report.f1 == pytest.approx(f1_score(**arguments))


def test_nothing_predicted():
    report = edge_report([[0, 1], [0, 0]], np.zeros((2, 2)))
    assert (report.precision, report.recall, report.f1) == (1.0, 0.0, 0.0)
    both_empty = edge_report(np.zeros((2, 2)), np.zeros((2, 2)))
    assert (both_empty.precision, both_empty.recall, both_empty.f1) == (1.0, 1.0, 1.0)


def test_edge_numbers_are_plain_integers():
    """So that the report goes into JSON as it is."""
    report = edge_report([[0, 1], [0, 0]], [[0, 0], [0, 0]])
    assert all(type(node) is int for edge in report.missing for node in edge)


def test_frozen():
    report = edge_report([[0]], [[0]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.f1 = 2.0


def test_sizes_must_agree():
    with pytest.raises(GraphError, match="must have the same nodes"):
        edge_report(np.zeros((2, 2)), np.zeros((3, 3)))
