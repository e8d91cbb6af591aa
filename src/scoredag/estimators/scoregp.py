"""ScoreGP: orders by score and by regression, refined and pruned by Gaussian processes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import as_generator
from scoredag.data.margins import heavy_tailed, normal_scores
from scoredag.data.wording import name_list
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._doubts import (
    open_directions,
    warn_about_dependent_noise,
    warn_about_missing_noise,
    warn_about_open_directions,
)
from scoredag.exceptions import DataWarning, stacklevel_of_user
from scoredag.graph import full_dag
from scoredag.order import greedy_additive, peel, refine_order
from scoredag.order.refine import check_search
from scoredag.prune import PruneResult, gp_prune
from scoredag.regression.evidence import standardise
from scoredag.regression.raw_or_rank import better_by_rank

_MARGINS = ("auto", "rank", "raw")
# Rows for the first orders: more cost time and memory, and the refinement looks again.
_MOST_START_ROWS = 2000


class ScoreGP(CausalDiscovery):
    """Causal discovery for functions of several causes that act jointly; scoredag's own method.

    Begins at two orders, SCORE's on standardised data and CAM's; polishes both by local moves that
    make the data more likely under Gaussian processes, and goes on with the better one; and keeps
    the edges without which a column is much less likely.

    Parameters
    ----------
    level : float, default=0.03
        At most about the probability that a column without causes gets one: see
        `scoredag.prune.gp_prune`.
    margins : {"auto", "rank", "raw"}, default="auto"
        Whether to replace columns by the normal quantiles of their ranks: "rank" all of them,
        "raw" none, "auto" those with heavy tails or outliers
        (`scoredag.data.margins.heavy_tailed`) that are more likely so
        (`scoredag.regression.raw_or_rank`), with a warning that names them. Their effects are then
        in these quantiles: see ``by_rank_``.
    margin : float, default=1.0
        What a move in the order must gain, in nats.
    rows, final_rows : int, default=400 and 1000
        Rows drawn for the search, and for its last round: see `scoredag.order.refine_order`. The
        edges are tested on all rows.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default=0
        Draws these rows.
    n_jobs : int, optional
        Threads, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "start", "refine", then "prune".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, effects_, node_names_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j. There are no
        p-values: ``p_values_`` is NaN. Causes that act together have a
        `scoredag.prune.JointEffect`.
    edge_statistic_ : ndarray of shape (d, d)
        Evidence for each candidate edge in nats, row causes, column effects; NaN where not tested.
    direction_evidence_ : ndarray of shape (d, d)
        Nats that turning an edge round would cost in the search, at least: the shape of the noise,
        which is known to within 10 nats, counts less these where it speaks for the edge, and whole
        against it. NaN where an edge could not be turned alone there, beside another path, also one
        that was pruned, and for edges that only the test found. Below 3 the direction is as good
        as open, and mostly below 10 if the edge is a straight line or an end of it goes by rank;
        far below 0 the noise depends on the cause both ways.
    open_directions_ : ndarray of bool, shape (d, d)
        The edges that could as well be turned round, alone or together with others; `fit` warns
        about them.
    noise_independence_ : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of column j does not depend on its cause i, at
        [i, j]; NaN where there is no edge and for edges that only the test found. Below 0.001 over
        the number of these edges they contradict the model, and `fit` warns: noise that grows with
        a cause, a missing common cause, a cause that is measured with errors, or an edge that is
        the wrong way round.
    by_rank_ : ndarray of bool, shape (d,)
        The columns that were replaced by the normal quantiles of their ranks.

    Notes
    -----
    Multiplying or shifting columns changes neither the order nor the graph: they are standardised
    and rounded to seven decimals, so that no trace of units decides between orders. Assumes that
    every column is a smooth function of its causes plus independent noise, and that no common
    cause is missing. Noise need not be normal: its shape helps to tell directions, of lines too,
    less so where a line has heavy tails and a few hundred rows: half of these directions are wrong,
    most of them with a warning. Noise that grows with a cause breaks the assumption, and then
    directions can be wrong; `fit` tests that and warns. For linear effects with Gaussian noise
    most directions cannot be told from observations: the edges are then those of one of many
    equally likely graphs, and `fit` warns and names those whose direction is open. Not for discrete
    columns. Takes about 10 and 25 seconds of one core for 10 and 20 columns of 1,000 rows, and
    about two minutes for 50. What depends on eight or more columns jointly may be found with some
    draws of rows by ``random_state`` and not with others.

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

    _units_matter: ClassVar[bool] = False

    def __init__(
        self,
        level: float = 0.03,
        margins: str = "auto",
        margin: float = 1.0,
        rows: int = 400,
        final_rows: int = 1000,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.level = level
        self.margins = margins
        self.margin = margin
        self.rows = rows
        self.final_rows = final_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not (isinstance(self.margins, str) and self.margins in _MARGINS):
            raise ValueError(f"margins must be one of {_MARGINS}; got {self.margins!r}")
        check_search(self.margin, self.rows, self.final_rows)

    def _discover(self, X: Floats) -> tuple[NDArray[np.intp], PruneResult]:
        rng = as_generator(self.random_state, "random_state")
        tamed = self._tame(X, rng)
        standard = np.ascontiguousarray(standardise(tamed))
        refined = refine_order(
            standard,
            *self._starts(standard, rng),
            margin=self.margin,
            rows=self.rows,
            final_rows=self.final_rows,
            rng=rng,
            n_jobs=self.n_jobs,
            progress=self._stage("refine"),
        )
        pruned = gp_prune(
            tamed,  # effects are in its units
            full_dag(refined.order),
            self.level,
            explanations=refined.explanations,
            rng=rng,
            n_jobs=self.n_jobs,
            progress=self._stage("prune"),
        )
        found = pruned.adjacency == 1
        self.direction_evidence_ = np.where(found, refined.direction, np.nan)
        self.noise_independence_ = np.where(found, refined.independence, np.nan)
        self.open_directions_ = open_directions(self.direction_evidence_, pruned, self.by_rank_)
        warn_about_open_directions(self.open_directions_, found, self._names)
        warn_about_dependent_noise(self.noise_independence_, self._names)
        warn_about_missing_noise(refined.noise_share, found, self._names)
        details = {
            "direction": self.direction_evidence_,
            "noise_p_value": self.noise_independence_,
            **pruned.details,
        }
        return refined.order, replace(pruned, details=details)

    def _tame(self, X: Floats, rng: np.random.Generator) -> Floats:
        """Columns with heavy tails by their ranks, where that makes them more likely."""
        by_rank = np.full(X.shape[1], self.margins == "rank")
        if self.margins == "auto":
            by_rank = better_by_rank(X, heavy_tailed(X), rows=self.rows, rng=rng)
        self.by_rank_ = by_rank
        if self.margins == "auto" and by_rank.any():
            names = [name for name, heavy in zip(self._names, by_rank, strict=True) if heavy]
            warnings.warn(
                f"heavy tails or outliers in {name_list(names)}: these columns are replaced by the "
                "normal quantiles of their ranks. Effects are in those units, and ranks can hide "
                "which way they go. Take logarithms first where that is natural, or keep them with "
                "margins='raw' (on the command line, --margins raw).",
                DataWarning,
                stacklevel=stacklevel_of_user(),
            )
        X = X.copy()
        X[:, by_rank] = normal_scores(X[:, by_rank])
        return X

    def _starts(self, X: Floats, rng: np.random.Generator) -> list[NDArray[np.intp]]:
        """SCORE's order on standardised data, best on dense graphs, and CAM's, best on others."""
        if len(X) > _MOST_START_ROWS:
            drawn = X[np.sort(rng.permutation(len(X))[:_MOST_START_ROWS])]
            if np.ptp(drawn, axis=0).all():  # or else a rare value is missing: take all rows
                X = standardise(drawn)
        by_regression = greedy_additive(X).order
        return [peel(X, progress=self._stage("start")), by_regression]


PIECE = ScoreGP
