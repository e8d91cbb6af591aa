"""Doubtful edges: those whose direction the data do not identify, and those with weak evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import counted, edge_list
from scoredag.prune import PruneResult
from scoredag.settings import EDGE_TEST, EdgeTestSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def undirected_edges(
    direction: Floats,
    pruned: PruneResult,
    by_rank: Bools,
    n_rows: int,
    unidentified: Bools | None = None,
    fixed: Bools | None = None,
    settings: EdgeTestSettings = EDGE_TEST,
) -> Bools:
    """Find the edges that could as well be reversed, alone or together with others.

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
    unidentified : ndarray of bool, shape (d, d), optional
        The pairs of columns for which the model of the noise does not hold, whatever the evidence:
        no direction of an edge between them is identified.
    fixed : ndarray of bool, shape (d, d), optional
        The edges that prior knowledge directs.
    settings : EdgeTestSettings
        Evidence below which a direction is not identified, of curves and of lines.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True at [i, j] where the direction of i -> j is not identified.

    Examples
    --------
    >>> edge, line = np.array([[0, 1], [0, 0]]), np.array([[np.nan, 1.0], [np.nan, np.nan]])
    >>> evidence = np.array([[np.nan, 5.0], [np.nan, np.nan]])
    >>> pruned = PruneResult(edge, evidence, "evidence", {}, {"linear": line})
    >>> undirected_edges(evidence, pruned, np.array([False, False]), n_rows=400)
    array([[False,  True],
           [False, False]])
    """
    edges, unknown = pruned.adjacency == 1, np.isnan(direction)
    # Reversing a linear edge leaves the likelihood unchanged unless it creates or destroys a
    # collider, up to the cost of a parent that the reversal may add. The rank transform makes some
    # nonlinear mechanisms linear.
    lines = edges & (pruned.details["linear"] == 1) & ~_in_colliders(edges)
    ranks = by_rank | by_rank[:, None] | (pruned.details.get("post_nonlinear", 0) == 1)
    doubtful = settings.doubtful(n_rows)
    least = np.where(lines | ranks, max(settings.undirected_line, doubtful), doubtful)
    # An edge that only the edge test found has no evidence for a direction. An edge beside another
    # path cannot be reversed alone: the reversal would create a cycle.
    alone = edges & ~(direction >= least) & ~(unknown & _beside_paths(edges))
    # An edge beside a path can be reversed together with the path if the path can: only a path of
    # identified edges fixes the direction.
    identified = edges & ~alone & ~unknown
    if fixed is not None:
        identified |= edges & fixed
    undirected = alone | (edges & unknown & ~_beside_paths(identified))
    return np.asarray(undirected if unidentified is None else undirected | (edges & unidentified))


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
    undirected: Bools,
    edges: Bools,
    names: Sequence[str],
    n_rows: int,
    settings: EdgeTestSettings = EDGE_TEST,
) -> str | None:
    """Name the edges whose direction is not identified."""
    if not undirected.any():
        return None
    doubtful = settings.doubtful(n_rows)
    return (
        f"the data hardly tell the direction of {undirected.sum()} of {edges.sum()} edges: "
        f"{edge_list(undirected, names)}. Reversing them, alone or together, would cost less "
        f"than {doubtful:.3g} nats, or {max(doubtful, settings.undirected_line):.3g} for straight "
        "lines and columns by rank, or was not weighed, or an end has too few distinct values, or "
        "one is computed from others, or one counts by rank and the other does not. "
        "Linear effects with Gaussian noise look the same both ways. Take these edges as "
        "undirected."
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
