"""The effect of one of several parents in a Gaussian process: partial dependence and its spread.

With b = M^-1 y the fitted function is f(x) = a sum_m b_m exp(-1/2 sum_k r_k^2 (x_k - x_mk)^2). The
kernel is the product of a factor G of the parent and a factor H of the others. So the curve of one
row (individual conditional expectation: the parent varies, the others keep the values of that row)
is a row of a (H * b) G', and the average over the rows costs as much as any one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Floats = NDArray[np.float64]

_POINTS = 60
_MOST_CURVES = (0.1, 0.9)
_ROWS_FOR_SIZE = 200


@dataclass(frozen=True)
class JointModel:
    """A Gaussian process for one node, as in `scoredag.regression.gp_evidence`.

    Attributes
    ----------
    X, y : ndarray of shape (n, p) and (n,)
        The parents and the node, standardised.
    log_amplitude, relevances : float and ndarray of shape (p,)
        The hyper-parameters.
    centres, spreads : ndarray of shape (p,)
        Means and standard deviations of the parents, in their own units.
    spread : float
        Standard deviation of the node.
    """

    X: Floats
    y: Floats
    log_amplitude: float
    relevances: Floats
    centres: Floats
    spreads: Floats
    spread: float


@dataclass(frozen=True)
class JointEffect:
    """Fitted effect of one parent that acts jointly with others.

    Has the attributes of `scoredag.prune.Effect`, computed on first access, and also `low` and
    `high`. A single parent has neither a test nor degrees of freedom here: `edf` and `p_value` are
    NaN. Where parents depend strongly on each other, curves extrapolate to values without rows.

    Attributes
    ----------
    span : tuple of float
        The values of the parent between which the curves are drawn.
    marks : ndarray
        Quantiles of the parent, which show where there are data.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.prune import gp_prune
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 300))
    >>> y = x * z + 0.3 * rng.normal(size=300)
    >>> result = gp_prune(np.column_stack([x, z, y]), [[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    >>> effect = result.effects[0, 2]
    >>> bool(np.abs(effect.y).max() < 0.5), bool(effect.high.max() > 2), round(effect.size, 1)
    (True, True, 1.0)
    """

    span: tuple[float, float]
    marks: Floats = field(repr=False)
    model: JointModel = field(repr=False)
    position: int = field(repr=False)  # of the parent in the model
    edf: float = float("nan")
    p_value: float = float("nan")

    @cached_property
    def x(self) -> Floats:
        """Values of the parent, in its own units: a grid over the middle 99 percent of them."""
        return np.linspace(*self.span, _POINTS)

    @property
    def y(self) -> Floats:
        """Partial dependence: the average curve of all rows, in the units of the node, centred."""
        return self._drawn.y

    @property
    def standard_error(self) -> Floats:
        """Standard error of `y`, with the hyper-parameters taken as given."""
        return self._drawn.standard_error

    @property
    def low(self) -> Floats:
        """10% quantile of the curves of all rows at each value of the parent."""
        return self._drawn.low

    @property
    def high(self) -> Floats:
        """90% quantile of the curves of all rows at each value of the parent."""
        return self._drawn.high

    @property
    def size(self) -> float:
        """Standard deviation of a row's curve (root mean square) over that of the node."""
        return self._drawn.size

    @cached_property
    def _drawn(self) -> _Drawing:
        """All curves at once: they share one factorisation, which is too large to keep."""
        model, k = self.model, self.position
        amplitude, n = float(np.exp(model.log_amplitude)), len(model.y)
        scaled = model.X * model.relevances
        others = np.delete(scaled, k, axis=1)
        H, G_rows = _kernel(others, others), self._seen_at(model.X[:, k])
        factor = cho_factor(amplitude * H * G_rows + np.eye(n), lower=True, overwrite_a=True)
        b = cho_solve(factor, model.y)
        # A curve of each row, minus its own average over the values of the parent.
        G, G_mean = self._seen_at(self._standard(self.x)), G_rows.mean(axis=0)
        weights = amplitude * H * b
        curves = weights @ (G - G_mean).T
        moved = weights[:: max(1, n // _ROWS_FOR_SIZE)] @ G_rows.T
        # The average is linear in y: posterior variance = prior variance - explained variance.
        covariance = amplitude * (G - G_mean) * H.mean(axis=0)
        prior = amplitude * H.mean() * (1 - 2 * G.mean(axis=1) + G_mean.mean())
        posterior = np.maximum(
            prior - np.einsum("ij,ji->i", covariance, cho_solve(factor, covariance.T)), 0.0
        )
        noise = float(model.y @ b) / n
        low, high = np.quantile(curves, _MOST_CURVES, axis=0)
        return _Drawing(
            y=model.spread * curves.mean(axis=0),
            standard_error=model.spread * np.sqrt(noise * posterior),
            low=model.spread * low,
            high=model.spread * high,
            size=float(np.sqrt(moved.var(axis=1).mean())),
        )

    def _standard(self, values: Floats) -> Floats:
        return (values - self.model.centres[self.position]) / self.model.spreads[self.position]

    def _seen_at(self, values: Floats) -> Floats:
        """G between standardised values of the parent and the rows."""
        relevance, rows = self.model.relevances[self.position], self.model.X[:, self.position]
        return _kernel(relevance * values[:, None], relevance * rows[:, None])


class _Drawing(NamedTuple):
    y: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    size: float


def _kernel(A: Floats, B: Floats) -> Floats:
    squares = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * A @ B.T
    return np.asarray(np.exp(-0.5 * np.maximum(squares, 0.0)))
