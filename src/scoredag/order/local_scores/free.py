"""The local score with free noise: mean, scale and density of a node given its parents.

    x_j = f(pa) + g(pa) e,    e independent of pa, with any smooth density.

The joint log-likelihood is a sum over nodes whatever the noise, so the shape of the noise belongs
in the loss of a node given its parents, and in the loss of a node without parents. f is the
Gaussian process of `scoredag.order.local_scores.gp`, log g a sum of smooth functions
(`scoredag.regression.log_scale`), and the density of e has the normal one as its limit
(`scoredag.regression.log_density`). g and the density have paid for their freedom in nats, and are
taken only where they lower the loss.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoredag.order.local_score import FitCache
from scoredag.order.local_scores.gp import GaussianProcessScore
from scoredag.regression.free_noise import Noise, fit_noise
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.log_density import log_density, spread_ties
from scoredag.regression.log_scale import fit_log_scale, scale_features
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

    Notes
    -----
    Hyper-parameters of f are fitted with normal noise of constant scale; only the comparison of
    fits has free noise. Columns with few distinct or many equal values count with normal noise of
    constant scale. Not for tables with fewer than about a hundred rows, where neither scale nor
    density can be told.

    References
    ----------
    A. Immer et al. On the identifiability and estimation of causal location-scale noise models.
    ICML 2023. N. Friedman and I. Nachman. Gaussian process networks. UAI 2000.

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
        self, X: Floats, rows: int | None = None, settings: SearchSettings = SEARCH
    ) -> None:
        super().__init__(X, rows, settings)
        d = self.table.shape[1]
        self._has_density = [spread_ties(x, settings) is not None for x in self.table.T]
        gains = [log_density(column, settings).gain for column in self.table.T]
        self._null_fits = tuple(replace(GPFit.null(d), loss=-gain) for gain in gains)
        self._cache = FitCache(self._null_fits)
        # The last noise of each node: exploring a node asks twice for that of its best fit.
        self._noises: dict[int, tuple[GPFit, Noise]] = {}

    @cached_property
    def _features(self) -> tuple[Floats, ...]:
        return tuple(scale_features(column, self._settings) for column in self.table.T)

    def noise(self, node: int, fit: GPFit) -> Noise:
        """Scale and density of the noise of a node under a fit."""
        known = self._noises.get(node)
        if known is not None and known[0] is fit:
            return known[1]
        features = [self._features[k] for k in sorted(fit.parents)]
        best = fit_noise([self.table], node, fit, features, self._settings)
        self._noises[node] = fit, best
        return best

    def residuals(self, node: int, fit: GPFit, rows: int | None = None) -> Floats:
        """Residuals of a node under a fit as if the noise had a constant scale, its mean one.

        Unlike the noise with a scale that varies, these residuals should not depend on any parent.
        """
        noise = self.noise(node, fit)
        variances = noise.variance * np.exp(noise.log_variance)
        share = float(np.mean(variances * noise.residuals**2))  # of the variance of the node
        return np.asarray(noise.residuals[:rows] * np.sqrt(share))

    def _extended(self, node: int, columns: frozenset[int], best: GPFit) -> GPFit:
        """Add the columns that change only the scale of the noise, the strongest first."""
        if not self._has_density[node]:
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
        noise = self.noise(node, fit)
        loss = noise.loss + self._settings.parent_cost * len(fit.parents)
        if not loss < null.loss:
            return null
        compared = replace(fit, loss=loss)
        self._noises[node] = compared, noise
        return compared


PIECE = FreeNoiseScore
