import numpy as np
import pytest

from scoredag.diagnosis import (
    Reason,
    about_undirected_edges,
    about_weak_edges,
    in_mixed_units,
    undirected_reasons,
    weak_edges,
)
from scoredag.diagnosis.directions import _beside_paths, _in_colliders
from scoredag.estimators import score_gp
from scoredag.prune import PruneResult
from scoredag.settings import EDGE_TEST


def graph(*edges, d=3):
    """Edges i -> j, each with the nats that turning it costs, and whether it is a line."""
    adjacency, direction = np.zeros((d, d), dtype=int), np.full((d, d), np.nan)
    linear = np.full((d, d), np.nan)
    for i, j, nats, line in edges:
        adjacency[i, j], direction[i, j], linear[i, j] = 1, nats, line
    return direction, PruneResult(adjacency, direction, "evidence", {}, {"linear": linear})


def opened(*edges, d=3, by_rank=(), n_rows=100):
    ranks = np.isin(np.arange(d), by_rank)
    return np.argwhere(undirected_reasons(*graph(*edges, d=d), ranks, n_rows) != "").tolist()


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


def test_undirected_edges_are_named_reason_by_reason():
    edges = np.triu(np.ones((4, 4), dtype=bool), 1)
    reasons = np.full(edges.shape, "", dtype="U40")
    reasons[0, 1] = reasons[2, 3] = Reason.LINE
    reasons[0, 2] = Reason.FEW_VALUES
    told = about_undirected_edges(reasons, edges, list("abcd"), 100)
    assert told == (
        "the data do not tell the direction of 3 of 6 edges. "
        "'a' → 'c': an end has fewer than 20 distinct or many equal values. "
        "'a' → 'b' and 'c' → 'd': the effect is a straight line, and reversal would cost less than "
        "10 nats; linear effects with Gaussian noise look the same both ways. "
        "Take these edges as undirected."
    )
    reasons[:] = ""
    assert about_undirected_edges(reasons, edges, list("abcd"), 100) is None


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason])
def test_every_reason_has_a_sentence(reason):
    reasons = np.array([["", reason], ["", ""]])
    told = about_undirected_edges(reasons, reasons != "", ["a", "b"], 1000)
    start, end = "the data do not tell the direction of 1 of 1 edge. 'a' → 'b': ", ". Take these"
    assert told.startswith(start)
    assert len(told[len(start) : told.index(end)]) > 20
    assert "{" not in told


def reason_of(*edges, at=(0, 1), by_rank=(), n_rows=100, d=3, **options):
    ranks = np.isin(np.arange(d), by_rank)
    return undirected_reasons(*graph(*edges, d=d), ranks, n_rows, **options)[at]


@pytest.mark.parametrize(
    ("nats", "line", "by_rank", "expected"),
    [
        (5, 1, (), Reason.LINE),
        (1, 1, (0,), Reason.LINE),
        (5, 0, (1,), Reason.BY_RANK),
        (2, 0, (), Reason.LITTLE_EVIDENCE),
        (5, 0, (), Reason.NONE),
        (np.nan, 1, (0,), Reason.NOT_WEIGHED),
    ],
)
def test_the_reason_of_an_edge(nats, line, by_rank, expected):
    assert reason_of((0, 1, nats, line), by_rank=by_rank) == expected


def test_an_edge_beside_an_undirected_path_says_so():
    triangle = (0, 1, 1, 0), (1, 2, 1, 0), (0, 2, np.nan, 1)
    assert reason_of(*triangle, at=(0, 2)) == Reason.BESIDE_PATH
    assert reason_of(*triangle) == Reason.LITTLE_EVIDENCE


def test_the_first_reason_counts():
    everywhere = np.ones((3, 3), dtype=bool)
    given = dict.fromkeys([Reason.FEW_VALUES, Reason.COMPUTED, Reason.MIXED_UNITS], everywhere)
    for reason in list(given):
        assert reason_of((0, 1, 1, 1), unidentified=given) == reason
        del given[reason]
    assert reason_of((0, 1, 1, 1), unidentified=given) == Reason.LINE


