"""The Gaussian-process local score: a joint function of the parents plus normal noise.

N. Friedman and I. Nachman, Gaussian process networks, UAI 2000, with one relevance for each parent
and a penalty that switches parents off (`scoredag.regression.gp_fit`). Hyper-parameters are fitted
to a part of the rows and fits are compared on all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoredag.data.standardise import standardise
from scoredag.order.local_score import FitCache
from scoredag.order.local_scores._gp_starts import (
    Start,
    equal_start,
    fast_starts,
    screened_start,
    warm_start,
)
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic
from scoredag.regression.basis import basis_size
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.gp_fit import GPFit, fit_gp
from scoredag.regression.oscillation import von_neumann_score
from scoredag.regression.smoothing.reml import reml
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


class GaussianProcessScore:
    """Gaussian-process fits of the columns of a table, cached as they are explored.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows on which fits are compared.
    rows : int, optional
        Number of rows, from the first, to which hyper-parameters are fitted; by default all. A fit
        takes about ten times as long as one evaluation on as many rows.
    settings : SearchSettings
        Tuned numbers.

    Notes
    -----
    Not for tables with many thousand rows: memory and time of one evaluation grow with the square
    and the cube of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 200))
    >>> y = np.sin(2 * x) + 0.3 * rng.normal(size=200)
    >>> score = GaussianProcessScore(np.column_stack([x, z, y]))
    >>> score.explore(2, {0, 1})
    >>> sorted(score.best(2, {0, 1}).parents), score.best(2, {1}).loss
    ([0], 0.0)
    """

    def __init__(
        self, X: Floats, rows: int | None = None, settings: SearchSettings = SEARCH
    ) -> None:
        n, d = X.shape
        self.table = standardise(X)
        self._columns = self.table  # a subclass may add columns that are only responses
        self._fitted_rows = np.asfortranarray(self._columns[:rows])
        self._settings = settings
        # A rare value may be missing from these rows: a constant column is no parent.
        self._varying = frozenset(np.flatnonzero(self.table.any(axis=0)).tolist())
        self._design = AdditiveDesign.of(self.table, sorted(self._varying), cubic, basis_size(n, d))
        self._sorted_rows = np.argsort(
            self.table[: settings.oscillation_rows], axis=0, kind="stable"
        )
        self._cache = FitCache([GPFit.null(d) for _ in range(d)])

    def best(self, node: int, available: Iterable[int]) -> GPFit:
        """Of all fits known so far, the best that uses only these columns."""
        return self._cache.best(node, available)

    def explore(self, node: int, candidates: Iterable[int]) -> None:
        """Look for a better fit of a node among these candidates.

        Starts at the best known fit, with all other candidates switched on. The first exploration
        of a node starts with equal relevances, and again with large relevances of the candidates
        that an additive regression proposes. Where the residuals oscillate along a candidate, one
        more fit starts with an oscillating function of this candidate. Does nothing if an earlier
        search has covered these candidates.
        """
        columns = frozenset(candidates) & self._varying
        if node not in self._varying or not columns or self._cache.covers(node, columns):
            return
        best = self._best_from(node, columns, self._starts(node, columns))
        self._cache.add(node, columns, self._extended(node, columns, best))

    def _best_from(self, node: int, columns: frozenset[int], starts: Sequence[Start]) -> GPFit:
        """The best of the fits from some starts, and of oscillating functions added to it."""
        fits = sorted((self._fit(node, start) for start in starts), key=lambda fit: -fit.loss)
        distinct = {fit.parents: fit for fit in fits}.values()  # the best of the same parents
        best = min((self._on_all_rows(node, fit) for fit in distinct), key=lambda fit: fit.loss)
        while (start := self._fast_start(node, columns, best)) is not None:
            faster = self._on_all_rows(node, self._fit(node, start))
            if not faster.loss < best.loss:
                break
            best = faster
        return best

    def sharpened(self) -> GaussianProcessScore | None:
        """The same fits, with hyper-parameters fitted to all rows from now on."""
        if len(self._fitted_rows) == len(self.table):
            return None
        sharp = copy(self)
        sharp._fitted_rows, sharp._cache = self._columns, self._cache.copy_fits()
        return sharp

    def residuals(self, node: int, fit: GPFit, rows: int | None = None) -> Floats:
        """Residuals of a node under a fit, by a Gaussian process on the first rows only."""
        X, parents = self.table[:rows], sorted(fit.parents)
        if not parents:
            return np.asarray(X[:, node])
        evidence = JointEvidence(X[:, parents], X[:, node])
        return evidence.residuals(fit.log_amplitude, fit.relevances[parents])

    def _extended(self, node: int, columns: frozenset[int], best: GPFit) -> GPFit:
        """The best fit with what only another model of the noise adds: here nothing."""
        return best

    def _starts(self, node: int, columns: frozenset[int]) -> Sequence[Start]:
        settings, d = self._settings, self.table.shape[1]
        if not self._cache.is_unexplored(node):
            return [warm_start(self.best(node, columns), columns, settings)]
        proposed = self._proposed(node, sorted(columns))
        starts = [equal_start(columns, d, settings)]
        if proposed and len(columns) > 1:
            starts.append(screened_start(columns, proposed, d, settings))
        return starts

    def _proposed(self, node: int, candidates: list[int]) -> frozenset[int]:
        """The candidates that are significant in an additive regression on the strongest."""
        tested = self._design.strongest(node, candidates)
        p_values = self._design.regress(node, tested, reml).p_values()
        level = self._settings.screening_level
        return frozenset(k for k, p in zip(tested, p_values, strict=True) if p < level)

    def _fast_start(self, node: int, columns: frozenset[int], best: GPFit) -> Start | None:
        """The likeliest start with an oscillating function, if it is likelier than the best fit."""
        settings, rest = self._settings, sorted(columns - best.mean_parents)
        if not rest:
            return None
        residuals = self.residuals(node, best, settings.oscillation_rows)
        scores = {k: von_neumann_score(residuals, self._sorted_rows[:, k]) for k in rest}
        followed = max(rest, key=lambda k: scores[k])
        starts = list[Start]()
        if scores[followed] > settings.oscillation_score:
            starts += fast_starts(best, [followed], settings.fast_relevances, settings)
        if not best.mean_parents:  # several together may show along none of them alone
            starts += fast_starts(best, rest, settings.fast_relevances[:1], settings)
        if not starts:
            return None
        losses = [self._loss_on_fitted_rows(node, *start) for start in starts]
        now = self._loss_on_fitted_rows(node, best.log_amplitude, best.relevances)
        return starts[int(np.argmin(losses))] if min(losses) < now else None

    def _fit(self, node: int, start: Start) -> GPFit:
        return fit_gp(
            self._fitted_rows,
            node,
            start.relevances,
            log_amplitude=start.log_amplitude,
            cost=self._cost_on_fitted_rows,
            settings=self._settings,
        )

    def _on_all_rows(self, node: int, fit: GPFit) -> GPFit:
        """The same hyper-parameters with the loss on all rows."""
        if len(self._fitted_rows) == len(self.table) or not fit.parents:
            return fit
        parents = sorted(fit.parents)
        evidence = JointEvidence(
            self.table[:, parents], self._columns[:, node], mixed=True, settings=self._settings
        )
        value = evidence.value(fit.log_amplitude, fit.relevances[parents])
        loss = value + self._settings.parent_cost * len(parents)
        return replace(fit, loss=loss) if loss < 0 else GPFit.null(len(fit.relevances))

    def _loss_on_fitted_rows(
        self, node: int, log_amplitude: float | None, relevances: Floats
    ) -> float:
        parents = np.flatnonzero(relevances)
        if not len(parents) or log_amplitude is None:
            return 0.0
        X = self._fitted_rows
        y = standardise(X[:, node])
        evidence = JointEvidence(X[:, parents], y, mixed=True, settings=self._settings)
        value = evidence.value(log_amplitude, relevances[parents])
        return value + self._cost_on_fitted_rows * len(parents)

    @property
    def _cost_on_fitted_rows(self) -> float:
        """Cost of a parent on the fitted rows, in proportion to their share of all rows."""
        return self._settings.parent_cost * len(self._fitted_rows) / len(self.table)


PIECE = GaussianProcessScore
