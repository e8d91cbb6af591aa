"""What a fitted graph leaves in doubt, and how users are told."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.caller import stacklevel_of_user
from scoredag.data.wording import listing, name_list, quoted
from scoredag.exceptions import DataWarning
from scoredag.prune import PruneResult

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Nats below which the direction of an edge is as good as open, in general and of lines or ranks
_OPEN, _OPEN_LINE = 3.0, 10.0
# p-value below which noise depends on causes, over the number of edges that are tested
_DEPENDENT_NOISE = 1e-3
# Share of the variance that is no noise any more: noise of 1% of the spread has 1e-4, values
# that were computed from others have 1e-7 and less.
_NO_NOISE = 1e-5


def open_directions(direction: Floats, pruned: PruneResult, by_rank: Bools) -> Bools:
    """Tell which edges could as well be turned round, alone or together with others.

    Parameters
    ----------
    direction : ndarray of shape (d, d)
        Nats that turning i -> j would cost, at [i, j]; NaN where nobody knows.
    pruned : PruneResult
        The edges, with ``details["linear"]``.
    by_rank : ndarray of bool, shape (d,)
        The columns of which only the ranks are known.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True at [i, j] where the direction of i -> j is open.
    """
    edges, unknown = pruned.adjacency == 1, np.isnan(direction)
    # Turning a straight line is free, but for a cause that it may bring in, unless it meets
    # another one from a column that is not related. Ranks make lines of some curves.
    lines = edges & (pruned.details["linear"] == 1) & ~_in_colliders(edges)
    least = np.where(lines | by_rank | by_rank[:, None], _OPEN_LINE, _OPEN)
    # Of what only the test of edges found, nobody knows the direction.
    alone = edges & ~(direction >= least) & ~(unknown & _beside_paths(edges))
    # A line beside a path can be turned together with it, if the path can.
    told = edges & ~alone & ~(lines & unknown)
    return np.asarray(alone | (lines & unknown & ~_beside_paths(told)))


def warn_about_open_directions(open_: Bools, edges: Bools, names: Sequence[str]) -> None:
    """Name the edges, [i, j] for i -> j, whose direction is open."""
    if open_.any():
        _warn(
            f"the data hardly tell the direction of {open_.sum()} of {edges.sum()} edges: "
            f"{_listed(open_, names)}. Turning them round, alone or together, would cost less than "
            f"{_OPEN:g} nats, or {_OPEN_LINE:g} for straight lines and columns by rank, or was "
            "not weighed. Linear effects with Gaussian noise look the same both ways. Take these "
            "edges as undirected: see open_directions_ and direction_evidence_ (on the command "
            "line, the column 'direction')."
        )


def warn_about_dependent_noise(p_values: Floats, names: Sequence[str]) -> None:
    """Name the edges i -> j, at [i, j], with a small p-value: noise of j that depends on i."""
    tested = np.isfinite(p_values).sum()
    dependent = p_values < _DEPENDENT_NOISE / max(tested, 1)
    if dependent.any():
        _warn(
            f"the noise depends on the cause in {dependent.sum()} of {tested} edges that were "
            f"tested: {_listed(dependent, names)}. The model does not hold there, and these edges "
            "can be wrong, or the wrong way round, whatever their evidence: the noise may grow "
            "with the cause (do logarithms help?), a common cause may be missing, or a cause may "
            "be measured with errors. See noise_independence_ (on the command line, the column "
            "'noise p')."
        )


def warn_about_units(by_units: Bools, edges: Bools, names: Sequence[str]) -> None:
    """Name the edges, [i, j] for i -> j, that other units of the columns would reverse."""
    if by_units.any():
        _warn(
            f"the direction of {by_units.sum()} of {edges.sum()} edges may rest on the units of "
            f"the columns: {_listed(by_units, names)}. Standardising the columns, or units that "
            "differ by a tenth, could reverse them. If the units are arbitrary, do not rely on "
            "these directions: ScoreGP does not depend on units."
        )


def warn_about_missing_noise(share: Floats, edges: Bools, names: Sequence[str]) -> None:
    """Name the columns of which hardly a share of the variance is noise, with their causes."""
    for column in np.flatnonzero((share < _NO_NOISE) & edges.any(axis=0)).tolist():
        causes = name_list([names[k] for k in np.flatnonzero(edges[:, column]).tolist()])
        _warn(
            f"{quoted(names[column])} can be computed from {causes}: it has no noise of its own. "
            "Which of these columns is computed from the others cannot be told from the table, "
            "and their edges may be wrong. Leave out what is computed (on the command line, "
            "--drop)."
        )


def _warn(message: str) -> None:
    warnings.warn(message, DataWarning, stacklevel=stacklevel_of_user())


def _listed(edges: Bools, names: Sequence[str]) -> str:
    return listing([f"{quoted(names[i])} → {quoted(names[j])}" for i, j in np.argwhere(edges)])


def _beside_paths(edges: Bools) -> Bools:
    """Pairs i, j, at [i, j], with a path from i to j by way of others."""
    step = edges.astype(int)
    paths = step @ step > 0
    for _ in range(len(step)):
        paths |= (step @ paths) > 0
    return paths


def _in_colliders(edges: Bools) -> Bools:
    """Edges i -> j, at [i, j], that meet a k -> j of which i and k are not joined."""
    apart = ~(edges | edges.T | np.eye(len(edges), dtype=bool))
    return edges & (apart.astype(int) @ edges > 0)