def test_edges_that_rules_direct_are_not_undirected():
    fixed = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]) == 1
    everywhere = {Reason.COMPUTED: fixed | True}
    assert reason_of((0, 1, 1, 1), unidentified=everywhere, fixed=fixed) == Reason.NONE


def is_undirected(direction, pruned, by_rank, n_rows, unidentified, fixed):
    """The rule without its reasons, as it was before there were any."""
    edges, unknown = pruned.adjacency == 1, np.isnan(direction)
    lines = edges & (pruned.details["linear"] == 1) & ~_in_colliders(edges)
    ranks = by_rank | by_rank[:, None] | (pruned.details["post_nonlinear"] == 1)
    doubtful = EDGE_TEST.doubtful(n_rows)
    least = np.where(lines | ranks, max(EDGE_TEST.undirected_line, doubtful), doubtful)
    alone = edges & ~(direction >= least) & ~(unknown & _beside_paths(edges))
    identified = (edges & ~alone & ~unknown) | (edges & fixed)
    undirected = alone | (edges & unknown & ~_beside_paths(identified))
    return (undirected | (edges & unidentified)) & ~fixed


@pytest.mark.parametrize("seed", range(200))
def test_reasons_do_not_change_which_edges_are_undirected(seed):
    rng = np.random.default_rng(seed)
    d, n_rows = rng.integers(2, 8), int(rng.choice([100, 1000, 5000]))
    edges = np.triu(rng.random((d, d)) < rng.uniform(0.2, 0.9), 1)
    direction = np.where(edges, rng.choice([np.nan, -5, 1, 5, 8, 9, 10, 40, 80], (d, d)), np.nan)
    details = {
        name: np.where(edges, rng.random((d, d)) < 0.3, np.nan)
        for name in ("linear", "post_nonlinear")
    }
    pruned = PruneResult(edges.astype(int), direction, "evidence", {}, details)
    by_rank = rng.random(d) < rng.choice([0, 0.3])
    discrete, computed, fixed = rng.random((3, d, d)) < rng.choice([0, 0.2], (3, 1, 1))
    unidentified = {
        Reason.FEW_VALUES: discrete,
        Reason.COMPUTED: computed,
        Reason.MIXED_UNITS: in_mixed_units(direction, by_rank, n_rows),
    }
    pairs = np.logical_or.reduce(list(unidentified.values()))
    reasons = undirected_reasons(direction, pruned, by_rank, n_rows, unidentified, fixed)
    expected = is_undirected(direction, pruned, by_rank, n_rows, pairs, fixed)
    assert np.array_equal(reasons != Reason.NONE, expected)
    assert set(reasons.ravel()) <= set(Reason)


def test_a_copula_is_the_reason_only_where_the_evidence_is_too_small():
    copula = np.zeros((3, 3), dtype=bool)
    copula[0, 1] = True
    assert reason_of((0, 1, 2, 0), by_copula=copula) == Reason.COPULA
    assert reason_of((0, 1, 5, 0), by_copula=copula) == Reason.NONE
    assert reason_of((0, 1, 2, 1), by_copula=copula) == Reason.LINE


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
    given = {Reason.COMPUTED: pair}
    found = undirected_reasons(direction, pruned, np.zeros(3, dtype=bool), 100, given)
    assert np.argwhere(found != Reason.NONE).tolist() == [[0, 1]]


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
    assert undirected_reasons(direction, pruned, none, 100)[0, 2]
    fixed[0, 1] = True
    assert not undirected_reasons(direction, pruned, none, 100, fixed=fixed)[0, 2]


@pytest.mark.parametrize("seed", range(3))
def test_a_few_typing_errors_in_the_effect_of_a_line_identify_no_direction(seed):
    """The reverse order takes the effect by its own values, the true order by its ranks."""
    rng = np.random.default_rng(seed)
    x = 5 + rng.normal(size=500)
    y = 10 + x + 0.5 * rng.normal(size=500)
    y[rng.permutation(500)[:3]] *= 10
    result = score_gp(np.column_stack([x, y]))
    edges = result.pruned.adjacency == 1
    assert edges.any()
    assert result.undirected_edges[edges].all()
