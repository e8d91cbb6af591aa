"""Newton's method for smoothing parameters, on the log scale, within bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from scoredag.regression.penalised import PenalisedProblem, PenalisedSolution

Floats = NDArray[np.float64]
Criterion = Callable[[PenalisedSolution], tuple[float, Floats, Floats]]

# A penalty is 1 for the least rough of a term's curved directions (see SplineBasis): beyond the
# upper bound a term is a straight line, below the lower one it is unpenalised.
_LARGEST = np.log(1e8)
_NEGLIGIBLE_WEIGHT = 1e-7
_LONGEST_STEP = 5.0
_SMALLEST_GAIN = 1e-5
# Where the model is convex, the gain left after a step is about the square of the gain before it:
# a step with a smaller predicted gain is the last one, and is taken without evaluating it.
_LAST_GAIN = 1e-2
# A term with fewer penalised degrees of freedom than this, and decreasing, becomes a line at once.
_VANISHING_EDF = 0.3


def smooth(
    problem: PenalisedProblem, criterion: Criterion, max_steps: int = 50
) -> PenalisedSolution:
    """Find a local minimum of a smoothing criterion, from a start of moderate smoothness.

    Stops where the next step would gain less than about 1e-4, in units of twice a log likelihood.
    """
    upper = np.full(len(problem.starts), _LARGEST)
    roughest = np.maximum.reduceat(problem.penalty, problem.starts)
    lower = np.log(_NEGLIGIBLE_WEIGHT / np.maximum(roughest, 1.0))
    solution = problem.solve(_moderate(problem))
    first = criterion(solution)
    if not (isinstance(first, tuple) and len(first) == 3):
        raise TypeError(
            "smoothing must return a value, its gradient and its Hessian (see "
            f"regression/smoothing); got {type(first).__name__}"
        )
    value, gradient, hessian = first
    for _ in range(max_steps):
        here = solution.log_lambda
        free = _free(problem, here, gradient, lower, upper)
        step, gain, convex = _newton_step(gradient, hessian, free)
        if gain < _SMALLEST_GAIN:
            break
        if convex and gain < _LAST_GAIN:
            return problem.solve(np.clip(here + step, lower, upper))
        vanishing = free & (gradient < 0) & (problem.ranks - solution.shrinkage < _VANISHING_EDF)
        for target in _targets(here, step, np.where(vanishing, upper - here, step)):
            candidate = problem.solve(np.clip(target, lower, upper))
            evaluated = criterion(candidate)
            if evaluated[0] < value:
                break
        else:
            break  # no step gains: a minimum up to rounding errors
        solution, (value, gradient, hessian) = candidate, evaluated
    return solution


def _moderate(problem: PenalisedProblem) -> Floats:
    """Smoothing parameters that shrink the middle one of a term's curved directions by half.

    A start relative to the smallest penalty would be far off where x has long tails: the penalties
    of a term then differ by many orders of magnitude.
    """
    middle = problem.starts + np.bincount(problem.term_of) // 2  # penalties are sorted
    return -np.log(np.maximum(problem.penalty[middle], 1.0))


def _free(
    problem: PenalisedProblem, here: Floats, gradient: Floats, lower: Floats, upper: Floats
) -> NDArray[np.bool_]:
    """Terms that have a penalty and no active bound."""
    held = ((here >= upper) & (gradient <= 0)) | ((here <= lower) & (gradient >= 0))
    return ~held & (problem.ranks > 0)


def _newton_step(
    gradient: Floats, hessian: Floats, free: NDArray[np.bool_]
) -> tuple[Floats, float, bool]:
    """Step in the free terms, gain predicted by the quadratic model, whether this is convex."""
    step = np.zeros(len(gradient))
    if not free.any():
        return step, 0.0, True
    slope, curvature = gradient[free], hessian[free][:, free]
    _, downhill, info = lapack.dposv(curvature, -slope)
    if info != 0:  # not convex here: mirror the negative curvatures, which still goes downhill
        values, axes = np.linalg.eigh(curvature)
        downhill = -axes @ ((axes.T @ slope) / np.maximum(np.abs(values), 1e-9))
    step[free] = downhill
    gain = -0.5 * float(slope @ downhill)
    return step * min(1.0, _LONGEST_STEP / np.abs(step).max()), gain, info == 0


def _targets(here: Floats, step: Floats, bold_step: Floats) -> list[Floats]:
    """Points to try: the bold step first, then Newton steps of decreasing length."""
    bold = [here + bold_step] if not np.array_equal(step, bold_step) else []
    return bold + [here + step * 0.35**halvings for halvings in range(8)]
