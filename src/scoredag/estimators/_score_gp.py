"""The function behind `scoredag.ScoreGP`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator
from scoredag.costs import GROWN_SEARCH
from scoredag.data.checks import check_table, refuse_constant
from scoredag.data.distinct import without_copies
from scoredag.data.margins import heavy_tailed, rank_transformed
from scoredag.data.standardise import standardise
from scoredag.diagnosis import (
    Reason,
    evidence_beside_copulas,
    exact_relations,
    in_mixed_units,
    related,
    undirected_reasons,
    weak_edges,
)
from scoredag.diagnosis.computed import Relation
from scoredag.estimators._base import Floats, Progress
from scoredag.estimators._parameters import Check, auto_or, between, on_shelf, one_of, optional
from scoredag.estimators._score_gp_result import ScoreGPResult
from scoredag.graph import full_dag
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of
from scoredag.order import refine_order
from scoredag.order.isolated import place_isolated
from scoredag.order.joint_parents import find_joint_parents
from scoredag.order.noise_models import LOCAL_SCORES, check_noise
from scoredag.order.rank_transform import better_by_rank
from scoredag.order.refine import check_min_gain, check_rows
from scoredag.order.starts import start_orders
from scoredag.plugins import accepted, pick, piece
from scoredag.progress import Phases
from scoredag.prune import gp_prune
from scoredag.prune.edge_data import columns_by_rank
from scoredag.regression.ties import spread_ties
from scoredag.screening import join_dependent, nearness, rank_dependence, symmetric_strength
from scoredag.settings import EDGE_TEST, SEARCH, SearchSettings
from scoredag.threads import one_blas_thread

Screen = Callable[[Floats], ArrayLike]

# Checks of the parameters of `score_gp`, in their order, and of `scoredag.ScoreGP`.
PARAMETERS: dict[str, Check] = {
    "alpha": between(0, 1),
    "noise": check_noise,
    "margins": one_of("auto", "rank", "raw"),
    "min_gain": check_min_gain,
    "rows": check_rows,
    "final_rows": check_rows,
    "screen": auto_or(optional(on_shelf("scoredag.screening.screens"))),
}


@one_blas_thread()  # its matrices are small
def score_gp(
    X: ArrayLike,
    *,
    alpha: float = EDGE_TEST.alpha,
    noise: str = "free",
    margins: str = "auto",
    min_gain: float = SEARCH.min_gain,
    rows: int = SEARCH.rows,
    final_rows: int = SEARCH.final_rows,
    screen: str | Screen | None = "auto",
    knowledge: Knowledge | Constraints | None = None,
    rng: Any = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> ScoreGPResult:
    """Find a causal graph by Gaussian processes: the function behind `scoredag.ScoreGP`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples; copies of rows are merged, with a warning.
    alpha, noise, margins, min_gain, rows, final_rows, screen, knowledge, n_jobs, progress
        As in `scoredag.ScoreGP`.
    rng : int, numpy.random.Generator, numpy.random.RandomState or None, default=0
        Draws rows.

    Returns
    -------
    ScoreGPResult

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = np.sin(2 * x) * z + 0.3 * rng.normal(size=300)
    >>> score_gp(np.column_stack([y, x, z])).pruned.adjacency
    array([[0, 0, 0],
           [1, 0, 0],
           [1, 0, 0]])
    """
    values = (alpha, noise, margins, min_gain, rows, final_rows, screen)
    for (name, check), value in zip(PARAMETERS.items(), values, strict=True):
        check(value, name)
    table = check_table(X)
    refuse_constant(table)
    table = without_copies(table)  # `ScoreGP.fit` has done so, and then none are left
    constraints = as_constraints(knowledge, labels_of(X))
    generator = as_generator(rng, "random_state")
    # "raw" is a promise: then no response is compared by rank either.
    settings = replace(SEARCH, distorted_least_gain=np.inf) if margins == "raw" else SEARCH
    units = _units(table, margins, noise, rows, generator)
    score = piece("scoredag.order.local_scores", LOCAL_SCORES[noise])
    robust = _standard(rank_transformed(units.table, units.heavy))
    searched = np.where(units.heavy, units.table, _standard(units.table))
    near = _nearness(robust, screen, settings)
    candidates = None
    if near is not None:
        wider = join_dependent(near, rank_dependence(robust), settings.most_dependent)
        candidates = (wider > 0) | constraints.required
    search = partial(
        refine_order,
        searched,
        candidates=candidates,
        local_score=partial(score, **accepted(score, {"heavy_tailed": units.heavy})),
        knowledge=constraints,
        min_gain=min_gain,
        n_jobs=n_jobs,
        settings=settings,
    )
    fitted, compared = max(rows, settings.grown_rows[0]), settings.grown_rows[1]
    grows = len(table) >= settings.rows_to_grow and final_rows < compared
    rounds = Phases(_stage(progress, "refine"), [1.0, GROWN_SEARCH, 0.5] if grows else [1.0])
    starts = start_orders(
        robust,
        constraints,
        generator,
        noise=noise,
        candidates=candidates,
        progress=_stage(progress, "start"),
    )
    refined = search(
        *starts, rows=rows, final_rows=final_rows, rng=generator, progress=rounds.begin()
    )
    search_rows = min(final_rows, len(table))  # on which fits are compared
    used = {"search": min(rows, search_rows), "last round of the search": search_rows}
    if grows:
        # Growing samples: what few rows have found is where the search on more rows begins.
        refined = search(
            refined.order, rows=fitted, final_rows=compared, rng=generator, progress=rounds.begin()
        )
        search_rows = compared
        used |= {"second search": min(fitted, compared)}
        used |= {"last round of the second search": compared}
    order, fits = refined.order, list(refined.fits)
    faint = np.zeros(len(fits), dtype=bool)
    if grows:
        looked = robust
        if len(table) > settings.faint_rows:
            looked = _standard(robust[generator.permutation(len(table))[: settings.faint_rows]])
        order, joint = find_joint_parents(
            order.tolist(),
            fits,
            looked,
            constraints,
            null_losses=[refined.score.best(node, ()).loss for node in range(len(fits))],
            fit_rows=search_rows,
            candidates=candidates,
            by_rank=units.heavy,
            n_jobs=n_jobs,
            progress=rounds.begin(),
            settings=settings,
        )
        fits = [joint.get(node, fit) for node, fit in enumerate(fits)]
        faint[list(joint)] = True
        used |= {"columns without clear parents": len(looked)}
    used |= {"edge test": len(table)}
    if faint.any():
        used |= {"edge test of columns with joint parents": min(len(table), EDGE_TEST.wide_rows)}
    if len(table) > search_rows:
        order = place_isolated(order.tolist(), fits, robust, constraints, settings)
    if near is not None:  # the edges of the search are tested as well
        for node, fit in enumerate(fits):
            near[sorted(fit.parents), node] = np.inf
    pruned = gp_prune(
        units.table,
        full_dag(order),
        alpha,
        fits=fits,
        noise=noise,
        heavy_tailed=units.heavy,
        wide=faint,
        screen=None if near is None else lambda _: near,
        knowledge=constraints,
        rng=generator,
        n_jobs=n_jobs,
        progress=_stage(progress, "prune"),
    )
    found, report = pruned.adjacency == 1, refined.noise
    assert report is not None  # Gaussian processes have residuals
    by_rank = units.by_rank | columns_by_rank(fits, units.heavy)
    # A direction compares fits in both orders; one that is not in the result may have had ranks.
    compared_by_rank = units.by_rank | units.heavy
    relations = exact_relations(table)
    discrete = np.array([noise == "free" and spread_ties(x) is None for x in robust.T])
    # Which of a column without noise and its parents is computed cannot be told.
    computed = [
        Relation(frozenset({j, *np.flatnonzero(found[:, j]).tolist()}), is_product=False)
        for j in np.flatnonzero(report.share < EDGE_TEST.no_noise_share).tolist()
    ]
    unidentified = {
        Reason.FEW_VALUES: discrete | discrete[:, None],
        Reason.COMPUTED: related([*relations, *computed], len(found)),
    }
    outside_model = np.logical_or.reduce(list(unidentified.values()))
    reversal = np.where(found & ~outside_model, refined.reversal_evidence, np.nan)
    direction = reversal
    if noise == "free":
        direction = evidence_beside_copulas(reversal, pruned.adjacency, refined.score, n_jobs)
        unidentified[Reason.MIXED_UNITS] = in_mixed_units(direction, compared_by_rank, search_rows)
    fixed = ~constraints.allowed.T  # rules direct these
    return ScoreGPResult(
        order=order,
        pruned=pruned,
        direction_evidence=direction,
        undirected_reasons=undirected_reasons(
            direction,
            pruned,
            compared_by_rank,
            search_rows,
            unidentified=unidentified,
            fixed=fixed,
            by_copula=direction < reversal,
        ),
        weak_edges=weak_edges(pruned, len(table)) & ~constraints.required,
        noise_independence=np.where(found, report.independence, np.nan),
        noise_share=report.share,
        by_rank=by_rank,
        compared_by_rank=compared_by_rank,
        relations=relations,
        n_rows=len(table),
        search_rows=search_rows,
        few_values=discrete,
        outside_model=outside_model,
        score=refined.score,
        rows=used,
    )


class _Units(NamedTuple):
    """In which units the columns enter the search.

    Attributes
    ----------
    table : ndarray of shape (n, d)
        The table; some columns may be replaced by the normal quantiles of their ranks.
    by_rank : ndarray of bool, shape (d,)
        The columns that are replaced in the table.
    heavy : ndarray of bool, shape (d,)
        Columns with heavy tails, whose units the search chooses fit by fit.
    """

    table: Floats
    by_rank: NDArray[np.bool_]
    heavy: NDArray[np.bool_]


def _units(X: Floats, margins: str, noise: str, rows: int, rng: np.random.Generator) -> _Units:
    """Choose units: with normal noise before the search, with free noise in the search."""
    none = np.zeros(X.shape[1], dtype=bool)
    if margins == "auto" and noise == "free":
        return _Units(X, none, heavy_tailed(X))
    if margins == "auto":
        by_rank = better_by_rank(X, heavy_tailed(X), rows=rows, rng=rng)
    else:
        by_rank = np.full(X.shape[1], margins == "rank")
    return _Units(rank_transformed(X, by_rank), by_rank, none)


def _nearness(
    X: Floats, screen: str | Screen | None, settings: SearchSettings
) -> NDArray[np.float64] | None:
    """Positive for pairs of columns of which one may be a parent of the other; None for all."""
    d = X.shape[1]
    if screen is None or (isinstance(screen, str) and screen == "auto"):
        if screen is None or d <= settings.most_unscreened:
            return None
        screen = "forward"
    find = pick("scoredag.screening.screens", screen, "screen")
    return nearness(symmetric_strength(find(X), d), settings.most_near)


def _standard(X: Floats) -> Floats:
    return np.ascontiguousarray(standardise(X))


def _stage(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, stage)
