"""Doubtful edges: those whose direction the data do not identify, and those with weak evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import counted, edge_list, name_list
from scoredag.prune import PruneResult
from scoredag.settings import EDGE_TEST, SEARCH, EdgeTestSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Reason(StrEnum):
    """Why the direction of an edge is not identified; an edge has the first that applies.

    Examples
    --------
    >>> str(Reason.LINE), Reason.NONE == ""
    ('straight line', True)
    """

    NONE = ""  # the direction is identified, or there is no edge
    FEW_VALUES = "few distinct or many equal values"
    COMPUTED = "computed column"
    MIXED_UNITS = "one end by rank, one raw"
    LINE = "straight line"
    BY_RANK = "column by rank"
    COPULA = "copula as likely"
    LITTLE_EVIDENCE = "little evidence"
    NOT_WEIGHED = "reversal not weighed"
    BESIDE_PATH = "beside an undirected path"


# The same in a sentence: each is true of one edge as of many.
_SENTENCES = {
    Reason.FEW_VALUES: "an end has fewer than {levels} distinct or many equal values{few_values}",
    Reason.COMPUTED: "an end is computed from other columns, or has no noise of its own",
    Reason.MIXED_UNITS: "one end can count by rank and the other cannot, and reversal would cost "
    "less than {mixed:.3g} nats, which the units alone can give, or was not weighed",
    Reason.LINE: "the effect is a straight line, and reversal would cost less than {line:.3g} "
    "nats; linear effects with Gaussian noise look the same both ways",
    Reason.BY_RANK: "an end can count by rank, which can make a curve a line, and reversal would "
    "cost less than {line:.3g} nats",
    Reason.COPULA: "a Gaussian copula, which has no direction, explains the dependence of the two "
    "columns as well to within {doubtful:.3g} nats",
    Reason.LITTLE_EVIDENCE: "reversal would cost less than {doubtful:.3g} nats",
    Reason.NOT_WEIGHED: "reversal was not weighed, because only the edge test found the edge, or "
    "because the search had a path beside it that was pruned",
    Reason.BESIDE_PATH: "reversal was not weighed, because it would make a cycle with a path "
    "beside the edge; but the direction of that path is not identified either",
}


def undirected_reasons(
    direction: Floats,
    pruned: PruneResult,
    by_rank: Bools,
    n_rows: int,
    unidentified: Mapping[Reason, Bools] | None = None,
    fixed: Bools | None = None,
    by_copula: Bools | None = None,
    settings: EdgeTestSettings = EDGE_TEST,
) -> NDArray[np.str_]:
    """Find the edges that could as well be reversed, alone or together with others, and say why.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Evidence in nats for the direction of i -> j, at [i, j]: the cost of its reversal. NaN
        where the cost is not known.
    pruned : PruneResult
        The edges, with ``details["linear"]`` and, where some nodes were tested by rank,
        ``details["post_nonlinear"]``.
    by_rank : ndarray of bool, shape (d,)
        The columns that were rank-transformed.
    n_rows : int
        Rows on which directions were weighed.
    unidentified : mapping of Reason to ndarray of bool, shape (d, d), optional
        The pairs of columns for which the model of the noise does not hold, whatever the evidence:
        no direction of an edge between them is identified. `Reason.FEW_VALUES`, `Reason.COMPUTED`
        or `Reason.MIXED_UNITS`, in the order in which they count.
    fixed : ndarray of bool, shape (d, d), optional
        The edges that prior knowledge directs; none of them is undirected.
    by_copula : ndarray of bool, shape (d, d), optional
        The edges whose evidence a copula reduced below that of their reversal.
    settings : EdgeTestSettings
        Evidence below which a direction is not identified, of curves and of lines.

    Returns
    -------
    ndarray of str, shape (d, d)
        A `Reason` at [i, j] where the direction of i -> j is not identified, "" elsewhere.

    Examples
    --------
    >>> edge, line = np.array([[0, 1], [0, 0]]), np.array([[np.nan, 1.0], [np.nan, np.nan]])
    >>> evidence = np.array([[np.nan, 5.0], [np.nan, np.nan]])
    >>> pruned = PruneResult(edge, evidence, "evidence", {}, {"linear": line})
    >>> undirected_reasons(evidence, pruned, np.array([False, False]), n_rows=400).tolist()
    [['', 'straight line'], ['', '']]
    """
    edges, weighed = pruned.adjacency == 1, ~np.isnan(direction)
    rules = np.zeros_like(edges) if fixed is None else fixed
    # Reversing a linear edge leaves the likelihood unchanged unless it creates or destroys a
    # collider, up to the cost of a parent that the reversal may add. The rank transform makes some
    # nonlinear mechanisms linear.
    lines = (pruned.details["linear"] == 1) & ~_in_colliders(edges)
    ranks = by_rank | by_rank[:, None] | (pruned.details.get("post_nonlinear", 0) == 1)
    doubtful = settings.doubtful(n_rows)
    least = np.where(lines | ranks, max(settings.undirected_line, doubtful), doubtful)
    identified = edges & (direction >= least)
    doubted = weighed & ~identified
    symmetric = np.zeros_like(edges) if by_copula is None else by_copula
    # An edge that only the edge test found has no evidence for a direction. An edge beside another
    # path cannot be reversed alone, as the reversal would create a cycle, but together with the
    # path if the path can: only a path of identified edges fixes the direction.
    reasons = {
        **(unidentified or {}),
        Reason.LINE: doubted & lines,
        Reason.BY_RANK: doubted & ranks,
        Reason.COPULA: doubted & symmetric,
        Reason.LITTLE_EVIDENCE: doubted,
        Reason.NOT_WEIGHED: ~weighed & ~_beside_paths(edges),
        Reason.BESIDE_PATH: ~weighed & ~_beside_paths(identified | (edges & rules)),
    }
    first = np.select(list(reasons.values()), [reason.value for reason in reasons], "")
    return np.where(edges & ~rules, first, Reason.NONE.value)


def in_mixed_units(
    direction: Floats,
    by_rank: Bools,
    n_rows: int,
    settings: EdgeTestSettings = EDGE_TEST,
) -> Bools:
    """Find the pairs of a column by rank and a raw one whose direction may rest on the units.

    A line between the ranks of two columns is a curve between the ranks of one and the values of
    the other, and noise with very heavy tails hides that a line is one: a direction that is not
    identified can seem to be.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Evidence in nats for the direction of i -> j, at [i, j].
    by_rank : ndarray of bool, shape (d,)
        The columns that were rank-transformed.
    n_rows : int
        Rows on which directions were weighed.
    settings : EdgeTestSettings
        Evidence that the units can give.

    Examples
    --------
    >>> direction = np.array([[np.nan, 40.0], [np.nan, np.nan]])
    >>> in_mixed_units(direction, np.array([True, False]), 1000)[0, 1]
    np.True_
    """
    mixed = by_rank[:, None] != by_rank
    return np.asarray(mixed & ~(direction > settings.mixed_units(n_rows)))


def about_undirected_edges(
    reasons: NDArray[np.str_],
    edges: Bools,
    names: Sequence[str],
    n_rows: int,
    settings: EdgeTestSettings = EDGE_TEST,
    few_values: Bools | None = None,
) -> str | None:
    """Name the edges whose direction is not identified, reason by reason.

    Parameters
    ----------
    reasons : ndarray of str, shape (d, d)
        From `undirected_reasons`.
    edges : ndarray of bool, shape (d, d)
        All edges.
    names : sequence of str
        Names of the columns.
    n_rows : int
        Rows on which directions were weighed.
    settings : EdgeTestSettings
        Evidence below which a direction is not identified.
    few_values : ndarray of bool, shape (d,), optional
        The columns with few distinct or many equal values, to be named.

    Examples
    --------
    >>> reasons = np.array([["", Reason.LITTLE_EVIDENCE], ["", ""]])
    >>> about_undirected_edges(reasons, np.eye(2, k=1) == 1, ["a", "b"], 1000)[51:99]
    "'a' → 'b': reversal would cost less than 8 nats."
    """
    undirected = reasons != Reason.NONE
    if not undirected.any():
        return None
    doubtful = settings.doubtful(n_rows)
    few = edges & (reasons == Reason.FEW_VALUES)
    at_end = few.any(axis=0) | few.any(axis=1)
    discrete = [] if few_values is None else np.flatnonzero(few_values & at_end).tolist()
    details = {
        "few_values": f", {name_list(names[k] for k in discrete)}" if discrete else "",
        "levels": SEARCH.density_fewest_levels,
        "doubtful": doubtful,
        "line": max(doubtful, settings.undirected_line),
        "mixed": settings.mixed_units(n_rows),
    }
    groups = [
        f"{edge_list(reasons == reason, names)}: {sentence.format(**details)}."
        for reason, sentence in _SENTENCES.items()
        if (reasons == reason).any()
    ]
    return (
        f"the data do not tell the direction of {undirected.sum()} of "
        f"{counted(int(edges.sum()), 'edge')}. {' '.join(groups)} Take these edges as undirected."
    )


def weak_edges(pruned: PruneResult, n_rows: int, settings: EdgeTestSettings = EDGE_TEST) -> Bools:
    """Find the edges whose evidence a small departure from the model can explain.

    Parameters
    ----------
    pruned : PruneResult
        The edges with their evidence in nats.
    n_rows : int
        Rows on which the edges were tested.
    settings : EdgeTestSettings
        The evidence that is doubtful.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True at [i, j] where i -> j is an edge with weak evidence.

    Examples
    --------
    >>> evidence = np.array([[np.nan, 5.0], [np.nan, np.nan]])
    >>> weak_edges(PruneResult(np.array([[0, 1], [0, 0]]), evidence, "evidence"), n_rows=1000)
    array([[False,  True],
           [False, False]])
    """
    return np.asarray((pruned.adjacency == 1) & (pruned.statistic < settings.doubtful(n_rows)))


def about_weak_edges(
    weak: Bools, names: Sequence[str], n_rows: int, settings: EdgeTestSettings = EDGE_TEST
) -> str | None:
    """Name the edges with weak evidence.

    Examples
    --------
    >>> about_weak_edges(np.eye(2, k=1) == 1, ["a", "b"], 1000)[:47]
    'the evidence is weak, below 8 nats, for 1 edge:'
    """
    if not weak.any():
        return None
    return (
        f"the evidence is weak, below {settings.doubtful(n_rows):.3g} nats, for "
        f"{counted(int(weak.sum()), 'edge')}: {edge_list(weak, names)}. A hidden common cause, an "
        "error of measurement or chance can give an edge as much: another sample may not show it."
    )


def _beside_paths(edges: Bools) -> Bools:
    """Pairs i, j, at [i, j], with a directed path of two or more edges from i to j."""
    reached = edges.copy()
    for _ in range(len(edges).bit_length()):  # each time, paths of twice the length
        reached |= reached.astype(float) @ reached > 0
    return edges.astype(float) @ reached > 0


def _in_colliders(edges: Bools) -> Bools:
    """Edges i -> j, at [i, j], of a collider i -> j <- k with i and k not adjacent."""
    apart = ~(edges | edges.T | np.eye(len(edges), dtype=bool))
    return edges & (apart.astype(float) @ edges > 0)
