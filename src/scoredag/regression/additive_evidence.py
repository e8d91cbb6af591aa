"""The evidence of a sum of smooth functions, on the scale of `scoredag.regression.gp_evidence`.

Every predictor has a straight line of variance v_k and a smoothing spline of amplitude w_k, both
relative to the noise, which is profiled out. With F the spline columns scaled by their prior
standard deviations, B = I + F'F, m = B^-1 F'y and Q = y'y - y'F m, Woodbury's identities give

    L = n/2 log(Q / n) + 1/2 log |B|,
    dL / d log v_g = 1/2 sum_{j in g} (1 - (B^-1)_jj - n / Q m_j^2),

all from the inner products of an `AdditiveDesign`: the time does not grow with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scoredag.regression.additive import AdditiveDesign

Floats = NDArray[np.float64]

_LOG_VARIANCE_BOUNDS = (-16.0, 12.0)


def additive_evidence(design: AdditiveDesign, target: int, predictors: Sequence[int]) -> float:
    """Least negative log marginal likelihood of a column as a sum of functions of others.

    Parameters
    ----------
    design : AdditiveDesign
        Design of a table with columns of unit variance.
    target : int
        The response.
    predictors : sequence of int
        The columns on which the response depends.

    Returns
    -------
    float
        In nats; 0 without predictors.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.regression.bases.cubic import cubic
    >>> from scoredag.data.standardise import standardise
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 2))
    >>> y = np.sin(2 * x[:, 0]) + x[:, 1] + 0.5 * rng.normal(size=300)
    >>> design = AdditiveDesign.of(standardise(np.column_stack([x, y])), [0, 1], cubic, 10)
    >>> additive_evidence(design, 2, [0, 1]) < additive_evidence(design, 2, [0]) < 0
    True
    """
    if not len(predictors):
        return 0.0
    gram, cross, spread, group = _parts(design, target, predictors)
    n, square = design.n_rows, float(design.squares[target])

    def objective(log_variances: Floats) -> tuple[float, Floats]:
        scale = spread * np.exp(0.5 * log_variances[group])
        B = gram * np.outer(scale, scale)
        B.flat[:: len(B) + 1] += 1.0
        inverse = np.linalg.inv(B)
        m = inverse @ (scale * cross)
        Q = max(square - float(scale * cross @ m), 1e-12 * square)
        value = 0.5 * n * np.log(Q / square) + 0.5 * np.linalg.slogdet(B)[1]
        slopes = 0.5 * (1.0 - inverse.diagonal() - n / Q * m**2)
        return float(value), np.bincount(group, slopes).astype(np.float64)

    start = np.zeros(2 * len(predictors))
    best = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[_LOG_VARIANCE_BOUNDS] * len(start),
        options={"maxiter": 60, "ftol": 1e-6},
    )
    return min(float(best.fun), 0.0)


def _parts(
    design: AdditiveDesign, target: int, predictors: Sequence[int]
) -> tuple[Floats, Floats, Floats, NDArray[np.intp]]:
    """Inner products, prior standard deviations at unit variance, and groups of coefficients."""
    gram, cross = design.inner_products(target, predictors)
    spreads, groups = [], []
    for number, k in enumerate(predictors):
        penalty = design.basis(k).penalty
        variances = np.append(1.0, 1.0 / penalty[1:])
        variances[1:] /= max(variances[1:].sum(), np.finfo(float).tiny)
        spreads.append(np.sqrt(design.n_rows * variances))  # columns have length 1, not sqrt(n)
        groups.append(np.append(2 * number, np.full(len(penalty) - 1, 2 * number + 1)))
    return gram, cross, np.concatenate(spreads), np.concatenate(groups)
