"""Pruning by the evidence of Gaussian processes: what does a node lose without a cause?

Every node is explained by its candidates in three ways: jointly, by a Gaussian process with one
relevance for each of them (`scoredag.regression.evidence`), by a sum of smooth functions
(`scoredag.regression.additive_evidence`), and by straight lines
(`scoredag.regression.linear_evidence`). The most likely way decides. In the joint and the linear
one, causes are taken out one by one, the weakest first, and the others refitted, as long as the
evidence falls by less than a threshold; in the additive one, an edge stays where its term is
significant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from scoredag.arguments import as_generator, check_between, check_jobs
from scoredag.prune.joint_effect import JointEffect, JointModel
from scoredag.prune.pruners.cam import additive_effects, basis_size
from scoredag.prune.result import (
    Effects,
    Floats,
    PruneResult,
    check_pruning,
    spans_and_marks,
)
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.additive_evidence import additive_evidence
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.evidence import JointEvidence, profiled, standardise
from scoredag.regression.explanations import Explanations
from scoredag.regression.linear_evidence import linear_causes, linear_evidence
from scoredag.regression.relevance import COST, Explanation, explain
from scoredag.regression.threads import one_blas_thread

_WAYS = 3  # in which a candidate is tested
_BLOCK_ROWS = 1000
# Nats above which a cause is kept without fitting the others anew, which can only lower them.
_BEYOND_DOUBT = 15.0
_POLISHING_STEPS = 6
# Nats by which curves must be more likely than straight lines from the same causes.
_AS_GOOD = 3.0
_ROWS_PER_TERM = 4


def gp_prune(
    X: ArrayLike,
    candidates: ArrayLike,
    level: float = 0.03,
    *,
    explanations: Sequence[Explanation] | None = None,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PruneResult:
    """Keep the candidate edges without which a node is much less likely.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    candidates : array-like of shape (d, d)
        Non-zero ``candidates[i, j]`` means that i -> j may be an edge. Nothing makes the result
        acyclic if the candidates are not.
    level : float, default=0.03
        At most about the probability that a node without causes gets one: see `threshold`. Above
        0.1 it changes little: causes must also make the node more likely as a whole, which takes
        2 nats each, and half the logarithm of the rows more as straight lines. Whole fits on
        independent columns gave 2.0 to 3.4% of them a cause at 0.03 (normal, Laplace, exponential;
        100 and 200 rows), and up to 4.6% with Student's t of 3 degrees of freedom.
    explanations : sequence of Explanation, optional
        For each column how its candidates explain it, as from `scoredag.order.refine_order`: in
        the joint way its causes are tested, and no other candidate is. By default, and for a
        column whose causes are no candidates, they are looked for here.
    rng : numpy.random.Generator or int, optional
        Puts the rows into blocks where there are many; by default always in the same way.
    n_jobs : int, optional
        Threads over the nodes, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called with the number of nodes done and their total.

    Returns
    -------
    PruneResult
        With ``adjacency`` and ``statistic``, the evidence for each candidate edge in nats (both:
        row causes, column effects; 0 for a candidate that explains nothing, NaN for what is no
        candidate), and for every kept edge its effect: a `JointEffect` if the joint way decided for
        several causes, and otherwise the smooth `Effect` of the cause in an additive regression
        on all that were kept. ``details["linear"]`` is 1 for kept edges of nodes that straight
        lines explain as well as anything, 0 for others.

    Notes
    -----
    Up to about 1,500 rows there is one Gaussian process for all of them. More are split into
    blocks of about 1,000: hyper-parameters come from the first block, and the evidence is added up
    over all, so that time grows in proportion to the rows. A cause that acts only together with
    many others, ten or so, leaves no trace in 1,000 rows.

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
    table, edges = check_pruning(X, candidates)
    check_between(level, "level", 0, 1)
    check_jobs(n_jobs)
    if not edges.any():
        nothing = np.full(edges.shape, np.nan)
        return PruneResult(edges.astype(int), nothing, "evidence", details={"linear": nothing})
    generator = as_generator(0 if rng is None else rng)
    problem = _Problem.of(table, edges, level, generator, n_jobs)
    nodes = np.flatnonzero(edges.any(axis=0)).tolist()
    starts = explanations if explanations is not None else [None] * len(edges)
    if len(starts) != len(edges):
        raise ValueError(
            f"explanations must be one for each of {len(edges)} columns; got {len(starts)}"
        )
    evidence = np.where(edges, 0.0, np.nan)
    kept, linear = np.zeros(edges.shape, dtype=bool), np.full(edges.shape, np.nan)
    joint: dict[int, Explanation] = {}
    with one_blas_thread():
        jobs = (delayed(problem.decide)(node, starts[node]) for node in nodes)
        decisions = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(jobs)
        for done, (node, way) in enumerate(zip(nodes, decisions, strict=True), start=1):
            causes = list(way.causes)
            evidence[causes, node] = list(way.causes.values())
            kept[causes, node], linear[causes, node] = True, way.linear
            if way.fit is not None:
                joint[node] = way.fit
            if progress is not None:
                progress(done, len(nodes))
    effects = _effects(table, kept, joint, problem.blocks[0], n_jobs)
    return PruneResult(kept.astype(int), evidence, "evidence", effects, {"linear": linear})


