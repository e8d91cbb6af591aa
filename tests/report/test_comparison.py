from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.metrics import shd
from scoredag.report import Edge, Finding
from scoredag.report.comparison import compare, distances


def test_no_truth_no_comparison(finding):
    assert compare(finding) is None


def test_verdicts_and_figures(finding, truth):
    found = compare(replace(finding, truth=truth))
    assert found.verdicts == {
        (0, 1): "correct",
        (1, 2): "reversed",
        (0, 2): "extra",
        (2, 3): "missing",
    }
    assert found.figures["SHD"][0] == 3
    assert found.figures["Precision"][0] == pytest.approx(1 / 3)
    assert found.figures["D_top"][0] == 2


@pytest.mark.parametrize(
    ("true", "pred", "title"),
    [
        ([[0, 1], [1, 0]], [[0, 1], [0, 0]], "reference"),
        ([[0, 1], [0, 0]], [[0, 1], [1, 0]], "found"),
    ],
)
def test_a_cycle_has_no_sid_and_the_reason_is_given(true, pred, title):
    value, meaning = distances(np.array(true), np.array(pred))["SID"]
    assert value is None
    assert meaning.startswith("not defined")
    assert title in meaning


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_shd_is_the_number_of_wrong_verdicts(seed, d):
    rng = np.random.default_rng(seed)
    truth, pred = np.triu(rng.random((2, d, d)) < 0.4, k=1).astype(int)
    shuffle = rng.permutation(d)
    truth = truth[np.ix_(shuffle, shuffle)]
    edges = tuple(Edge(int(i), int(j)) for i, j in np.argwhere(pred))
    names = tuple(f"x{k}" for k in range(d))
    finding = Finding("t", 10, names, "M", {}, tuple(range(d)), edges, truth=truth)
    verdicts = compare(finding).verdicts
    assert sum(verdict != "correct" for verdict in verdicts.values()) == shd(truth, pred)
    assert set(verdicts) >= {(edge.cause, edge.effect) for edge in edges}
