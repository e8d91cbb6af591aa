"""Fit a Gaussian process to one column: relevances that maximise a penalised evidence.

Minimises L(a, r) + tau sum_k r_k over the amplitude a and the relevances r >= 0, L as in
`scoredag.regression.gp_evidence`. A penalty on r itself, not on its square or logarithm, sets most
irrelevant relevances to exactly zero. Zero is a stationary point: a relevance that starts there
stays there, so a start must give every candidate a positive relevance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scoredag.data.standardise import standardise
from scoredag.jobs import stop_if_interrupted
from scoredag.regression.gp_evidence import JointEvidence
from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]

_FAILED = 1e10  # objective where a factorisation fails: the line search steps back


@dataclass(frozen=True, eq=False)
class GPFit:
    """A Gaussian process for one column: a local fit with hyper-parameters.

    Attributes
    ----------
    parents : frozenset of int
        The columns with a relevance above zero, and ``scale_parents``.
    loss : float
        L(a, r) in nats plus the cost of each parent; 0 without parents. With free noise the gains
        of scale and density are subtracted, also without parents.
    log_amplitude : float
        Logarithm of the variance of the function over that of the noise.
    relevances : ndarray of shape (d,)
        One for each column of the table.
    scale_parents : frozenset of int
        The parents with a relevance of zero, which change only the scale of the noise.
    post_nonlinear : bool
        Whether the response is the normal quantiles of the ranks of the column and not the column
        itself: the column is then an increasing function of a sum of function and noise.
    raw_parents : bool
        Whether parents with heavy tails entered by their own values, where they usually enter by
        rank.
    linear : bool
        Whether the function is linear (`scoredag.regression.lines`); the hyper-parameters are then
        those of a Gaussian process that comes close to the line.
    """

    parents: frozenset[int]
    loss: float
    log_amplitude: float
    relevances: Floats
    scale_parents: frozenset[int] = frozenset()
    post_nonlinear: bool = False
    raw_parents: bool = False
    linear: bool = False

    @property
    def mean_parents(self) -> frozenset[int]:
        """The parents on which the mean of the column depends."""
        return self.parents - self.scale_parents

    @classmethod
    def null(cls, d: int) -> GPFit:
        """The fit without parents.

        Examples
        --------
        >>> GPFit.null(3).loss
        0.0
        """
        return cls(frozenset(), 0.0, 0.0, np.zeros(d))

    def without(self, parent: int) -> GPFit:
        """The same hyper-parameters without one parent; the loss is not recomputed."""
        relevances = self.relevances.copy()
        relevances[parent] = 0.0
        return GPFit(self.parents - {parent}, self.loss, self.log_amplitude, relevances)


def fit_gp(
    X: Floats,
    target: int,
    start: Floats,
    *,
    log_amplitude: float | None = None,
    penalty: float | None = None,
    cost: float | None = None,
    max_steps: int | None = None,
    early: bool = True,
    keep: frozenset[int] = frozenset(),
    log_variance: Floats | None = None,
    settings: SearchSettings = SEARCH,
) -> GPFit:
    """Maximise the penalised evidence of a column from a start.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table, standardised.
    target : int
        The column to fit.
    start : ndarray of shape (d,)
        Relevances to start from; a column at 0 is left out.
    log_amplitude : float, optional
        Start of the logarithm of the amplitude; by default the likeliest of a few.
    penalty : float, optional
        tau, in nats for each unit of relevance; by default that of the settings. At 0 irrelevant
        columns stay in.
    cost : float, optional
        Cost of each parent in the loss, in nats; by default that of the settings.
    max_steps : int, optional
        Most iterations of L-BFGS; each takes about one evaluation of the gradient.
    early : bool, default=True
        Early stopping: predict the gain of the next step and skip the step if the gain is small.
        Saves an eighth of the gradients, and misses flat directions, in which one or two nats can
        remain: not for losses that serve as evidence.
    keep : frozenset of int, default=frozenset()
        Parents that are kept whatever their relevance, such as required ones.
    log_variance : ndarray of shape (n,), optional
        Logarithms of the variances of the noise: see `JointEvidence`. Constant by default.
    settings : SearchSettings
        Bounds, tolerances and starting values.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.data.standardise import standardise
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(200, 3))
    >>> y = np.sin(2 * x[:, 0]) * x[:, 1] + 0.3 * rng.normal(size=200)
    >>> table = standardise(np.column_stack([x, y]))
    >>> sorted(fit_gp(table, target=3, start=np.array([0.7, 0.7, 0.7, 0.0])).parents)
    [0, 1]
    """
    predictors = np.flatnonzero(start)
    if not len(predictors):
        return GPFit.null(len(start))
    penalty = settings.relevance_penalty if penalty is None else penalty
    cost = settings.parent_cost if cost is None else cost
    y = standardise(X[:, target])
    evidence = JointEvidence(X[:, predictors], y, log_variance, mixed=True, settings=settings)
    kept = np.isin(predictors, sorted(keep))
    lowest = np.where(kept, settings.smallest_relevance, 0.0)
    unit = settings.objective_unit * len(X)
    limits = [settings.log_amplitude_bounds, *((r, settings.largest_relevance) for r in lowest)]
    tried, reached = list[_Point](), list[_Point]()

    def objective(theta: Floats) -> tuple[float, Floats]:
        stop_if_interrupted()
        r = theta[1:]
        value, by_log_amplitude, by_relevances = evidence.slope(theta[0], r)
        if not np.isfinite(value):
            return _FAILED, np.zeros_like(theta)
        slope = np.append(by_log_amplitude, by_relevances + penalty)
        tried.append(_Point(theta.copy(), value + penalty * float(r.sum()), slope))
        return tried[-1].loss / unit, slope / unit

    def stop_early(_: Floats) -> None:
        before = reached[-1] if reached else tried[0]
        reached.append(tried[-1])  # L-BFGS accepts the last point that its line search tried
        if _next_step_is_vain(before, reached[-1], limits, settings):
            raise StopIteration

    if log_amplitude is None:
        losses = {a: evidence.value(a, start[predictors]) for a in settings.log_amplitudes}
        log_amplitude = min(losses, key=lambda a: losses[a])
    best = minimize(
        objective,
        np.append(log_amplitude, start[predictors]),
        jac=True,
        method="L-BFGS-B",
        bounds=limits,
        callback=stop_early if early else None,
        options={
            "maxiter": settings.most_steps if max_steps is None else max_steps,
            "ftol": settings.tolerance / unit,
            "maxcor": 15,
        },
    )
    log_amplitude, relevances = float(best.x[0]), best.x[1:]

    def loss_of(r: Floats) -> float:
        return evidence.value(log_amplitude, r) + cost * int(np.count_nonzero(r))

    slopes = np.exp(log_amplitude) * relevances**2  # prior variances, in units of the noise's
    seen = (relevances > settings.smallest_relevance) | (slopes > settings.smallest_slope) | kept
    loss = unit * float(best.fun) - penalty * float(relevances.sum()) + cost * len(predictors)
    if not seen.all():
        relevances = np.where(seen, relevances, 0.0)
        loss = loss_of(relevances)
    faint = (relevances < settings.faint_relevance) & ~kept
    relevances, loss = _drop_faint(relevances, faint, loss, loss_of)
    if not loss < 0 and not kept.any():
        return GPFit.null(len(start))
    found = np.zeros(len(start))
    found[predictors] = relevances
    return GPFit(frozenset(np.flatnonzero(found).tolist()), loss, log_amplitude, found)


class _Point(NamedTuple):
    """Hyper-parameters, the penalised loss in nats and its gradient."""

    theta: Floats
    loss: float
    slope: Floats


def _next_step_is_vain(
    before: _Point, here: _Point, limits: list[tuple[float, float]], settings: SearchSettings
) -> bool:
    """Whether the last gain was small and the predicted gain of the next step is negligible.

    The prediction is the minimum of a parabola with the current gradient and the curvature of the
    last step, over the parameters without an active bound.
    """
    if before.loss - here.loss > settings.short_step:
        return False
    lowest, highest = np.transpose(limits)
    held = (here.theta <= lowest) & (here.slope > 0) | (here.theta >= highest) & (here.slope < 0)
    free = ~held
    step, bend = (here.theta - before.theta)[free], (here.slope - before.slope)[free]
    slope = here.slope[free]
    return bool(0.5 * (slope @ slope) * (step @ step) < settings.tolerance * (step @ bend))


def _drop_faint(
    relevances: Floats,
    faint: NDArray[np.bool_],
    loss: float,
    loss_of: Callable[[Floats], float],
) -> tuple[Floats, float]:
    """Set faint relevances to zero, the smallest first, where that lowers the loss."""
    for k in np.argsort(relevances, kind="stable"):
        if faint[k] and relevances[k] > 0:
            rest = relevances.copy()
            rest[k] = 0.0
            rest_loss = loss_of(rest)
            if rest_loss < loss:
                relevances, loss = rest, rest_loss
    return relevances, loss