def threshold(level: float, n_rows: int, n_candidates: int) -> float:
    """Nats that a cause must be worth.

    A relevance cannot fall below zero, so that twice the evidence for an irrelevant candidate is
    zero half of the time and otherwise about n log(1 + F / n), F of the distribution of that name
    with 1 and n - p degrees of freedom. Each of the p candidates is tested in three ways, jointly,
    additively and linearly, so that any one test is at level / 3p.

    Examples
    --------
    >>> [round(threshold(0.03, 1000, p), 1) for p in (1, 9, 49)]
    [2.7, 4.7, 6.3]
    """
    freedom = max(n_rows - n_candidates, 2)
    ratio = float(stats.f.isf(min(2 * _one_test(level, n_candidates), 1.0), 1, freedom))
    return 0.5 * n_rows * float(np.log1p(ratio / n_rows))


def _one_test(level: float, n_candidates: int) -> float:
    """The level of one test among all that are made of a node's candidates."""
    return level / _WAYS / n_candidates


class _Way(NamedTuple):
    """One way to explain a node."""

    causes: dict[int, float]  # each with its evidence in nats
    loss: float
    linear: bool = False
    fit: Explanation | None = None  # of the joint way

    @property
    def loss_with_costs(self) -> float:
        """By which ways are compared."""
        return self.loss + COST * len(self.causes)


