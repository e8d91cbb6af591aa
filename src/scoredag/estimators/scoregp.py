"""ScoreGP: orders by score and by regression, refined and pruned by Gaussian processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from scoredag.arguments import as_generator
from scoredag.costs import Estimate, workers
from scoredag.data.block_table import BlockTable
from scoredag.data.blocks import sample_rows
from scoredag.data.distinct import without_copies
from scoredag.data.margins import rank_transformed
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._costs import (
    Choices,
    alternatives,
    edge_test,
    estimate_of,
    search_step,
    start_orders,
)
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import COMMON, Check
from scoredag.estimators._score_gp import PARAMETERS, score_gp
from scoredag.estimators.score import SCORE
from scoredag.knowledge import Constraints, Knowledge
from scoredag.settings import EDGE_TEST, SEARCH

# Rows that are drawn from a table that is read in blocks: the edge test on so many takes about as
# long as the search ("Rows" in docs/decisions/0010-scale.md).
STREAMED_ROWS = 20_000


class ScoreGP(CausalDiscovery):
    """Causal discovery for functions of several parents that act jointly; scoredag's own method.

    Starts at two orders, CAM's and SCORE's on standardised data, or DirectLiNGAM's where effects
    are linear; refines both by local moves that make the data more likely under Gaussian processes,
    and continues with the better one; and keeps the edges without which a column is much less
    likely.

    Parameters
    ----------
    alpha : float, default=0.03
        Approximate upper bound of the probability that a column without parents gets one: see
        `scoredag.prune.gp_prune`.
    noise : {"free", "normal"}, default="free"
        Model of the noise of a column given its parents. "free": y = f(parents) + g(parents) e with
        any smooth density of e and a scale g that may depend on the parents, each used only if it
        lowers the penalised loss. "normal": normal noise of constant scale; the negentropy
        of the residuals is looked at only after the search.
    margins : {"auto", "rank", "raw"}, default="auto"
        Whether to replace columns by the normal quantiles of their ranks: "rank" all of them,
        "raw" none, neither parents nor responses, "auto" those with heavy tails or outliers
        (`scoredag.data.margins.heavy_tailed`) where they are more likely by rank, with a warning
        that names them: with free noise fit by fit, with normal noise once for each column
        (`scoredag.order.rank_transform`). Effects of and on such columns are in units of these
        quantiles: see ``by_rank_``.
    min_gain : float, default=1.0
        Nats that a move in the order must gain.
    rows : int, default=400
        Rows drawn for the search: see `scoredag.order.refine_order`. The edges are tested on all
        rows. A table of 4,000 rows or more (`SearchSettings.rows_to_grow`) is searched again,
        from the order that was found, on 1,000 rows or this many, and in the last round on 2,000,
        unless ``final_rows`` is as many; columns without parents, or nearly, are then looked at
        once more on up to 20,000 (`SearchSettings.faint_rows`).
    final_rows : int, default=1000
        Rows drawn for the last round of the search.
    screen : {"auto", "forward", "dependence"}, callable or None, default="auto"
        Finds, before the search, the columns that may be parents of each column: its neighbours and
        theirs, at most 30, and the 20 columns that depend most on it. "auto" is "forward" for more
        than 100 columns and None, which lets every column be a parent of every other, for fewer.
        Names are files in ``screening/screens``.
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
    causal_order_, adjacency_matrix_, graph_, edges_, effects_, node_names_, n_rows_
        As in `scoredag.SCORE`, and so are ``rows_used_`` and ``knowledge_report_``;
        ``adjacency_matrix_[i, j] == 1`` means i -> j. There are no p-values.
        Parents that act together have a `scoredag.prune.JointEffect`.
    edge_statistic_ : ndarray of shape (d, d)
        Evidence for each candidate edge in nats, [i, j] for i -> j; NaN where not tested.
    direction_evidence_ : ndarray of shape (d, d)
        Cost in nats of reversing an edge in the search, scale and density of the noise included.
        With ``noise="normal"`` the negentropy of the residuals is added: it is reduced by its
        standard error where it supports the edge, and counted in full where it opposes the
        edge. NaN where an edge could not be reversed alone: beside another path, also one that was
        pruned, against a rule, for edges that only the edge test found, and where the model cannot
        identify a direction: at a column with few distinct or many equal values, and between
        columns of which one is computed from others. Below `EdgeTestSettings.doubtful` the
        direction is not identified, and mostly below `EdgeTestSettings.undirected_line` if the edge
        is linear or an end has heavy tails, and below `EdgeTestSettings.mixed_units` if one end has
        heavy tails, so that one of the compared fits may take its ranks, and the other end has not
        (see `scoredag.settings`); far below 0 the noise depends on the parent in both directions.
    undirected_edges_ : ndarray of bool, shape (d, d)
        The edges whose direction the data do not identify, alone or together with others; `fit`
        warns about them.
    undirected_reasons_ : ndarray of str, shape (d, d)
        Why the direction of an edge is not identified, one of `scoredag.diagnosis.Reason`, and ""
        elsewhere. The warning explains the reasons, and ``edges_`` has them as a column.
    weak_edges_ : ndarray of bool, shape (d, d)
        The edges whose evidence is below `EdgeTestSettings.doubtful`: a hidden common cause or an
        error of measurement can give as much. `fit` warns about them.
    noise_independence_ : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of column j does not depend on its parent i, at
        [i, j]; NaN where there is no edge and for edges that only the edge test found. p-values
        below `EdgeTestSettings.dependent_noise_level` over the number of tested edges contradict
        the model, and `fit` warns: a hidden common cause, a parent that is measured with errors, a
        reversed edge, or, with ``noise="normal"``, noise that grows with a parent. With free noise
        the residuals are divided by their scale first.
    by_rank_ : ndarray of bool, shape (d,)
        The columns that entered by the normal quantiles of their ranks, at least in one fit; their
        effects are in units of these quantiles. The column ``post_nonlinear`` of ``edges_`` is 1
        where an effect was tested by rank.

    Notes
    -----
    Multiplying or shifting columns changes neither the order nor the graph: the table is
    standardised and rounded to seven decimals, so that rounding errors do not decide between
    orders. Assumes that every column is a smooth function of its parents, plus independent noise
    that a function of the parents may scale, and that no common cause is hidden. The density of the
    noise and the change of its scale help to identify directions, also of linear edges. Columns
    with few distinct or many equal values count with normal noise of constant scale, and the
    direction of their edges as not identified. For linear effects with Gaussian noise most
    directions are not identifiable: the result is then one of many equally likely graphs, and `fit`
    warns and names the undirected edges. Scale and density of the noise take about 200 rows to be
    told; with ``noise="normal"``, noise that grows with a parent gives wrong directions, and
    `fit` warns. Not for discrete columns. On additive data of
    1,000 rows a fit takes about 3, 9 and 40 seconds of one core for 10, 20 and 50 columns, with
    ``noise="normal"`` two thirds of that, and up to five times as long where scales vary, columns
    are distorted or have heavy tails. A function of eight or more columns jointly may be found
    with some draws of rows by ``random_state`` and missed with others.

    From a table in blocks (`scoredag.data.open_table`, Dask) 20,000 rows are drawn, with a warning.

    References
    ----------
    P. Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022. P. Bühlmann, J. Peters and J. Ernest. CAM: causal additive models, high-dimensional
    order search and penalized regression. Annals of Statistics 42:2526, 2014. N. Friedman and I.
    Nachman. Gaussian process networks. UAI 2000. A. Immer et al. On the identifiability and
    estimation of causal location-scale noise models. ICML 2023.

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

    _checks: ClassVar[Mapping[str, Check]] = {**COMMON, **PARAMETERS}
    _units_matter: ClassVar[bool] = False
    _streams: ClassVar[bool] = True
    _keeps_copies: ClassVar[bool] = False

    def __init__(
        self,
        *,
        alpha: float = EDGE_TEST.alpha,
        noise: str = "free",
        margins: str = "auto",
        min_gain: float = SEARCH.min_gain,
        rows: int = SEARCH.rows,
        final_rows: int = SEARCH.final_rows,
        screen: str | Callable[..., Any] | None = "auto",
        knowledge: Knowledge | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.alpha = alpha
        self.noise = noise
        self.margins = margins
        self.min_gain = min_gain
        self.rows = rows
        self.final_rows = final_rows
        self.screen = screen
        self.knowledge = knowledge
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def cost(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> Estimate | None:
        """Estimate what a fit takes: see `CausalDiscovery.cost`.

        On data whose scales vary or whose tails are heavy it takes up to five times as long.
        """
        drawn, jobs = min(n_rows, STREAMED_ROWS) if in_blocks else n_rows, workers(self.n_jobs)
        automatic = isinstance(self.screen, str) and self.screen == "auto"
        screened = n_columns > SEARCH.most_unscreened if automatic else self.screen is not None
        steps = (
            start_orders(drawn, n_columns, screened),
            search_step(drawn, n_columns, self.rows, self.final_rows, jobs, screened),
            edge_test(drawn, n_columns, jobs, screened),
        )
        return estimate_of(steps, n_rows, n_columns, in_blocks=in_blocks)

    def _remedies(self, in_blocks: bool) -> list[Choices]:
        return alternatives(SCORE(), "SCORE with ")

    def _discover(self, X: Floats | BlockTable, constraints: Constraints) -> Discovery:
        rng = as_generator(self.random_state, "random_state")
        drawn = X if isinstance(X, np.ndarray) else _drawn(X, rng)
        distinct = without_copies(drawn)
        found = score_gp(
            distinct,
            alpha=self.alpha,
            noise=self.noise,
            margins=self.margins,
            min_gain=self.min_gain,
            rows=self.rows,
            final_rows=self.final_rows,
            screen=self.screen,
            knowledge=constraints,
            rng=rng,
            n_jobs=self.n_jobs,
            progress=self.progress,
        )
        messages = found.messages([str(label) for label in constraints.labels], self.margins)
        if len(drawn) < len(X):
            messages = (_about_drawn(len(drawn), len(X)), *messages)
        details = {
            "direction": found.direction_evidence,
            "noise_p_value": found.noise_independence,
            **found.pruned.details,
            "weak": np.where(found.pruned.adjacency == 1, found.weak_edges, np.nan),
        }
        return Discovery(
            order=found.order,
            pruned=replace(found.pruned, details=details),
            attributes={
                "direction_evidence": found.direction_evidence,
                "undirected_edges": found.undirected_edges,
                "undirected_reasons": found.undirected_reasons,
                "weak_edges": found.weak_edges,
                "noise_independence": found.noise_independence,
                "by_rank": found.by_rank,
            },
            messages=messages,
            table=rank_transformed(distinct, found.by_rank),
            rows=found.rows,
            reversal_gain=found.reversal_gain,
        )


def _drawn(table: BlockTable, rng: np.random.Generator) -> Floats:
    """All rows of a small table, as they would be in memory, or some of a large one."""
    if len(table) <= STREAMED_ROWS:
        return table.load().values
    return sample_rows(table, STREAMED_ROWS, rng)


def _about_drawn(drawn: int, n: int) -> str:
    return (
        f"ScoreGP uses {drawn:,} of {n:,} rows, drawn at random: a table that is read in blocks is "
        "not loaded. Fainter effects may show in all rows: SCORE streams over them."
    )


PIECE = ScoreGP
