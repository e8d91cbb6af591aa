"""The local score with free noise: mean, scale and density of a node given its parents.

    x_j = f(pa) + g(pa) e,    e independent of pa, with any smooth density,

or h(x_j) instead of x_j, with h the normal quantiles of the ranks (a post-nonlinear model).
Parents with heavy tails enter by their ranks as well, or, with a raw response, all by their own
values. Ranks or raw values are not chosen before the search: each fit uses the likelier.

The joint log-likelihood is a sum over nodes whatever the noise, so the density of the noise belongs
in the loss of a node given its parents, and in the loss of a node without parents. f is the
Gaussian process of `scoredag.order.local_scores.gp`, log g a sum of smooth functions
(`scoredag.regression.log_scale`), and the density of e has the normal one as its limit
(`scoredag.regression.log_density`). The complexity penalties of g and of the density are included;
both are used only if they lower the loss.

Losses with and without h compare through the column's own density: -log p(x | pa) = -log p(h(x) |
pa) - log h'(x), and the sum of log h'(x) over the rows is the log-likelihood gain of the density
of x over the normal one, as h(x) is normal. So both losses count from the node without parents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoredag.data.margins import normal_scores, rank_transformed
from scoredag.data.standardise import standardise
from scoredag.order.local_score import FitCache
from scoredag.order.local_scores._gp_starts import Start, equal_start, warm_start
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.regression.free_noise import Noise, fit_noise, normal_loss
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.lines import fit_line
from scoredag.regression.log_density import log_density
from scoredag.regression.log_scale import fit_log_scale, scale_features
from scoredag.regression.oscillation import von_neumann_score
from scoredag.regression.ties import spread_ties
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


class FreeNoiseScore(GaussianProcessScore):
    """Local losses of Gaussian processes with noise of any scale and density.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows on which fits are compared; standardised here.
    rows : int, optional
        Number of rows, from the first, to which hyper-parameters are fitted; by default all.
    settings : SearchSettings, optional
        Tuned numbers.
    heavy_tailed : ndarray of bool, shape (d,), optional
        Columns with heavy tails. As parents and as responses they enter by the normal quantiles of
        their ranks or by their own values, whichever makes a fit likelier. None by default.

    Notes
    -----
    Hyper-parameters of f are fitted with normal noise of constant scale; only the comparison of
    fits has free noise. Columns with few distinct or many equal values count with normal noise of
    constant scale. A response that is not normal is replaced by the normal quantiles of its ranks
    where that lowers the loss (`SearchSettings.distorted_least_gain`). Not for tables with fewer
    than about 200 rows, where neither scale nor density can be told.

    References
    ----------
    A. Immer et al. On the identifiability and estimation of causal location-scale noise models.
    ICML 2023. K. Zhang and A. Hyvärinen. On the identifiability of the post-nonlinear causal model.
    UAI 2009. N. Friedman and I. Nachman. Gaussian process networks. UAI 2000.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-1, 1, size=300)
    >>> X = np.column_stack([x, x + 0.5 * rng.uniform(-1, 1, size=300)])  # a line, uniform noise
    >>> score = FreeNoiseScore(X)
    >>> score.explore(1, {0}), score.explore(0, {1})
    (None, None)
    >>> forward = score.best(0, {}).loss + score.best(1, {0}).loss
    >>> backward = score.best(1, {}).loss + score.best(0, {1}).loss
    >>> forward < backward - 10
    True
    """

    def __init__(
        self,
        X: Floats,
        rows: int | None = None,
        settings: SearchSettings = SEARCH,
        heavy_tailed: NDArray[np.bool_] | None = None,
    ) -> None:
        d = X.shape[1]
        heavy = np.zeros(d, dtype=bool) if heavy_tailed is None else heavy_tailed
        super().__init__(rank_transformed(X, heavy), rows, settings)
        self._heavy = frozenset(np.flatnonzero(heavy).tolist())
        # The same score with all columns raw, for parents with heavy tails by their own values. On
        # few rows columns have no density by which losses in both units could be compared.
        compared = self._heavy and len(X) >= settings.fewest_rows
        self._raw = FreeNoiseScore(X, rows, settings) if compared else None
        raw = standardise(X)
        self._discrete = {j for j in range(d) if spread_ties(self.table[:, j], settings) is None}
        gains = [log_density(column, settings).gain for column in raw.T]
        null_fits = [
            replace(GPFit.null(d), loss=-gain, post_nonlinear=j in self._heavy)
            for j, gain in enumerate(gains)
        ]
        self._cache = FitCache(null_fits)
        # A column that is not normal has two responses: the column itself and the normal quantiles
        # of its ranks. One of them is in the table, the other one is appended.
        bent = [j for j, gain in enumerate(gains) if gain > settings.distorted_least_gain]
        self._other = {j: d + k for k, j in enumerate(bent)}
        ranks = standardise(normal_scores(self.table[:, bent]))
        self._columns = np.hstack([self.table, np.where(heavy[bent], raw[:, bent], ranks)])
        self._is_by_rank = [*heavy.tolist(), *(~heavy[bent]).tolist()]
        self._fitted_rows = np.asfortranarray(self._columns[:rows])
        self._correlation = self._columns.T @ self._columns / len(X)
        self._null_fits = null_fits + [null_fits[j] for j in bent]
        # Nodes and parents for which the first response, and nodes and heavy-tailed parents for
        # which ranks of these were much likelier: the other units are not tried again.
        self._clear_responses: set[tuple[int, frozenset[int]]] = set()
        self._clear_parents: set[tuple[int, frozenset[int]]] = set()
        # The last noise of each response: exploring a node asks twice for that of its best fit.
        self._noises: dict[int, tuple[GPFit, Noise]] = {}

    @cached_property
    def _features(self) -> tuple[Floats, ...]:
        return tuple(scale_features(column, self._settings) for column in self.table.T)

    def noise(self, node: int, fit: GPFit) -> Noise:
        """Scale and density of the noise of a node under a fit."""
        if fit.raw_parents and self._raw is not None:
            return self._raw.noise(node, fit)
        same = fit.post_nonlinear == self._is_by_rank[node]
        response = node if same else self._other.get(node, node)
        known = self._noises.get(response)
        if known is not None and known[0] is fit:
            return known[1]
        features = [self._features[k] for k in sorted(fit.parents)]
        best = fit_noise([self._columns], response, fit, features, self._settings)
        self._noises[response] = fit, best
        return best

    def residuals(self, node: int, fit: GPFit, rows: int | None = None) -> Floats:
        """Residuals of a node under a fit as if the noise had a constant scale, its mean one.

        Unlike the noise with a scale that varies, these residuals should not depend on any parent.
        """
        noise = self.noise(node, fit)
        variances = noise.variance * np.exp(noise.log_variance)
        share = float(np.mean(variances * noise.residuals**2))  # of the variance of the node
        return np.asarray(noise.residuals[:rows] * np.sqrt(share))

    def sharpened(self) -> FreeNoiseScore | None:
        """The same fits, with hyper-parameters fitted to all rows from now on."""
        sharp = super().sharpened()
        if not isinstance(sharp, FreeNoiseScore):
            return None
        sharp._clear_responses, sharp._clear_parents = set(), set()
        sharp._raw = None if self._raw is None else self._raw.sharpened()
        return sharp

    def _best_from(self, node: int, columns: frozenset[int], starts: Sequence[Start]) -> GPFit:
        """The better of a linear function and, unless nothing is left to explain, a process.

        Lines are for raw columns only. Where one column has ranks and another one has none, a line
        between the ranks of both could be fitted in one direction only.
        """
        raw = sorted(columns - self._heavy)
        line = self._null_fits[node] if self._is_by_rank[node] else self._line(node, raw)
        if line.linear and not self._leaves_structure(node, columns, line):
            return line
        return min(line, super()._best_from(node, columns, starts), key=lambda fit: fit.loss)

    def _line(self, node: int, candidates: Sequence[int]) -> GPFit:
        """A linear function of some candidates, if its residuals are not normal.

        Normal noise around a line identifies no direction, and a line that explains a part of a
        function of many parents is no reason for one.
        """
        n, d = self.table.shape
        line = fit_line(self._correlation, n, node, candidates, d, self._settings)
        line = self._on_all_rows(node, line)
        if not line.linear or self.noise(node, line).density_gain < self._settings.line_least_gain:
            return self._null_fits[node]
        return line

    def _leaves_structure(self, node: int, columns: frozenset[int], line: GPFit) -> bool:
        """Whether Gaussian processes of one or of all columns explain residuals of a line."""
        settings, d, n_rows = self._settings, self.table.shape[1], len(self._fitted_rows)
        residuals = self.noise(node, line).residuals
        first = residuals[: settings.oscillation_rows]
        scores = [von_neumann_score(first, self._sorted_rows[:, k]) for k in columns]
        if max(scores) > settings.oscillation_score:
            return True
        groups = {columns, line.parents, *(frozenset({k}) for k in columns)}
        for group in sorted(groups, key=lambda group: (-len(group), sorted(group))):
            used, start = sorted(group), equal_start(group, d, settings)
            evidence = JointEvidence(
                self._fitted_rows[:, used],
                standardise(residuals[:n_rows]),
                mixed=True,
                settings=settings,
            )
            if evidence.value(settings.screened_log_amplitude, start.relevances[used]) < 0:
                return True
        return False

    def _extended(self, node: int, columns: frozenset[int], best: GPFit) -> GPFit:
        """The best fit with parents of the scale, and in other units if these are likelier."""
        best = self._with_scale(node, columns, best)
        if self._is_worth_another_response(node, best):
            start = warm_start(best, columns, self._settings)
            other = self._best_from(self._other[node], columns, [start])
            other = self._with_scale(self._other[node], columns, other)
            if other.loss > best.loss + self._settings.units_margin:
                self._clear_responses.add((node, best.parents))
            best = min(best, other, key=lambda fit: fit.loss)
        heavy = self._heavy & (best.parents or columns)
        if self._raw is None or not heavy or (node, heavy) in self._clear_parents:
            return best
        if node in self._heavy and node in self._discrete:
            return best  # without a density, losses by rank and raw do not compare
        start = warm_start(best, columns, self._settings)
        raw = self._raw._best_from(node, columns, [start])
        raw = replace(self._raw._with_scale(node, columns, raw), raw_parents=True)
        if raw.loss > best.loss + self._settings.units_margin:
            self._clear_parents.add((node, heavy))
        return min(best, raw, key=lambda fit: fit.loss)

    def _is_worth_another_response(self, node: int, fit: GPFit) -> bool:
        """A screen for the other response of a column: whether it is worth a fit of its own.

        A column with heavy tails is fitted by rank and raw unless ranks were clearly likelier with
        the same parents. Otherwise a distortion shows as noise whose scale varies, or hides that
        there are parents at all, or the ranks are likelier at the hyper-parameters of the column,
        before these are fitted.
        """
        if node not in self._other:
            return False
        if node in self._heavy:
            return (node, fit.parents) not in self._clear_responses
        if not fit.parents or self.noise(node, fit).log_variance.any():
            return True
        gain = -normal_loss(self._columns, self._other[node], fit, self._settings)
        return self._null_fits[node].loss - gain < fit.loss

    def _with_scale(self, node: int, columns: frozenset[int], best: GPFit) -> GPFit:
        """Add the columns that change only the scale of the noise, the strongest first."""
        if node in self._discrete:
            return best
        while rest := sorted(columns - best.parents):
            squares = self.noise(node, best).residuals ** 2
            excess = squares / squares.mean() - 1.0
            strongest = max(rest, key=lambda k: float(np.sum((self._features[k].T @ excess) ** 2)))
            gain = fit_log_scale([self._features[strongest]], squares, self._settings).gain
            if not gain > self._settings.scale_least_gain:
                break
            wider = replace(
                best,
                parents=best.parents | {strongest},
                scale_parents=best.scale_parents | {strongest},
            )
            wider = self._on_all_rows(node, wider)
            if not wider.loss < best.loss:
                break
            best = wider
        return best

    def _on_all_rows(self, node: int, fit: GPFit) -> GPFit:
        """The same hyper-parameters with the loss on all rows, scale and density included."""
        null = self._null_fits[node]
        if not fit.parents:
            return null
        fit = replace(fit, post_nonlinear=self._is_by_rank[node])
        noise = self.noise(node, fit)
        loss = noise.loss + self._settings.parent_cost * len(fit.parents)
        if fit.post_nonlinear:  # the column's own density is the derivative of h
            loss += null.loss
        if not loss < null.loss:
            return null
        compared = replace(fit, loss=loss)
        self._noises[node] = compared, noise
        return compared


PIECE = FreeNoiseScore
