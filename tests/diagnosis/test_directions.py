import numpy as np
import pytest

from scoredag.diagnosis import (
    about_undirected_edges,
    about_weak_edges,
    in_mixed_units,
    undirected_edges,
    weak_edges,
)
from scoredag.prune import PruneResult


def graph(*edges, d=3):
    """Edges i -> j, each with the nats that turning it costs, and whether it is a line."""
    adjacency, direction = np.zeros((d, d), dtype=int), np.full((d, d), np.nan)
    linear = np.full((d, d), np.nan)
    for i, j, nats, line in edges:
        adjacency[i, j], direction[i, j], linear[i, j] = 1, nats, line
    return direction, PruneResult(adjacency, direction, "evidence", {}, {"linear": linear})


def opened(*edges, d=3, by_rank=(), n_rows=100):
    ranks = np.isin(np.arange(d), by_rank)
    return np.argwhere(undirected_edges(*graph(*edges, d=d), ranks, n_rows)).tolist()


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


@pytest.mark.parametrize("line", [0, 1])
def test_an_edge_beside_a_path_is_undirected_if_the_path_is(line):
    triangle = (0, 1, 1, line), (1, 2, 1, line), (0, 2, np.nan, line)
    assert opened(*triangle) == [[0, 1], [0, 2], [1, 2]]


@pytest.mark.parametrize("line", [0, 1])
def test_an_edge_beside_an_identified_path_is_identified(line):
    """Its reversal would make a cycle."""
    path = (0, 1, 50, 0), (1, 2, 50, 0)
    assert opened(*path, (0, 2, np.nan, line)) == []
    assert opened((0, 1, 50, 0), (1, 2, 1, 0), (0, 2, np.nan, line)) == [[0, 2], [1, 2]]


def test_undirected_edges_are_named():
    edges = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]) == 1
    undirected = edges & np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
    told = about_undirected_edges(undirected, edges, ["a", "b", "c"], 100)
    assert told.startswith("the data hardly tell the direction of 1 of 2 edges: 'a' → 'b'. ")
    assert about_undirected_edges(edges & False, edges, ["a", "b", "c"], 100) is None


@pytest.mark.parametrize(("n_rows", "expected"), [(100, []), (1000, [[0, 1]]), (100_000, [[0, 1]])])
def test_more_rows_need_more_evidence(n_rows, expected):
    """The same departure from the model is worth more nats on more rows."""
    assert opened((0, 1, 5, 0), n_rows=n_rows) == expected
    _, pruned = graph((0, 1, 5, 0))
    assert np.argwhere(weak_edges(pruned, n_rows)).tolist() == expected


def test_lines_need_as_much_evidence_as_curves_on_many_rows():
    assert opened((0, 1, 50, 1), n_rows=1000) == []
    assert opened((0, 1, 50, 1), n_rows=100_000) == [[0, 1]]


def test_pairs_that_cannot_be_identified_are_undirected_whatever_the_evidence():
    direction, pruned = graph((0, 1, 500, 0), (0, 2, 500, 0))
    pair = np.zeros((3, 3), dtype=bool)
    pair[0, 1] = pair[1, 0] = pair[1, 2] = True
    found = undirected_edges(direction, pruned, np.zeros(3, dtype=bool), 100, pair)
    assert np.argwhere(found).tolist() == [[0, 1]]


def test_weak_edges_are_named():
    weak = np.array([[False, True], [False, False]])
    told = about_weak_edges(weak, ["a", "b"], 1000)
    assert told.startswith("the evidence is weak, below 8 nats, for 1 edge: 'a' → 'b'.")
    assert about_weak_edges(~weak & False, ["a", "b"], 1000) is None


@pytest.mark.parametrize(("nats", "expected"), [(40, True), (np.nan, True), (60, False)])
def test_mixed_units_need_more_evidence(nats, expected):
    direction = np.array([[np.nan, nats], [np.nan, np.nan]])
    for by_rank in ([True, False], [False, True]):
        assert in_mixed_units(direction, np.array(by_rank), 1000)[0, 1] == expected
    for by_rank in ([True, True], [False, False]):
        assert not in_mixed_units(direction, np.array(by_rank), 1000).any()


def test_edges_that_rules_direct_are_part_of_identified_paths():
    direction, pruned = graph((0, 1, np.nan, 0), (1, 2, 50, 0), (0, 2, np.nan, 0))
    fixed = np.zeros((3, 3), dtype=bool)
    none = fixed[0]
    assert undirected_edges(direction, pruned, none, 100)[0, 2]
    fixed[0, 1] = True
    assert not undirected_edges(direction, pruned, none, 100, fixed=fixed)[0, 2]
