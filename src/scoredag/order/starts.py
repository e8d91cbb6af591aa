"""The orders from which ScoreGP's search starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scoredag.data.standardise import standardise
from scoredag.knowledge import Constraints
from scoredag.order.greedy import greedy_additive
from scoredag.order.lingam import lingam_order
from scoredag.order.peel import peel
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.additive_evidence import additive_evidence
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.linear_evidence import linear_evidence
from scoredag.regression.smoothing.reml import reml
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]
Order = NDArray[np.intp]


def start_orders(
    X: Floats,
    constraints: Constraints,
    rng: np.random.Generator,
    *,
    noise: str = "free",
    candidates: NDArray[np.bool_] | None = None,
    progress: Callable[[int, int], None] | None = None,
    settings: SearchSettings = SEARCH,
) -> list[Order]:
    """Choose two orders to start from, by what the effects look like.

    CAM's order, best on sparse graphs, and SCORE's order on standardised data, best on dense ones.
    Both learn nothing from linear effects: where nearly all are linear and the noise is free,
    DirectLiNGAM's order, which learns from the density of the noise, takes the place of SCORE's.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table, standardised.
    constraints : Constraints
        Prior knowledge.
    rng : numpy.random.Generator
        Draws rows where there are many.
    noise : {"free", "normal"}, default="free"
        Model of the noise in the search.
    candidates : ndarray of bool, shape (d, d), optional
        ``candidates[i, j]``: i may be a parent of j, as from a screen of many columns; by default
        every column may be a parent of every other. SCORE's order is then that of the local score.
    progress : callable, optional
        Called with the columns placed and their number.
    settings : SearchSettings
        Tuned numbers.

    Examples
    --------
    >>> from scoredag import Knowledge
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.uniform(-1, 1, size=(2, 300))
    >>> X = np.column_stack([x + 0.5 * e, x])
    >>> rules = Knowledge().resolve(["a", "b"])
    >>> start_orders(standardise(X), rules, rng)[0]
    array([1, 0])
    """
    if len(X) > settings.start_rows:
        drawn = X[np.sort(rng.permutation(len(X))[: settings.start_rows])]
        if np.ptp(drawn, axis=0).all():  # otherwise a rare value is missing: use all rows
            X = standardise(drawn)
    by_regression = greedy_additive(X, candidates=candidates, knowledge=constraints).order
    if noise == "free":
        # DirectLiNGAM takes minutes for hundreds of columns: another order tells whether it pays.
        trial = by_regression if candidates is not None else lingam_order(X, knowledge=constraints)
        if mostly_linear(X, trial, settings, candidates):
            if candidates is not None:
                trial = lingam_order(X, knowledge=constraints)
            if progress is not None:
                progress(X.shape[1], X.shape[1])
            return [trial, by_regression]
    estimator = "stein" if candidates is None else "local"
    by_score = peel(X, score_estimator=estimator, knowledge=constraints, progress=progress)
    return [by_score, by_regression]


def mostly_linear(
    X: Floats,
    order: Order,
    settings: SearchSettings = SEARCH,
    candidates: NDArray[np.bool_] | None = None,
) -> bool:
    """Whether few of the columns with parents have effects that are clearly not linear.

    Regressions take longer the more columns come before, so that columns are looked at in the given
    order, and no further than to the column that decides.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table, standardised.
    order : ndarray of int, shape (d,)
        An order of the columns, sources first.
    settings : SearchSettings
        Tuned numbers; ``linear_start_share`` says how many are few.
    candidates : ndarray of bool, shape (d, d), optional
        ``candidates[i, j]``: i may be a parent of j; by default all columns before j in the order.

    Returns
    -------
    bool
        False if no column depends on columns before it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> mostly_linear(standardise(np.column_stack([x, x + e])), np.array([0, 1]))
    True
    >>> mostly_linear(standardise(np.column_stack([x, np.exp(x) + e])), np.array([0, 1]))
    False
    """
    n, d = X.shape
    correlation = X.T @ X / n
    design = AdditiveDesign.of(X, range(d), cubic, settings.additive_size)
    with_parents = bent = 0
    for place, v in enumerate(order.tolist()):
        before = sorted(order[:place].tolist())
        if candidates is not None:
            before = [k for k in before if candidates[k, v]]
        if not before:
            continue
        tested = design.strongest(v, before)
        p_values = design.regress(v, tested, reml).p_values()
        parents = [k for k, p in zip(tested, p_values, strict=True) if p < settings.screening_level]
        if parents:
            linear, _ = linear_evidence(correlation, n, v, parents)
            smooth = additive_evidence(design, v, parents)
            with_parents += 1
            bent += smooth < linear - settings.nonlinear_margin
        if bent > settings.linear_start_share * (with_parents + d - 1 - place):
            return False  # even if all columns that follow were linear
    return with_parents > 0
