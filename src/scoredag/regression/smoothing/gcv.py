"""Generalised cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.penalised import PenalisedSolution

Floats = NDArray[np.float64]


def gcv(solution: PenalisedSolution) -> tuple[float, Floats, Floats]:
    """N log of the GCV score, n RSS / (n - tr F - 1)^2, up to a constant.

    The default of R's mgcv (Wood 2004, JASA 99:673). Has local minima and undersmooths more
    often than REML; for comparison with published CAM results.
    """
    n = solution.problem.n_rows
    rss, rss1, rss2 = _residual_square(solution)
    dof, dof1, dof2 = _residual_dof(solution)
    value = np.log(rss) - 2 * np.log(dof)
    gradient = rss1 / rss - 2 * dof1 / dof
    hessian = rss2 / rss - np.outer(rss1, rss1) / rss**2
    hessian -= 2 * (dof2 / dof - np.outer(dof1, dof1) / dof**2)
    return float(n * value), n * gradient, n * hessian


def _residual_square(solution: PenalisedSolution) -> tuple[float, Floats, Floats]:
    """RSS and its derivatives: with V_j = M^-1 g_j and w their sum, dRSS_j = 2 w'g_j."""
    by_term = solution.problem.sum_by_term
    g, V, S = solution.pull, solution.pull_response, solution.weights
    w = V.sum(axis=1)
    first = 2 * by_term(g * w)
    crossed = by_term((S * w)[:, None] * V)  # [i, j] = w' lambda_i S_i V_j
    pulled = by_term(g[:, None] * V)  # [i, j] = g_i' V_j
    second = 2 * (pulled - crossed - crossed.T - V.T @ (S[:, None] * V)) + np.diag(first)
    return solution.residual_square, first, second


def _residual_dof(solution: PenalisedSolution) -> tuple[float, Floats, Floats]:
    """Residual degrees of freedom, n - 1 - tr F = n - 1 - Q + sum_j t_j, and its derivatives."""
    t, T, S = solution.shrinkage, solution.traces, solution.weights
    U = solution.inverse @ (S[:, None] * solution.inverse)  # M^-1 S_lambda M^-1
    triple = (solution.inverse * U) @ solution.spread(S)
    triple = solution.problem.sum_by_term(S[:, None] * triple)  # tr(M^-1 S_i U S_j)
    first = t - T.sum(axis=0)
    second = np.diag(first) - 2 * T + 2 * triple
    return solution.residual_df, first, second


PIECE = gcv
