"""Which columns explain another one: relevances that maximise a penalised evidence.

Minimises L(a, r) + tau sum_k r_k over the amplitude a and the relevances r >= 0, L as in
`scoredag.regression.evidence`. In r itself, and not in its square or logarithm, the penalty makes
most irrelevant predictors exactly zero, from a start at which all are switched on; a relevance
that is zero stays there, so a warm start must switch on what it wants tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scoredag.regression.evidence import JointEvidence

Floats = NDArray[np.float64]

PENALTY = 2.0
# Nats that an explanation pays for each cause when it is compared with others.
COST = 2.0
_LOG_AMPLITUDE = 0.7
_LOG_AMPLITUDE_BOUNDS = (-8.0, 14.0)
_LARGEST_RELEVANCE = 8.0
# A line has a smaller relevance and a vast amplitude. One that is not steep beside the noise is
# left to linear models: keeping all of them turned many edges the wrong way.
_SMALLEST_RELEVANCE = 0.04
_SMALLEST_SLOPE = 0.25
# A relative change of L below which the search ends: a nat or less.
_TOLERANCE = 1e-3
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
        return cls(frozenset(), 0.0, _LOG_AMPLITUDE, np.zeros(d))


def explain(
    X: Floats,
    target: int,
    start: Floats,
    *,
    log_amplitude: float = _LOG_AMPLITUDE,
    penalty: float = PENALTY,
    max_steps: int = 40,
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
    log_amplitude : float, default=0.7
        Where the amplitude begins.
    penalty : float, default=2.0
        tau. Between 1 and 3 the causes found hardly differ; at 0 irrelevant ones stay in.
    max_steps : int, default=40
        Most iterations of L-BFGS; each takes about one evaluation of the gradient.

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
    evidence = JointEvidence(X[:, predictors], X[:, target])

    def objective(theta: Floats) -> tuple[float, Floats]:
        r = theta[1:]
        value, by_log_amplitude, by_relevances = evidence.slope(theta[0], r)
        if not np.isfinite(value):
            return _FAILED, np.zeros_like(theta)  # the line search steps back
        return value + penalty * r.sum(), np.append(by_log_amplitude, by_relevances + penalty)

    best = minimize(
        objective,
        np.append(log_amplitude, start[predictors]),
        jac=True,
        method="L-BFGS-B",
        bounds=[_LOG_AMPLITUDE_BOUNDS] + [(0.0, _LARGEST_RELEVANCE)] * len(predictors),
        options={"maxiter": max_steps, "ftol": _TOLERANCE, "maxcor": 15},
    )
    relevances = np.zeros(len(start))
    slopes = np.exp(best.x[0]) * best.x[1:] ** 2  # prior variances, in units of the noise's
    seen = (best.x[1:] > _SMALLEST_RELEVANCE) | (slopes > _SMALLEST_SLOPE)
    relevances[predictors] = np.where(seen, best.x[1:], 0.0)
    causes = frozenset(np.flatnonzero(relevances).tolist())
    loss = float(best.fun) - penalty * float(best.x[1:].sum()) + COST * len(causes)
    if (relevances[predictors] != best.x[1:]).any():
        loss = evidence.value(float(best.x[0]), relevances[predictors]) + COST * len(causes)
    if not loss < 0:
        return Explanation.none(len(start))
    return Explanation(causes, loss, float(best.x[0]), relevances)
