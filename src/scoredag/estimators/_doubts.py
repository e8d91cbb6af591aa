"""What a fitted graph leaves in doubt, in words: open directions, and noise against the model."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.wording import listing, quoted
from scoredag.exceptions import DataWarning
from scoredag.graph import meek_closure
from scoredag.prune import PruneResult

Floats = NDArray[np.float64]

# Nats below which the direction of an edge is as good as open.
_OPEN, _OPEN_LINE = 3.0, 10.0
# p-value of all edges together below which noise depends on causes
_DEPENDENT = 1e-3


def warn_about_open_directions(
    direction: Floats, pruned: PruneResult, by_rank: NDArray[np.bool_], names: Sequence[str]
) -> None:
    """Name the edges that could as well be turned round, alone or together with others.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Nats that turning i -> j would cost, at [i, j]; NaN where nobody knows.
    pruned : PruneResult
        The edges, with ``details["linear"]``.
    by_rank : ndarray of bool, shape (d,)
        The columns of which only the ranks are known.
    names : sequence of str
        Of the columns.
    """
    edges, unknown = pruned.adjacency == 1, np.isnan(direction)
    # Turning a straight line is free, but for a cause that it may bring in, unless it meets
    # another one from a column that is not related. Ranks make lines of some curves.
    lines = edges & (pruned.details["linear"] == 1) & ~_in_colliders(pruned.adjacency)
    least = np.where(lines | by_rank | by_rank[:, None], _OPEN_LINE, _OPEN)
    # Of what only the test of edges found, nobody knows the direction.
    open_ = edges & ~(direction >= least) & ~(unknown & _beside_paths(pruned.adjacency))
    # Where a path fixes the direction of a line, both may be turned together.
    told = edges & ~open_ & ~(lines & unknown)
    open_ |= edges & ~meek_closure(told, edges)
    if open_.any():
        _warn(
            f"the data hardly tell the direction of {open_.sum()} of {edges.sum()} edges: "
            f"{_listed(open_, names)}. Turning them round, alone or together, would cost less than "
            f"{_OPEN:g} nats, or {_OPEN_LINE:g} for straight lines and columns by rank, or was "
            "not weighed. Linear effects with Gaussian noise look the same both ways. Take these "
            "edges as undirected: see direction_evidence_ (on the command line, the column "
            "'direction')."
        )


def warn_about_dependent_noise(p_values: Floats, names: Sequence[str]) -> None:
    """Name the edges i -> j, at [i, j], with a small p-value: noise of j that depends on i."""
    tested = np.isfinite(p_values).sum()
    dependent = p_values < _DEPENDENT / max(tested, 1)
    if dependent.any():
        _warn(
            f"the noise depends on the cause in {dependent.sum()} of {tested} edges: "
            f"{_listed(dependent, names)}. The model does not hold there, and these edges can be "
            "wrong, or the wrong way round, whatever their evidence: the noise may grow with the "
            "cause (do logarithms help?), a common cause may be missing, or a cause may be "
            "measured with errors. See noise_independence_ (on the command line, the column "
            "'noise p')."
        )


def _warn(message: str) -> None:
    warnings.warn(message, DataWarning, stacklevel=stacklevel_of_user())


def _listed(edges: NDArray[np.bool_], names: Sequence[str]) -> str:
    return listing([f"{quoted(names[i])} → {quoted(names[j])}" for i, j in np.argwhere(edges)])


def _beside_paths(adjacency: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Pairs i, j, at [i, j], with a path from i to j by way of others."""
    edges = (adjacency != 0).astype(int)
    paths = edges @ edges > 0
    for _ in range(len(edges)):
        paths |= (edges @ paths) > 0
    return paths


def _in_colliders(adjacency: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Edges i -> j, at [i, j], that meet a k -> j of which i and k are not joined."""
    edges = adjacency != 0
    apart = ~(edges | edges.T | np.eye(len(edges), dtype=bool))
    return edges & (apart.astype(int) @ edges > 0)
