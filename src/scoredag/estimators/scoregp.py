"""ScoreGP: orders by score and by regression, refined and pruned by Gaussian processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator
from scoredag.data.checks import check_table, refuse_constant
from scoredag.data.margins import heavy_tailed, normal_scores
from scoredag.data.standardise import standardise
from scoredag.data.wording import name_list
from scoredag.diagnosis import (
    about_dependent_noise,
    about_missing_noise,
    about_undirected_edges,
    undirected_edges,
)
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import COMMON, Check, between, one_of
from scoredag.graph import full_dag
from scoredag.knowledge import Constraints, Knowledge, as_constraints
from scoredag.order import greedy_additive, peel, refine_order
from scoredag.order.rank_transform import better_by_rank
from scoredag.order.refine import check_min_gain, check_rows
from scoredag.prune import PruneResult, gp_prune
from scoredag.settings import EDGE_TEST, SEARCH

_PARAMETERS: dict[str, Check] = {
    "alpha": between(0, 1),
    "margins": one_of("auto", "rank", "raw"),
    "min_gain": check_min_gain,
    "rows": check_rows,
    "final_rows": check_rows,
}


@dataclass(frozen=True)
class ScoreGPResult:
    """The result of `score_gp`; matrices have [i, j] for i -> j.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    pruned : PruneResult
        The edges with their evidence and effects.
    direction_evidence : ndarray of shape (d, d)
        Cost in nats of reversing an edge; NaN where the cost is not known.
    undirected_edges : ndarray of bool, shape (d, d)
        The edges whose direction the data do not identify.
    noise_independence : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of j does not depend on its parent i.
    noise_share : ndarray of shape (d,)
        Share of the noise in the variance of each column.
    by_rank : ndarray of bool, shape (d,)
        The columns that were replaced by the normal quantiles of their ranks.
    """

    order: NDArray[np.intp]
    pruned: PruneResult
    direction_evidence: Floats
    undirected_edges: NDArray[np.bool_]
    noise_independence: Floats
    noise_share: Floats
    by_rank: NDArray[np.bool_]

    def messages(self, names: Sequence[str], margins: str = "auto") -> tuple[str, ...]:
        """Warnings about the result, in sentences for users.

        Parameters
        ----------
        names : sequence of str
            Names of the columns.
        margins : str, default="auto"
            Rank-transformed columns are named only with "auto".
        """
        found = self.pruned.adjacency == 1
        by_rank = self.by_rank if margins == "auto" else np.zeros_like(self.by_rank)
        messages = [
            _about_ranks(by_rank, names),
            about_undirected_edges(self.undirected_edges, found, names),
            about_dependent_noise(self.noise_independence, names),
            *about_missing_noise(self.noise_share, found, names),
        ]
        return tuple(message for message in messages if message)


def score_gp(
    X: ArrayLike,
    *,
    alpha: float = EDGE_TEST.alpha,
    margins: str = "auto",
    min_gain: float = SEARCH.min_gain,
    rows: int = SEARCH.rows,
    final_rows: int = SEARCH.final_rows,
    knowledge: Knowledge | Constraints | None = None,
    rng: Any = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> ScoreGPResult:
    """Find a causal graph by Gaussian processes: the function behind `scoredag.ScoreGP`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    alpha, margins, min_gain, rows, final_rows, knowledge, n_jobs, progress
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
    values = (alpha, margins, min_gain, rows, final_rows)
    for (name, check), value in zip(_PARAMETERS.items(), values, strict=True):
        check(value, name)
    table = check_table(X)
    refuse_constant(table)
    constraints = as_constraints(knowledge, table.shape[1])
    generator = as_generator(rng, "random_state")
    by_rank = _columns_by_rank(table, margins, rows, generator)
    transformed = table.copy()
    transformed[:, by_rank] = normal_scores(table[:, by_rank])
    standard = np.ascontiguousarray(standardise(transformed))
    refined = refine_order(
        standard,
        *_start_orders(standard, constraints, generator, _stage(progress, "start")),
        local_score="gp",
        knowledge=constraints,
        min_gain=min_gain,
        rows=rows,
        final_rows=final_rows,
        rng=generator,
        n_jobs=n_jobs,
        progress=_stage(progress, "refine"),
    )
    pruned = gp_prune(
        transformed,  # effects are in its units
        full_dag(refined.order),
        alpha,
        fits=refined.fits,
        knowledge=constraints,
        rng=generator,
        n_jobs=n_jobs,
        progress=_stage(progress, "prune"),
    )
    found, noise = pruned.adjacency == 1, refined.noise
    assert noise is not None  # Gaussian processes have residuals
    direction = np.where(found, refined.reversal_evidence, np.nan)
    undirected = undirected_edges(direction, pruned, by_rank)
    return ScoreGPResult(
        order=refined.order,
        pruned=pruned,
        direction_evidence=direction,
        undirected_edges=undirected & constraints.allowed.T,  # rules direct the others
        noise_independence=np.where(found, noise.independence, np.nan),
        noise_share=noise.share,
        by_rank=by_rank,
    )


