"""Required edges in the result of a pruner that knows nothing of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoredag.data.blocks import RowBlocks
from scoredag.prune.pruners.cam import additive_effects
from scoredag.prune.result import Effects, Floats, PruneResult


def keep_required(
    X: Floats | RowBlocks,
    pruned: PruneResult,
    required: NDArray[np.bool_],
    n_jobs: int | None = None,
) -> PruneResult:
    """Add required edges to a result, and fit the effects that it lacks.

    Parameters
    ----------
    X : ndarray of shape (n, d), or RowBlocks
        The samples.
    pruned : PruneResult
        The result, [i, j] for i -> j.
    required : ndarray of bool, shape (d, d)
        The required edges, [i, j] for i -> j.
    n_jobs : int, optional
        Threads over the nodes, as in joblib. The result does not depend on it.

    Returns
    -------
    PruneResult
        With every required edge and its effect: that of the pruner, or else the smooth effect in an
        additive regression on all parents. Everything else is as before.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=200)
    >>> X = np.column_stack([x, np.sin(2 * x) + 0.3 * rng.normal(size=200)])
    >>> empty = PruneResult(np.zeros((2, 2), dtype=int), np.full((2, 2), np.nan))
    >>> result = keep_required(X, empty, np.array([[False, True], [False, False]]))
    >>> result.adjacency.tolist(), round(result.effects[0, 1].size, 1)
    ([[0, 1], [0, 0]], 0.9)
    """
    kept = np.where(required, 1, pruned.adjacency)
    lacking = required.copy()
    for edge in pruned.effects:
        lacking[edge] = False
    parents = (kept != 0) & lacking.any(axis=0)
    fitted: Effects = {
        (k, node): effect_of(k)
        for node, _, effect_of in additive_effects(X, parents, n_jobs=n_jobs, required=lacking)
        for k in np.flatnonzero(lacking[:, node]).tolist()
    }
    return replace(pruned, adjacency=kept, effects={**pruned.effects, **fitted})
