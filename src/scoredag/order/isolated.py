"""Where isolated columns belong in an order, by all rows of a table.

The search compares fits on a part of the rows. A column whose effects are too faint to show there
has no parents and no children, and is put last in the order, where it can never be a parent. On all
rows additive regressions may find what it is related to. The column is then placed before all
others if that is likelier than behind them. With loss(j | S) that of an additive regression of j on
S, density of the residuals included, J the columns that are related to v and pa the parents in the
fits,

    v first   sum_{j in J} loss(j | pa_j and v) - loss(j | pa_j)
    v last    loss(v | J and their parents) - loss(v).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.standardise import standardise
from scoredag.knowledge import Constraints
from scoredag.order.local_score import LocalFit
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.additive_evidence import additive_evidence
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.log_density import log_density
from scoredag.regression.smoothing.reml import reml
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


def place_isolated(
    order: Sequence[int],
    fits: Sequence[LocalFit],
    X: Floats,
    constraints: Constraints,
    settings: SearchSettings = SEARCH,
) -> NDArray[np.intp]:
    """Move isolated columns that all rows show to be causes to the beginning of an order.

    Parameters
    ----------
    order : sequence of int
        The columns, sources first.
    fits : sequence of LocalFit
        For each column its fit in this order.
    X : ndarray of shape (n, d)
        All rows of the table, standardised.
    constraints : Constraints
        Prior knowledge; a column that must precede another one is not isolated.
    settings : SearchSettings
        Level of the test for a relation.

    Returns
    -------
    ndarray of int, shape (d,)
        The order, in which no other column has changed places with another.

    Notes
    -----
    Assumes that faint effects are additive. The directions of the edges that the edge test then
    finds have not been weighed with the scale of the noise, nor against other orders: they count as
    not identified. Not for tables all of whose rows the search has seen.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> from scoredag.regression.gp_fit import GPFit
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.uniform(-1, 1, size=(2, 4000))
    >>> X = standardise(np.column_stack([0.15 * x + e, x]))
    >>> free = Knowledge().resolve(["effect", "cause"])
    >>> place_isolated([0, 1], [GPFit.null(2), GPFit.null(2)], X, free)
    array([1, 0])
    """
    isolated = _isolated(fits, constraints)
    placed = np.array(order, dtype=np.intp)
    if not isolated:
        return placed
    d = X.shape[1]
    design = AdditiveDesign.of(X, range(d), cubic, settings.additive_size)
    parents = [fit.parents for fit in fits]
    related = _related(design, parents, isolated, settings)
    loss = _Losses(X, design, settings)
    first = set[int]()
    for v in isolated:
        near = np.flatnonzero(related[v] | related[:, v]).tolist()
        effects = [j for j in near if constraints.allowed[v, j]]
        causes = {k for j in near for k in (j, *parents[j]) if constraints.allowed[k, v]} - {v}
        forward = sum(loss(j, parents[j] | {v}) - loss(j, parents[j]) for j in effects)
        if effects and forward < loss(v, causes) - loss(v, ()):
            first.add(v)
    at_first = np.isin(placed, sorted(first))
    return np.concatenate([placed[at_first], placed[~at_first]])


def _isolated(fits: Sequence[LocalFit], constraints: Constraints) -> list[int]:
    children = frozenset[int]().union(*(fit.parents for fit in fits))
    bound = frozenset(np.argwhere(constraints.precedes).ravel().tolist())
    return [
        v for v, fit in enumerate(fits) if not fit.parents and v not in children and v not in bound
    ]


def _related(
    design: AdditiveDesign,
    parents: Sequence[frozenset[int]],
    isolated: Sequence[int],
    settings: SearchSettings,
) -> NDArray[np.bool_]:
    """Pairs v, j, at [v, j], of which v is significant in a regression of j beside its parents."""
    d = len(parents)
    level = settings.isolated_level / (len(isolated) * d)
    related = np.zeros((d, d), dtype=bool)
    for j in range(d):
        tested = design.strongest(j, sorted({*parents[j], *isolated} - {j}))
        if not tested:
            continue
        p_values = design.regress(j, tested, reml).p_values()
        found = [k for k, p in zip(tested, p_values, strict=True) if p < level]
        related[[k for k in found if k in isolated], j] = True
    return related


class _Losses:
    """Losses of columns in additive regressions on others, density of the residuals included."""

    def __init__(self, X: Floats, design: AdditiveDesign, settings: SearchSettings) -> None:
        self._X, self._design, self._settings = X, design, settings

    def __call__(self, target: int, predictors: Iterable[int]) -> float:
        chosen = self._design.strongest(target, sorted(predictors))
        residuals = self._X[:, target].copy()
        if chosen:
            fit = self._design.regress(target, chosen, reml)
            for position, k in enumerate(chosen):
                coefficients, _ = fit.term(position)
                residuals -= self._design.basis(k).columns(self._X[:, k]) @ coefficients
        gain = log_density(standardise(residuals), self._settings).gain
        return additive_evidence(self._design, target, chosen) - gain
