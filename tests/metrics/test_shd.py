import gadjid
import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.exceptions import GraphError
from scoredag.metrics import shd
from scoredag.simulate import random_dag


def dags(count):
    """Build tuples of DAGs over the same nodes."""
    per_node = st.lists(st.floats(0, 4), min_size=count, max_size=count)
    return st.builds(
        lambda d, densities, seed: tuple(
            random_dag(d, density, rng=seed + k) for k, density in enumerate(densities)
        ),
        st.integers(2, 9),
        per_node,
        st.integers(0, 2**32),
    )


@pytest.mark.parametrize(
    ("pred", "distance"),
    [
        ([[0, 1, 0], [0, 0, 1], [0, 0, 0]], 0),
        ([[0, 1, 0], [0, 0, 0], [0, 0, 0]], 1),  # missing
        ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 1),  # extra
        ([[0, 0, 0], [1, 0, 1], [0, 0, 0]], 1),  # reversed: once
        ([[0, 0, 1], [1, 0, 0], [0, 0, 0]], 3),  # all three
    ],
)
def test_worked_examples(pred, distance):
    assert shd([[0, 1, 0], [0, 0, 1], [0, 0, 0]], pred) == distance


@given(dags(2))
def test_zero_exactly_for_equal_graphs_and_symmetric(pair):
    true, pred = pair
    assert (shd(true, pred) == 0) == np.array_equal(true, pred)
    assert shd(true, true) == 0
    assert shd(true, pred) == shd(pred, true)


@given(dags(2))
def test_equals_gadjid(pair):
    true, pred = pair
    assert shd(true, pred) == gadjid.shd(true.astype(np.int8), pred.astype(np.int8))[1]


@given(dags(3))
def test_triangle_inequality(three):
    a, b, c = three
    assert shd(a, c) <= shd(a, b) + shd(b, c)


def test_weights_do_not_matter():
    assert shd([[0, 0.3], [0, 0]], [[0, -2], [0, 0]]) == 0
    assert type(shd([[0]], [[0]])) is int


def test_a_two_cycle_is_one_wrong_pair():
    assert shd([[0, 1], [0, 0]], [[0, 1], [1, 0]]) == 1


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (np.zeros((2, 2)), np.zeros((3, 3)), "same nodes; got 2 and 3"),
        (np.eye(2), np.zeros((2, 2)), "true must have a zero diagonal"),
        (np.zeros((2, 2)), np.zeros((2, 3)), "pred must be a square matrix"),
    ],
)
def test_errors_name_the_argument(true, pred, message):
    with pytest.raises(GraphError, match=message):
        shd(true, pred)


def labelled(names, kind=pd.DataFrame):
    """Return a -> b, b -> c, with the nodes in this order."""
    matrix = pd.DataFrame([[0, 1, 0], [0, 0, 1], [0, 0, 0]], index=list("abc"), columns=list("abc"))
    ordered = matrix.loc[list(names), list(names)]
    return ordered if kind is pd.DataFrame else kind(ordered.to_dict("list"))


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pyarrow.table])
@pytest.mark.parametrize("names", ["abc", "cba", "bac"])
def test_frames_are_compared_by_name(kind, names):
    assert shd(labelled("abc"), labelled(names, kind)) == 0


def test_a_frame_and_an_array_are_compared_by_position():
    assert shd(labelled("abc"), labelled("abc").to_numpy()) == 0
    assert shd(pd.DataFrame(labelled("abc").to_numpy()), labelled("abc")) == 0
