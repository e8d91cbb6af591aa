"""Reversals by the negentropy of the residuals, after the search with normal noise.

If x -> y, x and the noise of y are independent, and their entropies add up to the joint entropy of
x and y; in the reverse direction the sum is larger. An edge is reversed where the negentropies of
the residuals clearly oppose it, and where the residuals are more independent of the parent after
the reversal. Linear edges with noise that is not normal are identified in this way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoredag.jobs import run_here
from scoredag.order.moves import Weighed, make_adjacent, reverse, weigh_reversal
from scoredag.order.residual_diagnostics import ResidualDiagnostics
from scoredag.order.search import (
    OrderProblem,
    SearchState,
    edges,
    explore_predecessors,
    is_reversible,
)
from scoredag.threads import one_blas_thread

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NoiseReport:
    """Diagnostics of the residuals of an order's fits.

    Attributes
    ----------
    independence : ndarray of shape (d, d)
        p-values of the hypothesis that the noise of j does not depend on its parent i, at [i, j];
        NaN where there is no edge. Small p-values contradict additive noise or this graph.
    share : ndarray of shape (d,)
        Share of the noise in the variance of each column.
    """

    independence: Floats
    share: Floats


def reverse_by_noise(
    state: SearchState, problem: OrderProblem, diagnostics: ResidualDiagnostics
) -> SearchState:
    """Reverse the edges that the negentropy of the residuals clearly opposes.

    An edge is reversed at most once, so that the sweeps terminate.
    """
    error = problem.settings.negentropy_error(diagnostics.n_rows)
    reversed_ = set[tuple[int, int]]()
    with one_blas_thread():
        for _ in range(problem.settings.most_sweeps):
            before = len(reversed_)
            for a, b in edges(state):
                if not is_reversible(state, problem, a, b):
                    continue
                state, gain = _weigh_with_noise(state, problem, diagnostics, a, b)
                opposed = gain > error and (a, b) not in reversed_
                if opposed and _fits_noise_better(state, problem, diagnostics, a, b):
                    state = _unsettle(reverse(state, problem, a, b), [a, b])
                    reversed_.add((b, a))
            if len(reversed_) == before:
                break
            # Nodes have other predecessors now, which may allow better fits.
            state = explore_predecessors(state, problem)
    return state


def noise_report(
    state: SearchState, problem: OrderProblem, diagnostics: ResidualDiagnostics
) -> NoiseReport:
    """Test the residuals of each column against its parents, and measure their variance."""
    d, rows = len(state.order), problem.settings.diagnostic_rows
    independence, share = np.full((d, d), np.nan), np.empty(d)

    def test(v: int) -> None:
        fit = problem.fit_in(state.order, v)
        share[v] = diagnostics.noise_share(v, fit, rows)
        if parents := sorted(fit.parents):
            independence[parents, v] = diagnostics.independence(v, fit, parents, rows)

    run_here((partial(test, v) for v in range(d)), problem.n_jobs)
    return NoiseReport(independence, share)


def _weigh_with_noise(
    state: SearchState, problem: OrderProblem, diagnostics: ResidualDiagnostics, a: int, b: int
) -> Weighed:
    """Gain in nats of reversing a -> b, the negentropy of the residuals included."""
    settings = problem.settings
    state = make_adjacent(state, problem, a, b)
    before = frozenset(state.order[: state.order.index(a)])
    if not state.settled[a, b]:
        state, _ = weigh_reversal(state, problem, a, b)

    def negentropies(first: int, second: int, rows: int | None) -> float:
        both = before | {first}
        of_first = diagnostics.negentropy(first, problem.best(first, before), rows)
        return of_first + diagnostics.negentropy(second, problem.best(second, both), rows)

    cost, gains = state.reversal_cost[a, b], state.negentropy_gain.copy()
    for rows in (settings.negentropy_rows, None):
        gain = negentropies(a, b, rows) - negentropies(b, a, rows)
        gains[a, b] = gain if np.isfinite(gain) else 0.0  # equal values have no density
        if cost + gains[a, b] > settings.negentropy_settled:
            break
    gains[b, a] = -gains[a, b]
    return Weighed(replace(state, negentropy_gain=gains), -float(cost + gains[a, b]))


def _fits_noise_better(
    state: SearchState, problem: OrderProblem, diagnostics: ResidualDiagnostics, a: int, b: int
) -> bool:
    """Whether b -> a leaves residuals that are independent of the parent, and more so than a -> b.

    If residuals depend on the parent in both directions, entropies do not identify the direction.
    """
    before = frozenset(state.order[: state.order.index(a)])
    after_reversal = problem.best(a, before | {b})
    if b not in after_reversal.parents:
        return False
    (p_after,) = diagnostics.independence(a, after_reversal, [b])
    (p_now,) = diagnostics.independence(b, problem.best(b, before | {a}), [a])
    # While other edges are wrong, residuals need not be independent, only much less dependent.
    settings = problem.settings
    least = min(settings.dependent_p_value, p_now**settings.dependence_ratio)
    return bool(p_after > max(p_now, least))


def _unsettle(state: SearchState, nodes: list[int]) -> SearchState:
    """Mark the edges at some nodes as not settled."""
    settled = state.settled.copy()
    settled[nodes] = settled[:, nodes] = False
    return replace(state, settled=settled)
