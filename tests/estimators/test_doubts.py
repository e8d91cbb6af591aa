import warnings

import numpy as np
import pytest

from scoredag.estimators._doubts import (
    open_directions,
    warn_about_dependent_noise,
    warn_about_missing_noise,
)
from scoredag.exceptions import DataWarning
from scoredag.prune import PruneResult


def graph(*edges, d=3):
    """Edges i -> j, each with the nats that turning it costs, and whether it is a line."""
    adjacency, direction = np.zeros((d, d), dtype=int), np.full((d, d), np.nan)
    linear = np.full((d, d), np.nan)
    for i, j, nats, line in edges:
        adjacency[i, j], direction[i, j], linear[i, j] = 1, nats, line
    return direction, PruneResult(adjacency, direction, "evidence", {}, {"linear": linear})


def opened(*edges, d=3, by_rank=()):
    ranks = np.isin(np.arange(d), by_rank)
    return np.argwhere(open_directions(*graph(*edges, d=d), ranks)).tolist()


@pytest.mark.parametrize(
    ("nats", "line", "by_rank", "expected"),
    [
        (5, 0, (), []),
        (2, 0, (), [[0, 1]]),
        (-9, 0, (), [[0, 1]]),
        (5, 1, (), [[0, 1]]),
        (11, 1, (), []),
        (5, 0, (0,), [[0, 1]]),
        (5, 0, (1,), [[0, 1]]),
        (5, 0, (2,), []),
        (11, 0, (0, 1), []),
        (np.nan, 0, (), [[0, 1]]),
    ],
)
def test_lines_and_ranks_need_more_evidence(nats, line, by_rank, expected):
    assert opened((0, 1, nats, line), by_rank=by_rank) == expected


def test_lines_that_meet_need_no_more_than_curves():
    assert opened((0, 2, 5, 1), (1, 2, 5, 1)) == []
    assert opened((0, 2, 5, 1), (1, 2, 5, 1), (0, 1, 50, 0)) == [[0, 2], [1, 2]]


def test_a_line_beside_a_path_is_open_if_the_path_is():
    triangle = (0, 1, 1, 1), (1, 2, 1, 1), (0, 2, np.nan, 1)
    assert opened(*triangle) == [[0, 1], [0, 2], [1, 2]]


def test_a_line_beside_a_path_that_is_told_is_told():
    """Turning it would make a cycle."""
    path = (0, 1, 50, 0), (1, 2, 50, 0)
    assert opened(*path, (0, 2, np.nan, 1)) == []
    assert opened((0, 1, 50, 0), (1, 2, 1, 0), (0, 2, np.nan, 1)) == [[0, 2], [1, 2]]


def test_a_curve_beside_a_path_is_not_doubted():
    assert opened((0, 1, 1, 1), (1, 2, 1, 1), (0, 2, np.nan, 0)) == [[0, 1], [1, 2]]


@pytest.mark.parametrize(("p", "warned"), [(4e-4, True), (6e-4, False), (np.nan, False)])
def test_dependent_noise_is_named_by_a_level_for_all_edges(p, warned):
    p_values = np.full((3, 3), np.nan)
    p_values[0, 1], p_values[1, 2] = p, 0.5
    p_values[0, 2] = np.nan if np.isfinite(p) else 0.5
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_about_dependent_noise(p_values, ["a", "b", "c"])
    said = [str(entry.message) for entry in caught]
    assert [("in 1 of 2 edges that were tested: 'a' → 'b'." in text) for text in said] == (
        [True] if warned else []
    )


def test_columns_without_noise_are_named_with_their_causes():
    edges = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]]) == 1
    with pytest.warns(DataWarning, match="'area' can be computed from 'length' and 'width'"):
        warn_about_missing_noise(np.array([1, 1, 1e-8]), edges, ["length", "width", "area"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_about_missing_noise(np.array([1, 1e-8, 1e-4]), edges, ["length", "width", "area"])
