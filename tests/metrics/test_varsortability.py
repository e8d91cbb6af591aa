import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.exceptions import DataError, GraphError
from scoredag.metrics import varsortability
from scoredag.simulate import random_dag


def data_with(standard_deviations):
    return np.array([[-1.0], [1.0]]) * np.array(standard_deviations)


def by_enumeration(variances, A):
    """The paper's sums, path length by path length, with loops."""
    d, rising, count = len(A), 0.0, 0
    reached = {(i, j) for i, j in np.argwhere(A).tolist()}
    for _ in range(1, d):
        for i, j in reached:
            count += 1
            rising += 1.0 if variances[i] < variances[j] else 0.5 * (variances[i] == variances[j])
        reached = {(i, k) for i, j in reached for k in np.flatnonzero(A[j]).tolist()}
    return rising / count


@st.composite
def cases(draw):
    d = draw(st.integers(2, 7))
    A = random_dag(d, draw(st.floats(1, 3)), rng=draw(st.integers(0, 2**32)))
    return A, draw(st.lists(st.integers(1, 4), min_size=d, max_size=d))


@pytest.mark.parametrize(
    ("deviations", "expected"),
    [([1, 2, 3], 1.0), ([3, 2, 1], 0.0), ([1, 1, 1], 0.5), ([1, 3, 2], 2 / 3), ([2, 2, 1], 1 / 6)],
)
def test_chain_of_three(deviations, expected):
    """Paths 0->1, 1->2 and 0->1->2: three, each a rise, a tie or a fall."""
    assert varsortability(data_with(deviations), np.eye(3, k=1)) == pytest.approx(expected)


def test_a_pair_counts_once_for_each_length_of_path():
    """0->1->2 and 0->2 with variances 1, 3, 2: rises 0->1, 0->2, 0..2; fall 1->2: 3 of 4."""
    A = np.triu(np.ones((3, 3)), 1)
    assert varsortability(data_with([1, 3, 2]), A) == pytest.approx(3 / 4)


@given(cases())
def test_equals_enumeration(case):
    A, deviations = case
    expected = by_enumeration(np.square(deviations), A)
    assert varsortability(data_with(deviations), A) == pytest.approx(expected)


def test_standardised_data_are_all_ties():
    X = np.random.default_rng(0).normal(size=(200, 6)) * np.arange(1, 7)
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    assert varsortability(standardised, np.triu(np.ones((6, 6)), 1)) == 0.5


def test_no_edges_is_nan():
    assert np.isnan(varsortability(np.zeros((3, 2)), np.zeros((2, 2))))


def test_errors():
    with pytest.raises(GraphError, match="A and X must have the same nodes; got 2 and 3"):
        varsortability(np.zeros((5, 3)), np.zeros((2, 2)))
    with pytest.raises(GraphError, match="A must be acyclic"):
        varsortability(np.zeros((5, 2)), [[0, 1], [1, 0]])


def test_data_and_graph_are_matched_by_name():
    graph = pd.DataFrame([[0, 1], [0, 0]], index=["a", "b"], columns=["a", "b"])
    data = pd.DataFrame(data_with([1, 2]), columns=["a", "b"])
    for A in (graph, [("a", "b")], nx.DiGraph([("a", "b")])):
        assert varsortability(data, A) == varsortability(data[["b", "a"]], A) == 1.0
    with pytest.raises(GraphError, match="A has 'c', which X lacks: it has 'a' and 'b'"):
        varsortability(data, [("a", "c")])
    with pytest.raises(GraphError, match="X has 'c', which A lacks"):
        varsortability(data.assign(c=1.0), graph)
    with pytest.raises(GraphError, match="which of these is column 0 is not known"):
        varsortability(data.to_numpy(), [("a", "b")])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([["a", "b"]], "columns that do not hold numbers: 'x0'"),
        (np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[1, 0], [0, 0]]), "column 0 has NaN"),
        (np.array([["1", "2"], ["3", "4"]], dtype=object), "numbers stored as text"),
        (np.zeros((0, 2)), "X must be a table with at least two rows"),
        ([[1, 2]], r"X must be a table with at least two rows; got shape \(1, 2\)"),
        (np.full((2, 2), 1e308) * [[1], [-1]], "X must have finite variances"),
        (np.zeros((2, 2), dtype=complex), "complex numbers"),
        (np.zeros((2, 2), dtype="M8[s]"), "dates or times"),
        ([[0, np.nan], [1, 2]], "column 1 has NaN or infinity"),
    ],
)
def test_tables_without_variances(X, message):
    with pytest.raises((DataError, GraphError), match=message):
        varsortability(X, [[0, 1], [0, 0]])
