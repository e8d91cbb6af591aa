"""Columns that the search explains hardly or not at all, looked at again on many more rows.

A function of ten or more columns leaves next to no trace in few rows, as no two rows are near each
other. Evidence for it grows with the number of pairs of rows, the square of the rows. To first
order in the amplitude of the function the evidence needs no factorisation
(`scoredag.regression.kernel_alignment`), and so little time that every such column can be looked at
on many rows. What additive regressions explain is removed first: a faint additive relation has no
direction yet (`scoredag.order.isolated`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoredag.data.standardise import standardise
from scoredag.jobs import run_here
from scoredag.knowledge import Constraints
from scoredag.order.local_score import LocalFit
from scoredag.progress import Report, halving
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.kernel_alignment import fit_alignment, kernel_alignment
from scoredag.regression.smoothing.reml import reml
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


def find_joint_parents(
    order: Sequence[int],
    fits: Sequence[LocalFit],
    X: Floats,
    constraints: Constraints,
    *,
    null_losses: Sequence[float] | None = None,
    fit_rows: int | None = None,
    candidates: NDArray[np.bool_] | None = None,
    by_rank: NDArray[np.bool_] | None = None,
    n_jobs: int | None = None,
    progress: Report | None = None,
    settings: SearchSettings = SEARCH,
) -> tuple[NDArray[np.intp], dict[int, GPFit]]:
    """Look for joint functions of all their non-descendants that explain faintly fitted columns.

    Parameters
    ----------
    order : sequence of int
        The columns, sources first.
    fits : sequence of LocalFit
        For each column its fit in this order.
    X : ndarray of shape (n, d)
        Many rows of the table, standardised.
    constraints : Constraints
        Prior knowledge.
    null_losses : sequence of float, optional
        For each column the loss of its fit without parents; 0 by default.
    fit_rows : int, optional
        Rows of which the losses are; by default all rows of `X`.
    candidates : ndarray of bool, shape (d, d), optional
        ``candidates[i, j]``: i may be a parent of j; by default every column may.
    by_rank : ndarray of bool, shape (d,), optional
        The columns that are in the table by rank; none by default.
    n_jobs : int, optional
        Threads over the columns, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the work done and an estimate of the total.
    settings : SearchSettings
        Non-descendants that a column must have to be looked at, and nats that a fit must gain.

    Returns
    -------
    order : ndarray of int, shape (d,)
        A column that is found to be a joint function comes behind all its non-descendants.
    found : dict of int to GPFit
        The fits of these columns, which replace those of before.

    Notes
    -----
    Not for functions of few columns, which the search finds, nor for strong ones. A sum of a joint
    function and of additive effects of other columns comes behind all of these columns, but keeps
    its fit, as the edge test has no model of such a sum. Rows must be independent. Directions are
    not weighed: of two columns of which either may be a function of the other, the one with more
    evidence gets its parents first, and the other one becomes its parent or stays as it was.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 7))
    >>> X[:, 0] = np.sin(X[:, 1:].sum(axis=1)) + 0.3 * X[:, 0]
    >>> rules = Knowledge().resolve(list("yabcdef"))
    >>> fits = [GPFit.null(7)] * 7
    >>> order, found = find_joint_parents(range(7), fits, standardise(X), rules)
    >>> order, sorted(found[0].parents)
    (array([1, 2, 3, 4, 5, 6, 0]), [1, 2, 3, 4, 5, 6])
    """
    allowed = constraints.allowed if candidates is None else constraints.allowed & candidates
    ranked = np.zeros(X.shape[1], dtype=bool) if by_rank is None else by_rank
    nulls = [0.0] * len(fits) if null_losses is None else null_losses
    # Evidence on more rows is in proportion to these, and that for a joint function more.
    known = [(null - fit.loss) for fit, null in zip(fits, nulls, strict=True)]
    more = len(X) / (len(X) if fit_rows is None else fit_rows)
    current, parents = tuple(order), [fit.parents for fit in fits]
    remaining = [v for v, gain in enumerate(known) if gain < settings.faint_gain]
    clear = frozenset(range(len(fits))) - {*remaining}
    functions, found = dict[int, _Function | None](), dict[int, GPFit]()

    def search(v: int, columns: list[int]) -> None:
        functions[v] = _joint_function(X, v, columns, clear, settings)

    def columns_of(v: int) -> list[int]:
        before = _non_descendants(current, parents, constraints, v)
        return sorted(k for k in before if allowed[k, v])

    while remaining:
        # Each function that joins makes the non-descendants of other columns fewer. A column
        # without a function has none among fewer columns, and a function keeps if its parents do.
        columns = {v: columns_of(v) for v in remaining}
        kept = {
            v
            for v, function in functions.items()
            if function is None or function.fit.parents <= {*columns[v]}
        }
        new = [v for v in remaining if v not in kept]
        part = halving(progress, len(found)) if progress is not None else None
        run_here(
            (partial(search, v, columns[v]) for v in new),
            n_jobs,
            None if part is None else partial(_report, part, len(new)),
        )
        better = {
            v: function
            for v in remaining
            if (function := functions[v]) is not None and -function.fit.loss > more * known[v]
        }
        if not better:
            break
        v = min(better, key=lambda v: better[v].fit.loss)
        fit = better[v].fit
        if not better[v].with_effects_of_others:
            found[v] = replace(fit, loss=fit.loss + nulls[v], post_nonlinear=bool(ranked[v]))
        before = _non_descendants(current, parents, constraints, v)
        after = [u for u in current if u != v and u not in before]
        # Parents of the fit before stay before the column, whether or not the function has them.
        current, parents[v] = (*before, v, *after), parents[v] | fit.parents
        remaining.remove(v)
        functions.pop(v)
    return np.array(current, dtype=np.intp), found


def _report(part: Report, total: int, done: int) -> None:
    part(done, total)


class _Function(NamedTuple):
    """A joint function, and whether other columns have additive effects beside it."""

    fit: GPFit
    with_effects_of_others: bool


def _joint_function(
    X: Floats, v: int, columns: list[int], clear: frozenset[int], settings: SearchSettings
) -> _Function | None:
    """A joint function of these columns that explains a column, if there is one.

    None also where nothing is left of the function without one of the columns whose fits are clear:
    this column may as well be a function of v, and of the others, which its fit does not show yet.
    """
    if len(columns) < settings.fewest_joint_parents:
        return None
    y, effects = _additive_residuals(X, v, columns, settings)
    if not y.any():
        return None
    P = np.ascontiguousarray(X[:, columns])
    starts = [np.full(len(columns), np.sqrt(q / len(columns))) for q in settings.aligned_squares]
    gains = [kernel_alignment(P, y, start).gain for start in starts]
    if max(gains) < settings.screened_gain:
        return None
    fit = fit_alignment(P, y, starts[int(np.argmax(gains))], settings)
    relevances = np.zeros(X.shape[1])
    relevances[columns] = fit.relevances
    parents = frozenset(np.flatnonzero(relevances).tolist())
    if len(parents) < settings.fewest_joint_parents or fit.gain < settings.joint_gain:
        return None
    for k in sorted(parents & clear):
        rest = np.where(np.array(columns) == k, 0.0, fit.relevances)
        if kernel_alignment(P, y, rest).gain < settings.screened_gain:
            return None
    loss = settings.parent_cost * len(parents) - fit.gain
    found = GPFit(parents, loss, float(np.log(fit.amplitude)), relevances)
    return _Function(found, not effects <= parents)


def _additive_residuals(
    X: Floats, v: int, columns: list[int], settings: SearchSettings
) -> tuple[Floats, frozenset[int]]:
    """What an additive regression leaves of a column, and the columns with significant effects."""
    design = AdditiveDesign.of(X, columns, cubic, settings.additive_size)
    chosen, residuals = design.strongest(v, columns), X[:, v].copy()
    fit = design.regress(v, chosen, reml)
    for position, k in enumerate(chosen):
        coefficients, _ = fit.term(position)
        residuals -= design.basis(k).columns(X[:, k]) @ coefficients
    level = settings.isolated_level / len(columns)
    effects = [k for k, p in zip(chosen, fit.p_values(), strict=True) if p < level]
    return standardise(residuals), frozenset(effects)


def _non_descendants(
    order: Sequence[int],
    parents: Sequence[frozenset[int]],
    constraints: Constraints,
    v: int,
) -> list[int]:
    """The columns, in their order, that may come before v."""
    behind = {v}
    for u in order[order.index(v) + 1 :]:
        required = np.flatnonzero(constraints.precedes[:, u]).tolist()
        if not behind.isdisjoint(parents[u]) or not behind.isdisjoint(required):
            behind.add(u)
    return [u for u in order if u not in behind]