@dataclass(frozen=True)
class _Problem:
    """All that the decision about one node needs."""

    edges: NDArray[np.bool_]
    level: float
    blocks: list[Floats]  # rows of the standardised table
    known: Explanations  # on the first block
    p_values: Floats  # of the additive regressions
    design: AdditiveDesign
    correlation: Floats

    @classmethod
    def of(
        cls,
        table: Floats,
        edges: NDArray[np.bool_],
        level: float,
        rng: np.random.Generator,
        n_jobs: int | None = None,
    ) -> _Problem:
        X = standardise(table)
        blocks = _split(X, rng)
        p_values = np.full(edges.shape, np.nan)
        for node, p, _ in additive_effects(X, edges, n_jobs=n_jobs):
            p_values[:, node] = p
        causes = np.flatnonzero(edges.any(axis=1)).tolist()
        most = int(edges.sum(axis=0).max(initial=1))
        design = AdditiveDesign.of(X, causes, cubic, basis_size(len(X), most))
        known, correlation = Explanations(blocks[0]), X.T @ X / len(X)
        return cls(edges, level, blocks, known, p_values, design, correlation)

    def decide(self, node: int, start: Explanation | None) -> _Way:
        """The most likely way to explain a node."""
        candidates = np.flatnonzero(self.edges[:, node]).tolist()
        least = threshold(self.level, self.design.n_rows, len(candidates))
        rivals = self._additive(node, candidates), self._linear(node, candidates, least)
        rival_loss = min(way.loss_with_costs for way in rivals)
        joint = self._joint(node, candidates, start, least, rival_loss)
        best = min((joint, *rivals), key=lambda way: way.loss_with_costs)
        line = rivals[-1]
        # Curves contain lines, and fit a prior to them.
        as_good = line.loss < best.loss + _AS_GOOD and line.causes.keys() == best.causes.keys()
        return line if as_good else best

    def _additive(self, node: int, candidates: list[int]) -> _Way:
        level = _one_test(self.level, len(candidates))
        causes = [k for k in candidates if self.p_values[k, node] < level]
        loss = additive_evidence(self.design, node, causes)
        others = {k: [other for other in causes if other != k] for k in causes}
        rises = {k: additive_evidence(self.design, node, others[k]) - loss for k in causes}
        return _Way(rises, loss)

    def _linear(self, node: int, candidates: list[int], least: float) -> _Way:
        n = self.design.n_rows
        strongest = np.argsort(-np.abs(self.correlation[candidates, node]))
        tested = [candidates[k] for k in strongest[: max(1, n // _ROWS_PER_TERM)]]
        causes = linear_causes(self.correlation, n, node, tested, least)
        loss, rises = linear_evidence(self.correlation, n, node, causes)
        return _Way(dict(zip(causes, rises.tolist(), strict=True)), loss, linear=True)

    def _joint(
        self,
        node: int,
        candidates: list[int],
        start: Explanation | None,
        least: float,
        rival_loss: float,
    ) -> _Way:
        if start is None or not start.causes <= set(candidates):
            self.known.explore(node, candidates)
            start = self.known.best(node, candidates)
        fit, loss, polished = start, self._loss(node, start), False
        drops, settled = self._drops(node, fit, loss), dict[int, float]()
        while open_ := sorted(fit.causes - settled.keys()):
            weakest = min(open_, key=lambda k: drops[k])
            beyond_doubt = drops[weakest] > _BEYOND_DOUBT
            beats_rivals = loss + COST * len(fit.causes) < rival_loss - _AS_GOOD
            # Polishing takes most of the time, and can only make this way more likely.
            if not polished and not (beyond_doubt and beats_rivals):
                (fit, loss), polished = self._polished(node, fit), True
                continue
            if beyond_doubt:
                settled |= {k: drops[k] for k in open_}
                break
            rest, rest_loss = self._polished(node, _without(fit, weakest))
            if rest_loss - loss < least:
                fit, loss, settled = rest, rest_loss, {}
                drops = self._drops(node, fit, loss)
            else:
                settled[weakest] = rest_loss - loss
        return _Way({k: settled[k] for k in sorted(fit.causes)}, loss, fit=fit)

    def _drops(self, node: int, fit: Explanation, loss: float) -> dict[int, float]:
        """What is lost without each cause if nothing else changes."""
        return {k: self._loss(node, _without(fit, k)) - loss for k in sorted(fit.causes)}

    def _polished(self, node: int, fit: Explanation) -> tuple[Explanation, float]:
        """Without a penalty, from a warm start, on the first block; and the loss on all."""
        polished = explain(
            self.blocks[0],
            node,
            fit.relevances,
            log_amplitude=fit.log_amplitude,
            penalty=0.0,
            cost=0.0,
            max_steps=_POLISHING_STEPS,
            early=False,
        )
        return polished, polished.loss if len(self.blocks) == 1 else self._loss(node, polished)

    def _loss(self, node: int, fit: Explanation) -> float:
        """Negative log evidence over all blocks of rows."""
        if not fit.causes:
            return 0.0
        causes = sorted(fit.causes)
        terms = (
            JointEvidence(X[:, causes], X[:, node]).terms(fit.log_amplitude, fit.relevances[causes])
            for X in self.blocks
        )
        return profiled(terms)


def _without(fit: Explanation, cause: int) -> Explanation:
    relevances = fit.relevances.copy()
    relevances[cause] = 0.0
    return Explanation(fit.causes - {cause}, fit.loss, fit.log_amplitude, relevances)


def _split(X: Floats, rng: np.random.Generator) -> list[Floats]:
    """Blocks of about as many rows each, drawn at random; one block if the rows are few."""
    count = max(1, round(len(X) / _BLOCK_ROWS))
    if count == 1:
        return [X]
    return [np.asfortranarray(X[rows]) for rows in np.array_split(rng.permutation(len(X)), count)]


def _effects(
    table: Floats,
    kept: NDArray[np.bool_],
    joint: dict[int, Explanation],
    block: Floats,
    n_jobs: int | None,
) -> Effects:
    """What each cause does: in the Gaussian process if several act in it, or else by splines."""
    joint = {node: fit for node, fit in joint.items() if len(fit.causes) > 1}
    alone = kept.copy()
    alone[:, list(joint)] = False
    effects: Effects = {
        (k, node): effect_of(k)
        for node, p_values, effect_of in additive_effects(table, alone, n_jobs=n_jobs)
        for k in np.flatnonzero(np.isfinite(p_values)).tolist()
    }
    centres, spreads = table.mean(axis=0), table.std(axis=0)
    spans, marks = spans_and_marks(table)
    for node, fit in joint.items():
        causes = sorted(fit.causes)
        model = JointModel(
            X=block[:, causes],
            y=block[:, node],
            log_amplitude=fit.log_amplitude,
            relevances=fit.relevances[causes],
            centres=centres[causes],
            spreads=spreads[causes],
            spread=float(spreads[node]),
        )
        for position, k in enumerate(causes):
            span = (float(spans[0, k]), float(spans[1, k]))
            effects[k, node] = JointEffect(span, marks[:, k], model, position)
    return effects


PIECE = gp_prune
