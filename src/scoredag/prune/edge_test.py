"""Which candidates are parents of a node: three models, and the likeliest decides.

A node is modelled jointly, by a Gaussian process with one relevance for each parent
(`scoredag.regression.gp_evidence`); additively, by a sum of smooth functions
(`scoredag.regression.additive_evidence`); and linearly (`scoredag.regression.linear_evidence`).
In the joint and the linear model parents are eliminated backwards, the weakest first, as long as
the evidence falls by less than a threshold; in the additive one a parent stays where its term is
significant. Required parents stay in all three.

With free noise the scale of the noise is estimated first, as a function of the parents in the joint
fit, and all three models are weighted by the inverse variances: otherwise parents would be kept
that only follow the variance. Parents of the scale are tested last
(`scoredag.prune.scale_test`). A node is tested in the units of its fit: by rank if the fit is
post-nonlinear.

A function of so many parents that it shows on many rows only has no evidence in small blocks. The
parents of such a node are eliminated by the evidence of all pairs of rows
(`scoredag.regression.kernel_alignment`), and its joint model is compared in larger blocks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.data.standardise import standardise
from scoredag.prune.edge_data import EdgeTest
from scoredag.prune.scale_test import estimate_scale
from scoredag.regression.additive import most_terms
from scoredag.regression.additive_evidence import additive_evidence
from scoredag.regression.gp_evidence import JointEvidence, profiled
from scoredag.regression.gp_fit import GPFit, fit_gp
from scoredag.regression.kernel_alignment import kernel_alignment
from scoredag.regression.linear_evidence import eliminate_parents, linear_evidence

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_MODELS = 3  # number of models in which each candidate is tested


def threshold(alpha: float, n_rows: int, n_candidates: int) -> float:
    """Evidence in nats that a parent must have.

    A relevance cannot fall below zero, so that twice the evidence for an irrelevant candidate is
    zero half of the time and otherwise about n log(1 + F / n), with F distributed as Fisher's F
    with 1 and n - p degrees of freedom. Each of the p candidates is tested in three models, so that
    each single test has the level alpha / 3p.

    Examples
    --------
    >>> [round(threshold(0.03, 1000, p), 1) for p in (1, 9, 49)]
    [2.7, 4.7, 6.3]
    """
    freedom = max(n_rows - n_candidates, 2)
    ratio = float(stats.f.isf(min(2 * _level_of_one(alpha, n_candidates), 1.0), 1, freedom))
    return 0.5 * n_rows * float(np.log1p(ratio / n_rows))


class NodeModel(NamedTuple):
    """A model of a node given its parents.

    Attributes
    ----------
    parents : dict
        Each parent with its evidence in nats.
    loss : float
        Negative log evidence of the node in nats.
    linear : bool
        Whether the model is linear.
    fit : GPFit or None
        Hyper-parameters of a joint model; None of the other models.
    scale_parents : frozenset of int
        The parents that change only the scale of the noise.
    post_nonlinear : bool
        Whether the response is the normal quantiles of the ranks of the node.
    """

    parents: dict[int, float]
    loss: float
    linear: bool = False
    fit: GPFit | None = None
    scale_parents: frozenset[int] = frozenset()
    post_nonlinear: bool = False

    def penalised_loss(self, parent_cost: float) -> float:
        """Loss plus the cost of the parents, by which models are compared."""
        return self.loss + parent_cost * len(self.parents)


def decide_node(test: EdgeTest, node: int, start: Any = None) -> NodeModel:
    """Choose the likeliest of three models of a node, each with its own parents.

    Parameters
    ----------
    test : EdgeTest
        Data and candidates.
    node : int
        The node.
    start : GPFit, optional
        Where the joint model starts: only its parents are tested jointly. By default, and if it is
        no GPFit or its parents are no candidates, a fit among all candidates.
    """
    candidates = np.flatnonzero(test.candidates[:, node]).tolist()
    count = int(test.n_candidates[node])
    cost = test.search.parent_cost
    start = _joint_start(test, node, candidates, start)
    is_wide = test.wide is not None and bool(test.wide[node])
    test = test.in_wide_blocks(node) if is_wide else test
    least = threshold(test.alpha, test.design.n_rows, count)
    if test.free_noise:
        test = test.in_units_of(node, start)
    scale = estimate_scale(test.blocks, node, start, test.search) if test.free_noise else None
    if scale is not None:
        test = test.weighted(node, scale.log_variance)
    additive = _additive_model(test, node, candidates, count)
    linear = _linear_model(test, node, candidates, least)
    rival_loss = min(additive.penalised_loss(cost), linear.penalised_loss(cost))
    if is_wide:
        joint = _faint_model(test, node, start, least)
    else:
        joint = _joint_model(test, node, start, least, rival_loss)
    best = min(joint, additive, linear, key=lambda model: model.penalised_loss(cost))
    # Nonlinear models contain the linear one: for the same parents, the linear model is preferred
    # unless the nonlinear one is clearly better.
    as_good = linear.loss < best.loss + test.settings.linear_margin
    best = linear if as_good and linear.parents.keys() == best.parents.keys() else best
    units = {"post_nonlinear": start.post_nonlinear, "raw_parents": start.raw_parents}
    best = best._replace(
        post_nonlinear=test.free_noise and start.post_nonlinear,
        fit=None if best.fit is None else replace(best.fit, **units),
    )
    if scale is None:
        return best
    extra = scale.parents_beside(best.parents, least, _level_of_one(test.alpha, count))
    return best._replace(parents=best.parents | extra, scale_parents=frozenset(extra))


def _additive_model(
    test: EdgeTest, node: int, candidates: list[int], n_candidates: int
) -> NodeModel:
    """Keep the significant terms of an additive regression."""
    level = _level_of_one(test.alpha, n_candidates)
    kept = (test.p_values[:, node] < level) | test.required[:, node]
    parents = [k for k in candidates if kept[k]]
    loss = additive_evidence(test.design, node, parents)
    others = {k: [other for other in parents if other != k] for k in parents}
    rises = {k: additive_evidence(test.design, node, others[k]) - loss for k in parents}
    return NodeModel(rises, loss)


def _linear_model(test: EdgeTest, node: int, candidates: list[int], least: float) -> NodeModel:
    """Eliminate candidates from a linear regression, the weakest first."""
    n, required = test.design.n_rows, _required(test, node)
    strongest = np.argsort(-np.abs(test.correlation[candidates, node]))
    tested = [candidates[k] for k in strongest[: most_terms(n)]]
    tested += sorted(required.difference(tested))
    parents = eliminate_parents(test.correlation, n, node, tested, least, required)
    loss, rises = linear_evidence(test.correlation, n, node, parents)
    return NodeModel(dict(zip(parents, rises.tolist(), strict=True)), loss, linear=True)


def _joint_start(test: EdgeTest, node: int, candidates: list[int], start: Any) -> GPFit:
    """A fit among the candidates in which every required parent is switched on."""
    if not isinstance(start, GPFit) or not start.parents <= set(candidates):
        test.score.explore(node, candidates)
        start = test.score.best(node, candidates)
    missing = sorted(_required(test, node) - start.mean_parents)
    if not missing:
        return start
    relevances = start.relevances.copy()
    relevances[missing] = test.search.other_relevance
    return replace(
        start,
        parents=start.parents | set(missing),
        relevances=relevances,
        scale_parents=start.scale_parents - set(missing),
    )


def _joint_model(
    test: EdgeTest, node: int, start: GPFit, least: float, rival_loss: float
) -> NodeModel:
    """Eliminate parents from a Gaussian process, the weakest first, and refit the others.

    Refitting ("polishing") takes most of the time and can only make the model more likely. A fit is
    not polished as long as every parent is settled and the unpolished model beats its rivals.
    """
    required = _required(test, node)
    settled_evidence = max(test.settings.settled_evidence, least)
    if start.scale_parents:  # of the mean only
        start = replace(start, parents=start.mean_parents, scale_parents=frozenset())
    fit, loss, is_polished = start, _loss(test, node, start), False
    drops, evidence = _drops(test, node, fit, loss), dict[int, float]()
    while undecided := sorted(fit.parents - evidence.keys()):
        weakest = min(undecided, key=lambda k: drops[k])
        is_settled = drops[weakest] > settled_evidence
        penalised_loss = loss + test.search.parent_cost * len(fit.parents)
        beats_rivals = penalised_loss < rival_loss - test.settings.linear_margin
        if not is_polished and not (is_settled and beats_rivals):
            (fit, loss), is_polished = _polish(test, node, fit, required), True
            continue
        if is_settled:
            evidence |= {k: drops[k] for k in undecided}
            break
        rest, rest_loss = _polish(test, node, fit.without(weakest), required - {weakest})
        if rest_loss - loss < least and weakest not in required:
            fit, loss, evidence = rest, rest_loss, {}
            drops = _drops(test, node, fit, loss)
        else:
            evidence[weakest] = rest_loss - loss
    return NodeModel({k: evidence[k] for k in sorted(fit.parents)}, loss, fit=fit)


def _faint_model(test: EdgeTest, node: int, start: GPFit, least: float) -> NodeModel:
    """Eliminate parents of a function that shows on many rows only, by all pairs of rows.

    Hyper-parameters stay as they are: fewer rows would tell less about them.
    """
    X, required = np.vstack(test.blocks), _required(test, node)
    y, least = standardise(X[:, node]), max(test.settings.settled_evidence, least)
    fit = replace(start, parents=start.mean_parents, scale_parents=frozenset())

    def gain(parents: list[int]) -> float:
        return kernel_alignment(X[:, parents], y, fit.relevances[parents]).gain

    while True:
        parents = sorted(fit.parents)
        whole = gain(parents)
        drops = {k: whole - gain([other for other in parents if other != k]) for k in parents}
        weak = [k for k in parents if drops[k] < least and k not in required]
        if not weak:
            return NodeModel(drops, _loss(test, node, fit), fit=fit)
        fit = fit.without(min(weak, key=lambda k: drops[k]))


def _drops(test: EdgeTest, node: int, fit: GPFit, loss: float) -> dict[int, float]:
    """Evidence that is lost without each parent, at the same hyper-parameters."""
    return {k: _loss(test, node, fit.without(k)) - loss for k in sorted(fit.parents)}


def _polish(test: EdgeTest, node: int, fit: GPFit, keep: frozenset[int]) -> tuple[GPFit, float]:
    """Refit without a penalty, from a warm start, on the first block; return the loss on all."""
    polished = fit_gp(
        test.blocks[0],
        node,
        fit.relevances,
        log_amplitude=fit.log_amplitude,
        penalty=0.0,
        cost=0.0,
        max_steps=test.settings.polishing_steps,
        early=False,
        keep=keep,
        log_variance=None if test.log_variance is None else test.log_variance[0],
        settings=test.search,
    )
    alone = len(test.blocks) == 1 and test.log_variance is None
    return polished, polished.loss if alone else _loss(test, node, polished)


def _loss(test: EdgeTest, node: int, fit: GPFit) -> float:
    """Negative log evidence over all blocks of rows, relative to that without parents."""
    if not fit.parents:
        return 0.0
    parents = sorted(fit.parents)
    scales = test.log_variance or (None,) * len(test.blocks)
    return profiled(
        JointEvidence(X[:, parents], X[:, node], w, mixed=True, settings=test.search).terms(
            fit.log_amplitude, fit.relevances[parents]
        )
        for X, w in zip(test.blocks, scales, strict=True)
    )


def _required(test: EdgeTest, node: int) -> frozenset[int]:
    return frozenset(np.flatnonzero(test.required[:, node]).tolist())


def _level_of_one(alpha: float, n_candidates: int) -> float:
    """Level of a single test, by Bonferroni's correction for models and candidates."""
    return alpha / _MODELS / n_candidates
