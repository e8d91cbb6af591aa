import numpy as np
import pandas as pd
import polars as pl
import pytest

from scoredag.exceptions import GraphError
from scoredag.graph import from_matrix

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
