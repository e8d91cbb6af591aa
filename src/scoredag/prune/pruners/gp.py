"""Pruning by evidence: the log Bayes factor of a node with and without a parent.

The decision about one node is in `scoredag.prune.edge_test`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, check_between, check_jobs
from scoredag.data.margins import rank_transformed
from scoredag.jobs import results_of
from scoredag.knowledge import Constraints, Knowledge
from scoredag.order.noise_models import check_noise
from scoredag.prune.edge_data import EdgeTest, columns_by_rank
from scoredag.prune.edge_test import decide_node
from scoredag.prune.joint_effect import JointEffect, JointModel
from scoredag.prune.pruners.cam import additive_effects, screened_candidates
from scoredag.prune.result import (
    Effects,
    Floats,
    PruneResult,
    check_pruning,
    spans_and_marks,
)
from scoredag.regression.gp_fit import GPFit
from scoredag.settings import EDGE_TEST, EdgeTestSettings
from scoredag.threads import one_blas_thread

_DETAILS = ("linear", "scale_only", "post_nonlinear")  # the last two with free noise only


def gp_prune(
    X: ArrayLike,
    candidates: ArrayLike,
    alpha: float | None = None,
    *,
    fits: Sequence[Any] | None = None,
    noise: str = "free",
    heavy_tailed: ArrayLike | None = None,
    wide: ArrayLike | None = None,
    screen: str | Callable[[Floats], ArrayLike] | None = None,
    knowledge: Knowledge | Constraints | None = None,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    settings: EdgeTestSettings = EDGE_TEST,
) -> PruneResult:
    """Keep the candidate edges without which a node is much less likely.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    candidates : array-like of shape (d, d)
        Non-zero ``candidates[i, j]`` means that i -> j may be an edge. Nothing makes the result
        acyclic if the candidates are not.
    alpha : float, optional
        Approximate upper bound of the probability that a node without parents gets one, by default
        that of `settings`: see `scoredag.prune.edge_test.threshold`. Values above 0.1 change
        little: parents must also make the node more likely as a whole, which costs
        `SearchSettings.parent_cost` for each, and half the logarithm of the rows in addition in a
        linear model. Whole fits with free noise on independent columns gave 1.6 to 3.6% of the
        columns a parent at 0.03 (normal, Laplace, exponential, Student's t of 3 degrees of freedom;
        100 and 200 rows).
    fits : sequence of GPFit, optional
        For each column the local fit by its candidates, as from `scoredag.order.refine_order`: in
        the joint model its parents are tested, and no other candidate is. By default, and for a
        column whose fit is of another kind or has parents that are no candidates, a fit is made
        here.
    noise : {"free", "normal"}, default="free"
        "free": the scale of the noise may depend on the parents, rows are weighted by the inverse
        variances, and columns that change only the scale are parents as well. "normal": noise of
        constant scale.
    heavy_tailed : array-like of bool, shape (d,), optional
        Columns with heavy tails, which enter by the normal quantiles of their ranks, unless the fit
        of a node says that their own values are likelier. The effects of and on these columns are
        in units of these quantiles, unless every fit took a column by its own values. Only with
        free noise; none by default.
    wide : array-like of bool, shape (d,), optional
        Nodes that are functions of so many parents that these show on many rows only. With the
        hyper-parameters of their fits, parents are tested by all pairs of at most
        `EdgeTestSettings.wide_rows` rows (`scoredag.regression.kernel_alignment`), and the function
        is weighed against the other models in blocks of `EdgeTestSettings.wide_block_rows`. None by
        default.
    screen : {"forward", "dependence"} or callable, optional
        Tests only the candidates that this function of the table finds near a node, at most 30, the
        strongest: see `scoredag.prune.cam_prune`. The threshold counts all candidates.
    knowledge : Knowledge, optional
        Prior knowledge: forbidden edges are not tested, required ones are kept whatever their
        evidence. See `scoredag.Knowledge`.
    rng : numpy.random.Generator or int, optional
        Assigns the rows to blocks where there are many; a fixed seed by default.
    n_jobs : int, optional
        Threads over the nodes, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the number of nodes done and their total.
    settings : EdgeTestSettings, optional
        Tuned numbers of the edge test; `alpha`, where given, takes precedence over that of the
        settings.

    Returns
    -------
    PruneResult
        With ``adjacency`` and ``statistic``, the evidence for each candidate edge in nats (both:
        [i, j] for i -> j; 0 for a candidate that is no parent, NaN elsewhere), and
        for every kept edge its effect: a `JointEffect` if the joint model decided for several
        parents, and otherwise the smooth `Effect` of the parent in an additive regression on all
        that were kept. ``details["linear"]`` is 1 for kept edges of nodes with a linear model, 0
        for other kept edges, and with free noise ``details["scale_only"]`` is 1 for parents that
        change only the scale of the noise; the effect of such a parent is what an additive
        regression finds of it in the mean. ``details["post_nonlinear"]`` is 1 for the edges of a
        node that was tested by rank, as its fit says; the effects on such a node are in the units
        of the table all the same, unless the node is one of the `heavy_tailed` columns.

    Notes
    -----
    Up to one and a half times `EdgeTestSettings.block_rows` there is one Gaussian process for all
    rows. More rows are split into blocks of about so many: hyper-parameters come from the first
    block, and the evidence is summed over all blocks, so that time grows in proportion to the rows.
    A parent that acts only jointly with about ten others leaves no trace in 1,000 rows: see `wide`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = x * z + 0.3 * rng.normal(size=300)
    >>> result = gp_prune(np.column_stack([x, z, y]), [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> result.adjacency
    array([[0, 0, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    table, edges, required = check_pruning(X, candidates, knowledge)
    alpha = settings.alpha if alpha is None else alpha
    check_between(alpha, "alpha", 0, 1)
    check_jobs(n_jobs)
    check_noise(noise, "noise")
    ranked = np.asarray(np.zeros(len(edges)) if heavy_tailed is None else heavy_tailed, dtype=bool)
    if ranked.shape != (len(edges),):
        raise ValueError(
            f"heavy_tailed must be one for each of {len(edges)} columns; got {heavy_tailed!r}"
        )
    tested_wide = np.asarray(np.zeros(len(edges)) if wide is None else wide, dtype=bool)
    if tested_wide.shape != (len(edges),):
        raise ValueError(f"wide must be one for each of {len(edges)} columns; got {wide!r}")
    if noise != "free" and ranked.any():
        raise ValueError("heavy_tailed needs noise='free'; transform the columns first")
    if not edges.any():
        nothing = np.full(edges.shape, np.nan)
        empty = dict.fromkeys(_DETAILS if noise == "free" else _DETAILS[:1], nothing)
        return PruneResult(edges.astype(int), nothing, "evidence", details=empty)
    generator = as_generator(0 if rng is None else rng)
    counts = edges.sum(axis=0)
    if screen is not None:
        edges = screened_candidates(table, edges, screen) | required
    starts = fits if fits is not None else [None] * len(edges)
    if len(starts) != len(edges):
        raise ValueError(f"fits must be one for each of {len(edges)} columns; got {len(starts)}")
    test = EdgeTest.of(
        table,
        edges,
        required,
        alpha,
        generator,
        n_jobs,
        settings,
        free_noise=noise == "free",
        ranked=ranked if ranked.any() else None,
        n_candidates=counts,
        wide=tested_wide,
    )
    # Nodes with the most candidates take longest: last, they would leave threads without work.
    tested = edges.sum(axis=0)
    nodes = sorted(np.flatnonzero(tested).tolist(), key=lambda node: -tested[node])
    evidence = np.where(edges, 0.0, np.nan)
    kept, linear = np.zeros(edges.shape, dtype=bool), np.full(edges.shape, np.nan)
    scale_only, post_nonlinear = np.zeros((2, *edges.shape), dtype=bool)
    joint: dict[int, GPFit] = {}
    with one_blas_thread():
        jobs = (delayed(decide_node)(test, node, starts[node]) for node in nodes)
        models = results_of(jobs, n_jobs)
        for done, (node, model) in enumerate(zip(nodes, models, strict=True), start=1):
            parents = list(model.parents)
            evidence[parents, node] = list(model.parents.values())
            kept[parents, node], linear[parents, node] = True, model.linear
            linear[list(model.scale_parents), node] = np.nan
            scale_only[list(model.scale_parents), node] = True
            post_nonlinear[:, node] = model.post_nonlinear
            if model.fit is not None:
                joint[node] = model.fit
            if progress is not None:
                progress(done, len(nodes))
    shown = columns_by_rank(starts, ranked)
    block = test.blocks[0].copy(order="F")
    if test.raw_blocks:
        block[:, ranked & ~shown] = test.raw_blocks[0][:, ranked & ~shown]
    joint = {node: fit for node, fit in joint.items() if _as_shown(node, fit, ranked, shown)}
    table = rank_transformed(table, shown)
    effects = _effects(table, kept, scale_only, joint, block, n_jobs)
    details = {"linear": linear}
    if noise == "free":
        marks = np.where(kept, [scale_only, post_nonlinear], np.nan)
        details |= dict(zip(_DETAILS[1:], marks, strict=True))
    return PruneResult(kept.astype(int), evidence, "evidence", effects, details)


def _as_shown(node: int, fit: GPFit, ranked: NDArray[np.bool_], shown: NDArray[np.bool_]) -> bool:
    """Whether a fit has the units in which effects are shown; only columns by rank can differ."""
    parents = [k for k in fit.parents if ranked[k]]
    response_differs = ranked[node] and shown[node] != fit.post_nonlinear
    return not response_differs and all(shown[k] != fit.raw_parents for k in parents)


def _effects(
    table: Floats,
    kept: NDArray[np.bool_],
    scale_only: NDArray[np.bool_],
    joint: dict[int, GPFit],
    block: Floats,
    n_jobs: int | None,
) -> Effects:
    """The effect of each parent: in the Gaussian process of several parents, or else by splines."""
    joint = {node: fit for node, fit in joint.items() if len(fit.parents) > 1}
    by_splines = kept.copy()
    by_splines[:, list(joint)] = scale_only[:, list(joint)]
    regressed = kept & by_splines.any(axis=0)
    effects: Effects = {
        (k, node): effect_of(k)
        for node, _, effect_of in additive_effects(
            table, regressed, n_jobs=n_jobs, required=regressed
        )
        for k in np.flatnonzero(by_splines[:, node]).tolist()
    }
    centres, spreads = table.mean(axis=0), table.std(axis=0)
    spans, marks = spans_and_marks(table)
    for node, fit in joint.items():
        parents = sorted(fit.parents)
        model = JointModel(
            X=block[:, parents],
            y=block[:, node],
            log_amplitude=fit.log_amplitude,
            relevances=fit.relevances[parents],
            centres=centres[parents],
            spreads=spreads[parents],
            spread=float(spreads[node]),
        )
        for position, k in enumerate(parents):
            span = (float(spans[0, k]), float(spans[1, k]))
            effects[k, node] = JointEffect(span, marks[:, k], model, position)
    return effects


PIECE = gp_prune
