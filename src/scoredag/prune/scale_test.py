"""Which parents change the scale of a node's noise, and by how much the noise varies.

A parent of the scale alone leaves the mean of a node as it is: y = g(x) e. In a location-scale
model the parent is a cause all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.data.margins import normal_scores
from scoredag.regression.free_noise import fit_noise
from scoredag.regression.gp_fit import GPFit
from scoredag.regression.log_scale import fit_log_scale, scale_features
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScaleEstimate:
    """The scale of the noise of a node as a function of its parents.

    Attributes
    ----------
    log_variance : ndarray of shape (n,)
        log g^2 of each row, with mean 0.
    squares : ndarray of shape (n,)
        Squared residuals, before they were divided by g.
    features : dict of ndarray of shape (n, q)
        For each parent the features of `scoredag.regression.log_scale`.
    settings : SearchSettings
        Tuned numbers.
    """

    log_variance: Floats
    squares: Floats
    features: dict[int, Floats]
    settings: SearchSettings = SEARCH

    def parents_beside(self, kept: Iterable[int], least: float, level: float) -> dict[int, float]:
        """Parents that change the scale and are not kept already, each with its evidence in nats.

        Backward elimination: the weakest is removed until each has at least ``least`` nats, and is
        significant at a level by the ranks of the squares, too. A few large squares of heavy-tailed
        noise, wherever they fall, can be worth many nats; of their ranks they are a few.
        """
        kept = frozenset(kept)
        used = set(self.features)
        while beside := sorted(used - kept):
            gain = self._gain(used)
            evidence = {k: gain - self._gain(used - {k}) for k in beside}
            for k in beside:
                if not self._rank_p_value(k, used - {k}) < level:
                    evidence[k] = min(evidence[k], 0.0)
            weakest = min(beside, key=lambda k: evidence[k])
            if evidence[weakest] >= least:
                return evidence
            used.remove(weakest)
        return {}

    def _rank_p_value(self, parent: int, others: Iterable[int]) -> float:
        """p-value of a parent beside others: F test of the normal quantiles of the squares' ranks.

        The ranks of the squares of independent noise have the same distribution whatever the noise.
        """
        y = normal_scores(self.squares[:, None])[:, 0]
        rest = np.hstack([np.ones((len(y), 1)), *(self.features[k] for k in sorted(others))])
        both = np.hstack([rest, self.features[parent]])
        residual = [float(np.sum((y - Z @ np.linalg.lstsq(Z, y)[0]) ** 2)) for Z in (rest, both)]
        extra, freedom = both.shape[1] - rest.shape[1], len(y) - both.shape[1]
        if extra < 1 or freedom < 1 or not residual[1] > 0:
            return 1.0
        ratio = (residual[0] - residual[1]) / extra / (residual[1] / freedom)
        return float(stats.f.sf(ratio, extra, freedom))

    def _gain(self, parents: Iterable[int]) -> float:
        features = [self.features[k] for k in sorted(parents)]
        return fit_log_scale(features, self.squares, self.settings).gain


def estimate_scale(
    blocks: Sequence[Floats], node: int, fit: GPFit, settings: SearchSettings = SEARCH
) -> ScaleEstimate | None:
    """Estimate the scale of a node's noise from the residuals of a fit; None if it is constant.

    Parameters
    ----------
    blocks : sequence of ndarray of shape (n_k, d)
        Rows of a standardised table.
    node : int
        The node.
    fit : GPFit
        Hyper-parameters and parents.
    settings : SearchSettings
        Tuned numbers.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 300))
    >>> fit = GPFit(frozenset({0}), 0.0, 0.0, np.zeros(2), scale_parents=frozenset({0}))
    >>> estimate_scale([np.column_stack([x, e])], 1, fit) is None
    True
    >>> varying = estimate_scale([np.column_stack([x, np.exp(x) * e])], 1, fit)
    >>> varying.parents_beside([], least=5.0, level=0.01)[0] > 50
    True
    """
    if not fit.parents:
        return None
    X = np.vstack(blocks)
    features = {k: scale_features(X[:, k], settings) for k in sorted(fit.parents)}
    noise = fit_noise(blocks, node, fit, list(features.values()), settings)
    if not noise.log_variance.any():
        return None
    squares = noise.residuals**2 * np.exp(noise.log_variance)
    return ScaleEstimate(noise.log_variance, squares, features, settings)
