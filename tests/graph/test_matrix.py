import numpy as np
import pandas as pd
import polars as pl
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import check_adjacency, from_matrix

WEIGHTS = [[0.0, 0.0, 0.0], [1.3, 0.0, 0.0], [0.0, -0.2, 0.0]]


@pytest.mark.parametrize(
    "kind", [np.array, pd.DataFrame, lambda rows: pl.DataFrame(rows).transpose()]
)
def test_direction_decides_which_end_is_the_cause(kind):
    matrix = kind(WEIGHTS)
    assert from_matrix(matrix, edge_direction="from column to row").tolist() == [
        [0, 1, 0],
        [0, 0, 1],
        [0, 0, 0],
    ]
    assert from_matrix(matrix, edge_direction="from row to column").tolist() == [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
    ]


def test_direction_is_mandatory():
    with pytest.raises(TypeError, match="edge_direction"):
        from_matrix(WEIGHTS)
    with pytest.raises(TypeError, match="positional"):
        from_matrix(WEIGHTS, "from row to column")


def test_direction_must_be_one_of_the_two():
    with pytest.raises(
        GraphError, match=r"edge_direction must be 'from row to column' or .* 'rows'"
    ):
        from_matrix(WEIGHTS, edge_direction="rows")


def test_bad_matrix_is_refused():
    with pytest.raises(GraphError, match="A must have a zero diagonal"):
        from_matrix(np.eye(2), edge_direction="from row to column")


def test_a_frame_whose_labels_contradict_each_other_is_refused():
    frame = pd.DataFrame(WEIGHTS, index=list("cba"), columns=list("abc"))
    with pytest.raises(GraphError, match="A must have its rows and columns in the same order"):
        from_matrix(frame, edge_direction="from column to row")


class TestCheckAdjacency:
    def test_any_nonzero_entry_is_an_edge(self):
        result = check_adjacency([[0, -1e-300, 2], [0, 0, 0], [0, True, 0]])
        assert result.tolist() == [[0, 1, 1], [0, 0, 0], [0, 1, 0]]
        assert np.issubdtype(result.dtype, np.integer)

    def test_returns_a_copy(self):
        given_matrix = np.zeros((2, 2), dtype=np.int64)
        check_adjacency(given_matrix)[0, 1] = 1
        assert given_matrix[0, 1] == 0

    @pytest.mark.parametrize(
        ("index", "columns"),
        [(["a", "b"], ["a", "b"]), (None, ["a", "b"]), (["a", "b"], None), (None, None)],
    )
    def test_labels_that_agree_or_are_missing(self, index, columns):
        frame = pd.DataFrame([[0, 1], [0, 0]], index=index, columns=columns)
        assert check_adjacency(frame).tolist() == [[0, 1], [0, 0]]

    @pytest.mark.parametrize("index", [["b", "a"], ["a", "c"], [1, 0]])
    def test_labels_that_contradict_each_other(self, index):
        frame = pd.DataFrame([[0, 1], [0, 0]], index=index, columns=["a", "b"])
        with pytest.raises(GraphError, match=r"rows and columns in the same order.*G\.loc\[G\.col"):
            check_adjacency(frame, "G")

    def test_masked_entries(self):
        with pytest.raises(GraphError, match="no masked entries: fill them"):
            check_adjacency(np.ma.array([[0, 1], [0, 0]], mask=[[0, 1], [0, 0]]))

    @pytest.mark.parametrize(
        ("matrix", "message"),
        [
            (np.zeros((2, 3)), r"truth must be a square matrix; got shape \(2, 3\)"),
            (np.zeros(4), r"truth must be a square matrix; got shape \(4,\)"),
            ([[0, np.nan], [0, 0]], r"truth must be finite; got nan at \[0, 1\]"),
            ([[0, 0], [np.inf, 0]], r"truth must be finite; got inf at \[1, 0\]"),
            ([["a", "b"], ["c", "d"]], "truth must be a square matrix of numbers"),
            ([[0, 1], [0]], "truth must be a square matrix of numbers"),
            (None, "truth must be"),
            ([[0, 0], [0, 3]], "truth must have a zero diagonal; node 1"),
        ],
    )
    def test_error_names_argument_and_trouble(self, matrix, message):
        with pytest.raises(GraphError, match=message):
            check_adjacency(matrix, "truth")
