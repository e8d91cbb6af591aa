"""Which columns explain another one: relevances that maximise a penalised evidence.

Minimises L(a, r) + tau sum_k r_k over the amplitude a and the relevances r >= 0, L as in
`scoredag.regression.evidence`. In r itself, and not in its square or logarithm, the penalty makes
most irrelevant predictors exactly zero, from a start at which all are switched on; a relevance
that is zero stays there, so a warm start must switch on what it wants tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scoredag.regression.evidence import JointEvidence, standardise

Floats = NDArray[np.float64]

PENALTY = 2.0
# Nats that an explanation pays for each cause when it is compared with others.
COST = 2.0
# To begin with, the likeliest of these.
_LOG_AMPLITUDES = (-2.0, -0.5, 1.0)
_LOG_AMPLITUDE_BOUNDS = (-8.0, 14.0)
_LARGEST_RELEVANCE = 8.0
# A line has a smaller relevance and a vast amplitude. One that is not steep beside the noise is
# left to linear models: keeping all of them turned many edges the wrong way.
_SMALLEST_RELEVANCE = 0.04
_SMALLEST_SLOPE = 0.25
# A cause with less than this is taken out if the explanation is better without it.
_FAINT = 0.25
# The objective is in units of so many nats a row. The first step is as long as the gradient: in
# nats, it switches everything off at once, where the gradient vanishes.
_UNIT = 0.3
# Nats that a step must gain, and that the next one must promise once steps gain less than a nat,
# or the search ends; more where much is explained already.
_TOLERANCE = 0.1
_SHORT = 1.0
_FAILED = 1e10


@dataclass(frozen=True)
class Explanation:
    """A Gaussian process for one column.

    Attributes
    ----------
    causes : frozenset of int
        The columns with a relevance above zero.
    loss : float
        L(a, r) in nats and 2 for each cause; 0 without any, and less with those that matter.
    log_amplitude : float
        Logarithm of the variance of the function over that of the noise.
    relevances : ndarray of shape (d,)
        One for each column of the table.
    """

    causes: frozenset[int]
    loss: float
    log_amplitude: float
    relevances: Floats

    @classmethod
    def none(cls, d: int) -> Explanation:
        """No cause at all."""
        return cls(frozenset(), 0.0, 0.0, np.zeros(d))


def explain(
    X: Floats,
    target: int,
    start: Floats,
    *,
    log_amplitude: float | None = None,
    penalty: float = PENALTY,
    cost: float = COST,
    max_steps: int = 40,
    early: bool = True,
) -> Explanation:
    """Maximise the penalised evidence of a column from a start.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table, standardised.
    target : int
        The column to explain.
    start : ndarray of shape (d,)
        Relevances to begin with; a column at 0 is left out.
    log_amplitude : float, optional
        Where the amplitude begins; by default at the most likely of a few.
    penalty : float, default=2.0
        tau. Between 1 and 3 the causes found hardly differ; at 0 irrelevant ones stay in.
    cost : float, default=2.0
        Nats that the loss has for each cause.
    max_steps : int, default=40
        Most iterations of L-BFGS; each takes about one evaluation of the gradient.
    early : bool, default=True
        Whether to end where the next step seems to gain less than a tenth of a nat. A rule of
        thumb, which saves an eighth of the gradients and does not see flat directions, in which a
        nat or two can be left: not for losses that are to be evidence.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.regression.evidence import standardise
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(200, 3))
    >>> y = np.sin(2 * x[:, 0]) * x[:, 1] + 0.3 * rng.normal(size=200)
    >>> table = standardise(np.column_stack([x, y]))
    >>> sorted(explain(table, target=3, start=np.array([0.7, 0.7, 0.7, 0.0])).causes)
    [0, 1]
    """
    predictors = np.flatnonzero(start)
    if not len(predictors):
        return Explanation.none(len(start))
    evidence = JointEvidence(X[:, predictors], standardise(X[:, target]))
    unit = _UNIT * len(X)
    limits = [_LOG_AMPLITUDE_BOUNDS] + [(0.0, _LARGEST_RELEVANCE)] * len(predictors)
    tried, reached = list[_Point](), list[_Point]()

    def objective(theta: Floats) -> tuple[float, Floats]:
        r = theta[1:]
        value, by_log_amplitude, by_relevances = evidence.slope(theta[0], r)
        if not np.isfinite(value):
            return _FAILED, np.zeros_like(theta)  # the line search steps back
        slope = np.append(by_log_amplitude, by_relevances + penalty)
        tried.append(_Point(theta.copy(), value + penalty * float(r.sum()), slope))
        return tried[-1].loss / unit, slope / unit

    def stop_at_the_bottom(_: Floats) -> None:
        before = reached[-1] if reached else tried[0]
        reached.append(tried[-1])  # a step ends at the last place that it tried
        if _at_the_bottom(before, reached[-1], limits):
            raise StopIteration

    if log_amplitude is None:
        begun = {a: evidence.value(a, start[predictors]) for a in _LOG_AMPLITUDES}
        log_amplitude = min(begun, key=lambda a: begun[a])
    best = minimize(
        objective,
        np.append(log_amplitude, start[predictors]),
        jac=True,
        method="L-BFGS-B",
        bounds=limits,
        callback=stop_at_the_bottom if early else None,
        options={"maxiter": max_steps, "ftol": _TOLERANCE / unit, "maxcor": 15},
    )
    log_amplitude, relevances = float(best.x[0]), best.x[1:]

    def loss_of(r: Floats) -> float:
        return evidence.value(log_amplitude, r) + cost * int(np.count_nonzero(r))

    slopes = np.exp(log_amplitude) * relevances**2  # prior variances, in units of the noise's
    seen = (relevances > _SMALLEST_RELEVANCE) | (slopes > _SMALLEST_SLOPE)
    loss = unit * float(best.fun) - penalty * float(relevances.sum()) + cost * len(predictors)
    if not seen.all():
        relevances = np.where(seen, relevances, 0.0)
        loss = loss_of(relevances)
    kept, loss = _without_faint(relevances, loss, loss_of)
    if not loss < 0:
        return Explanation.none(len(start))
    found = np.zeros(len(start))
    found[predictors] = kept
    return Explanation(frozenset(np.flatnonzero(found).tolist()), loss, log_amplitude, found)


class _Point(NamedTuple):
    """Hyper-parameters, the penalised loss in nats and its gradient."""

    theta: Floats
    loss: float
    slope: Floats


def _at_the_bottom(before: _Point, here: _Point, limits: list[tuple[float, float]]) -> bool:
    """Whether steps have become short and the next one promises next to nothing.

    It promises what a parabola does that is as steep here, and curved as along the last step.
    What a limit holds back promises nothing.
    """
    if before.loss - here.loss > _SHORT:
        return False
    lowest, highest = np.transpose(limits)
    held = (here.theta <= lowest) & (here.slope > 0) | (here.theta >= highest) & (here.slope < 0)
    free = ~held
    step, bend = (here.theta - before.theta)[free], (here.slope - before.slope)[free]
    slope = here.slope[free]
    return bool(0.5 * (slope @ slope) * (step @ step) < _TOLERANCE * (step @ bend))


def _without_faint(
    relevances: Floats, loss: float, loss_of: Callable[[Floats], float]
) -> tuple[Floats, float]:
    """Take out small relevances, the smallest first, where that lowers the loss."""
    for k in np.argsort(relevances, kind="stable"):
        if 0 < relevances[k] < _FAINT:
            rest = relevances.copy()
            rest[k] = 0.0
            rest_loss = loss_of(rest)
            if rest_loss < loss:
                relevances, loss = rest, rest_loss
    return relevances, loss
