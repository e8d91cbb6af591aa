"""Columns in which the search has found no parents, looked at again on more rows.

A function of many columns leaves no trace in few rows: of eleven parents that act jointly 2,000
rows show none, and 3,000 all. Most columns have shown their parents before, so that few fits need
so many rows: those of the columns without parents that have many non-descendants.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoredag.jobs import run_here
from scoredag.knowledge import Constraints
from scoredag.order.local_score import LocalFit, LocalScore
from scoredag.settings import SEARCH, SearchSettings


def explore_lone_nodes(
    order: Sequence[int],
    fits: Sequence[LocalFit],
    score: LocalScore,
    constraints: Constraints,
    *,
    candidates: NDArray[np.bool_] | None = None,
    n_jobs: int | None = None,
    settings: SearchSettings = SEARCH,
) -> tuple[NDArray[np.intp], tuple[LocalFit, ...]]:
    """Look for parents of the columns without parents, among all their non-descendants.

    Parameters
    ----------
    order : sequence of int
        The columns, sources first.
    fits : sequence of LocalFit
        For each column its fit in this order.
    score : LocalScore
        A local score on more rows than those of the fits. It remembers what it fits.
    constraints : Constraints
        Prior knowledge.
    candidates : ndarray of bool, shape (d, d), optional
        ``candidates[i, j]``: i may be a parent of j; by default every column may.
    n_jobs : int, optional
        Threads over the columns, as in joblib. The result does not depend on it.
    settings : SearchSettings
        Non-descendants that a column must have to be looked at, and nats that a fit must gain.

    Returns
    -------
    order : ndarray of int, shape (d,)
        A column whose parents were found comes behind all its non-descendants.
    fits : tuple of LocalFit
        The fits of the other columns are those of before.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> from scoredag.order.local_scores.gp import GaussianProcessScore
    >>> from scoredag.regression.gp_fit import GPFit
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 3))
    >>> X[:, 0] = X[:, 1] * X[:, 2] + 0.1 * X[:, 0]
    >>> score, rules = GaussianProcessScore(X), Knowledge().resolve(["y", "x", "z"])
    >>> few = SearchSettings(fewest_joint_parents=2)
    >>> found = explore_lone_nodes([0, 1, 2], [GPFit.null(3)] * 3, score, rules, settings=few)
    >>> found[0].tolist(), sorted(found[1][0].parents)
    ([1, 2, 0], [1, 2])
    """
    allowed = constraints.allowed if candidates is None else constraints.allowed & candidates
    current, found = tuple(order), list(fits)

    def possible_parents(v: int, before: Sequence[int]) -> frozenset[int]:
        return frozenset(k for k in before if allowed[k, v])

    lone = dict[int, frozenset[int]]()
    for v, fit in enumerate(fits):
        columns = possible_parents(v, _non_descendants(current, found, constraints, v))
        if not fit.parents and len(columns) >= settings.fewest_joint_parents:
            lone[v] = columns
    run_here((partial(score.explore, v, columns) for v, columns in lone.items()), n_jobs)
    for v in lone:
        before = _non_descendants(current, found, constraints, v)
        best = score.best(v, possible_parents(v, before))
        if best.parents and best.loss < score.best(v, ()).loss - settings.min_gain:
            after = [u for u in current if u != v and u not in before]
            current, found[v] = (*before, v, *after), best
    return np.array(current, dtype=np.intp), tuple(found)


def _non_descendants(
    order: Sequence[int], fits: Sequence[LocalFit], constraints: Constraints, v: int
) -> list[int]:
    """The columns, in their order, that may come before v."""
    behind = {v}
    for u in order[order.index(v) + 1 :]:
        required = np.flatnonzero(constraints.precedes[:, u]).tolist()
        if not behind.isdisjoint(fits[u].parents) or not behind.isdisjoint(required):
            behind.add(u)
    return [u for u in order if u not in behind]
