"""Which edges have no direction that the data identify."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import edge_list
from scoredag.prune import PruneResult

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Evidence in nats below which a direction is not identified: of curves, and of lines or ranks.
_LEAST, _LEAST_OF_LINES = 3.0, 10.0


def undirected_edges(direction: Floats, pruned: PruneResult, by_rank: Bools) -> Bools:
    """Tell which edges could as well be reversed, alone or together with others.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Evidence in nats for the direction of i -> j, at [i, j]: what reversing it would cost. NaN
        where that is not known.
    pruned : PruneResult
        The edges, with ``details["linear"]``.
    by_rank : ndarray of bool, shape (d,)
        The columns of which only the ranks are known.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True at [i, j] where the direction of i -> j is not identified.

    Examples
    --------
    >>> edge, line = np.array([[0, 1], [0, 0]]), np.array([[np.nan, 1.0], [np.nan, np.nan]])
    >>> evidence = np.array([[np.nan, 5.0], [np.nan, np.nan]])
    >>> pruned = PruneResult(edge, evidence, "evidence", {}, {"linear": line})
    >>> undirected_edges(evidence, pruned, np.array([False, False]))
    array([[False,  True],
           [False, False]])
    """
    edges, unknown = pruned.adjacency == 1, np.isnan(direction)
    # Reversing a linear edge leaves the likelihood unchanged unless it creates or destroys a
    # collider, but for a parent that it may bring in. Ranks make lines of some curves.
    lines = edges & (pruned.details["linear"] == 1) & ~_in_colliders(edges)
    least = np.where(lines | by_rank | by_rank[:, None], _LEAST_OF_LINES, _LEAST)
    # An edge that only the test of edges found has no evidence for a direction. One beside a path
    # cannot be reversed alone: that would make a cycle.
    alone = edges & ~(direction >= least) & ~(unknown & _beside_paths(edges))
    # A line beside a path can be reversed together with the path, if that can.
    identified = edges & ~alone & ~(lines & unknown)
    return np.asarray(alone | (lines & unknown & ~_beside_paths(identified)))


def about_undirected_edges(undirected: Bools, edges: Bools, names: Sequence[str]) -> str | None:
    """Name the edges whose direction is not identified."""
    if not undirected.any():
        return None
    return (
        f"the data hardly tell the direction of {undirected.sum()} of {edges.sum()} edges: "
        f"{edge_list(undirected, names)}. Turning them round, alone or together, would cost less "
        f"than {_LEAST:g} nats, or {_LEAST_OF_LINES:g} for straight lines and columns by rank, or "
        "was not weighed. Linear effects with Gaussian noise look the same both ways. Take these "
        "edges as undirected: see open_directions_ and direction_evidence_."
    )


def _beside_paths(edges: Bools) -> Bools:
    """Pairs i, j, at [i, j], with a path from i to j by way of others."""
    reached = edges.copy()
    for _ in range(len(edges).bit_length()):  # each time, paths of twice the length
        reached |= reached.astype(float) @ reached > 0
    return edges.astype(float) @ reached > 0


def _in_colliders(edges: Bools) -> Bools:
    """Edges i -> j, at [i, j], that meet a k -> j of which i and k are not adjacent."""
    apart = ~(edges | edges.T | np.eye(len(edges), dtype=bool))
    return edges & (apart.astype(float) @ edges > 0)
