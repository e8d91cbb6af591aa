"""Restricted maximum likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.penalised import PenalisedSolution

Floats = NDArray[np.float64]


def reml(solution: PenalisedSolution) -> tuple[float, Floats, Floats]:
    """Minus twice the restricted log likelihood, the noise variance profiled out.

    (n - m) log D + log |M| - sum_j rank(S_j) log lambda_j, with D = ||y - Z beta||^2 + beta'
    S_lambda beta and m the number of unpenalised coefficients (Wood 2011, JRSS B 73:3). Since
    dD / d log lambda_j = beta' lambda_j S_j beta, its zero is the fixed point of the
    Fellner-Schall update. Less prone than GCV to undersmooth.
    """
    problem = solution.problem
    m = 1 + len(problem.penalty) - problem.ranks.sum()
    dof = problem.n_rows - m
    D = solution.penalised_square
    roughness = problem.sum_by_term(solution.pull * solution.beta)  # dD / d log lambda
    coupling = problem.sum_by_term(solution.pull[:, None] * solution.pull_response)
    value = dof * np.log(D) + solution.log_det - problem.ranks @ solution.log_lambda
    gradient = dof * roughness / D + solution.shrinkage - problem.ranks
    hessian = -dof * (2 * coupling / D + np.outer(roughness, roughness) / D**2) - solution.traces
    hessian.flat[:: len(gradient) + 1] += dof * roughness / D + solution.shrinkage
    return float(value), gradient, hessian


PIECE = reml
