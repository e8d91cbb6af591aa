import numpy as np
import pytest

from scoredag.diagnosis import about_undirected_edges, undirected_edges
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
    return np.argwhere(undirected_edges(*graph(*edges, d=d), ranks)).tolist()


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


def test_a_line_beside_a_path_is_undirected_if_the_path_is():
    triangle = (0, 1, 1, 1), (1, 2, 1, 1), (0, 2, np.nan, 1)
    assert opened(*triangle) == [[0, 1], [0, 2], [1, 2]]


def test_a_line_beside_a_path_that_is_told_is_told():
    """Turning it would make a cycle."""
    path = (0, 1, 50, 0), (1, 2, 50, 0)
    assert opened(*path, (0, 2, np.nan, 1)) == []
    assert opened((0, 1, 50, 0), (1, 2, 1, 0), (0, 2, np.nan, 1)) == [[0, 2], [1, 2]]


def test_a_curve_beside_a_path_is_not_doubted():
    assert opened((0, 1, 1, 1), (1, 2, 1, 1), (0, 2, np.nan, 0)) == [[0, 1], [1, 2]]


def test_undirected_edges_are_named():
    edges = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]) == 1
    undirected = edges & np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
    told = about_undirected_edges(undirected, edges, ["a", "b", "c"])
    assert told.startswith("the data hardly tell the direction of 1 of 2 edges: 'a' → 'b'. ")
    assert about_undirected_edges(edges & False, edges, ["a", "b", "c"]) is None