class ScoreGP(CausalDiscovery):
    """Causal discovery for functions of several parents that act jointly; scoredag's own method.

    Starts at two orders, SCORE's on standardised data and CAM's; refines both by local moves that
    make the data more likely under Gaussian processes, and continues with the better one; and keeps
    the edges without which a column is much less likely.

    Parameters
    ----------
    alpha : float, default=0.03
        Approximate upper bound of the probability that a column without parents gets one: see
        `scoredag.prune.gp_prune`.
    margins : {"auto", "rank", "raw"}, default="auto"
        Whether to replace columns by the normal quantiles of their ranks: "rank" all of them,
        "raw" none, "auto" those with heavy tails or outliers
        (`scoredag.data.margins.heavy_tailed`) that are more likely by rank
        (`scoredag.order.rank_transform`), with a warning that names them. Effects of and on such
        columns are in units of these quantiles: see ``by_rank_``.
    min_gain : float, default=1.0
        Nats that a move in the order must gain.
    rows, final_rows : int, default=400 and 1000
        Rows drawn for the search, and for its last round: see `scoredag.order.refine_order`. The
        edges are tested on all rows.
    knowledge : Knowledge, optional
        Required and forbidden edges, tiers, roots and sinks: see `scoredag.Knowledge`.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default=0
        Draws the rows.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "start", "refine", then "prune".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, effects_, node_names_, knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j. There are no
        p-values. Parents that act together have a `scoredag.prune.JointEffect`.
    edge_statistic_ : ndarray of shape (d, d)
        Evidence for each candidate edge in nats, [i, j] for i -> j; NaN where not tested.
    direction_evidence_ : ndarray of shape (d, d)
        Cost in nats of reversing an edge in the search. The negentropy of the residuals is reduced
        by its standard error where it supports the edge, and counted in full where it opposes the
        edge. NaN where an edge could not be reversed alone: beside another path, also one that was
        pruned, against a rule, and for edges that only the edge test found. Below 3 the direction
        is not identified, and mostly below 10 if the edge is linear or an end is rank-transformed;
        far below 0 the noise depends on the parent in both directions.
    undirected_edges_ : ndarray of bool, shape (d, d)
        The edges whose direction the data do not identify, alone or together with others; `fit`
        warns about them.
    noise_independence_ : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of column j does not depend on its parent i, at
        [i, j]; NaN where there is no edge and for edges that only the edge test found. p-values
        below 0.001 over the number of tested edges contradict the model, and `fit` warns: noise
        that grows with a parent, a hidden common cause, a parent that is measured with errors, or a
        reversed edge.
    by_rank_ : ndarray of bool, shape (d,)
        The columns that were replaced by the normal quantiles of their ranks.

    Notes
    -----
    Multiplying or shifting columns changes neither the order nor the graph: the table is
    standardised and rounded to seven decimals, so that rounding errors do not decide between
    orders. Assumes that every column is a smooth function of its parents plus independent noise,
    and that no common cause is hidden. Noise need not be normal: its negentropy helps to identify
    directions, also of linear edges. With heavy tails and a few hundred rows, half of the
    directions of linear edges are wrong, most of them with a warning. Noise that grows with a
    parent violates the assumption, and then directions can be wrong; `fit` tests the noise and
    warns. For linear effects with Gaussian noise most directions are not identifiable: the result
    is then one of many equally likely graphs, and `fit` warns and names the undirected edges. Not
    for discrete columns. Takes about 10 and 25 seconds of one core for 10 and 20 columns of 1,000
    rows, and about two minutes for 50. A function of eight or more columns jointly may be found
    with some draws of rows by ``random_state`` and missed with others.

    References
    ----------
    P. Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022. P. Bühlmann, J. Peters and J. Ernest. CAM: causal additive models, high-dimensional
    order search and penalized regression. Annals of Statistics 42:2526, 2014. N. Friedman and I.
    Nachman. Gaussian process networks. UAI 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag import ScoreGP
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = np.sin(2 * x) * z + 0.3 * rng.normal(size=300)
    >>> ScoreGP().fit(np.column_stack([y, x, z])).adjacency_matrix_
    array([[0, 0, 0],
           [1, 0, 0],
           [1, 0, 0]])
    """

    _checks: ClassVar[Mapping[str, Check]] = {**COMMON, **_PARAMETERS}
    _units_matter: ClassVar[bool] = False

    def __init__(
        self,
        *,
        alpha: float = EDGE_TEST.alpha,
        margins: str = "auto",
        min_gain: float = SEARCH.min_gain,
        rows: int = SEARCH.rows,
        final_rows: int = SEARCH.final_rows,
        knowledge: Knowledge | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.alpha = alpha
        self.margins = margins
        self.min_gain = min_gain
        self.rows = rows
        self.final_rows = final_rows
        self.knowledge = knowledge
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _discover(self, X: Floats, constraints: Constraints) -> Discovery:
        found = score_gp(
            X,
            alpha=self.alpha,
            margins=self.margins,
            min_gain=self.min_gain,
            rows=self.rows,
            final_rows=self.final_rows,
            knowledge=constraints,
            rng=self.random_state,
            n_jobs=self.n_jobs,
            progress=self.progress,
        )
        details = {
            "direction": found.direction_evidence,
            "noise_p_value": found.noise_independence,
            **found.pruned.details,
        }
        return Discovery(
            order=found.order,
            pruned=replace(found.pruned, details=details),
            attributes={
                "direction_evidence": found.direction_evidence,
                "undirected_edges": found.undirected_edges,
                "noise_independence": found.noise_independence,
                "by_rank": found.by_rank,
            },
            messages=found.messages([str(label) for label in constraints.labels], self.margins),
        )


def _columns_by_rank(
    X: Floats, margins: str, rows: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Choose the columns to rank-transform: with "auto" those that are more likely by rank."""
    if margins == "auto":
        return better_by_rank(X, heavy_tailed(X), rows=rows, rng=rng)
    return np.full(X.shape[1], margins == "rank")


def _start_orders(
    X: Floats,
    constraints: Constraints,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None,
) -> list[NDArray[np.intp]]:
    """SCORE's order on standardised data, best on dense graphs, and CAM's, best on others."""
    if len(X) > SEARCH.start_rows:
        drawn = X[np.sort(rng.permutation(len(X))[: SEARCH.start_rows])]
        if np.ptp(drawn, axis=0).all():  # otherwise a rare value is missing: use all rows
            X = standardise(drawn)
    by_regression = greedy_additive(X, knowledge=constraints).order
    return [peel(X, knowledge=constraints, progress=progress), by_regression]


def _about_ranks(by_rank: NDArray[np.bool_], names: Sequence[str]) -> str | None:
    if not by_rank.any():
        return None
    listed = name_list([name for name, heavy in zip(names, by_rank, strict=True) if heavy])
    return (
        f"heavy tails or outliers in {listed}: these columns are replaced by the normal quantiles "
        "of their ranks. Effects are in those units, and ranks can hide which way they go. Take "
        "logarithms first where that is natural, or keep the columns with margins='raw'."
    )


def _stage(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, stage)


PIECE = ScoreGP
