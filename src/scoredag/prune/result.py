"""The result of pruning: edges with their evidence and their fitted effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.blocks import RowBlocks
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import check_table, refuse_constant
from scoredag.data.opening import table_in_blocks
from scoredag.data.profile import profile_of
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of
from scoredag.prune.joint_effect import JointEffect
from scoredag.regression.basis import SplineBasis

Floats = NDArray[np.float64]

_POINTS = 60
_MARKS = 41
_MIDDLE = (0.005, 0.995)


@dataclass(frozen=True)
class Effect:
    """Fitted effect of one parent on a node, the other parents held fixed.

    `x`, `y` and `standard_error` are computed on first access.

    Attributes
    ----------
    edf : float
        Effective degrees of freedom: 1 is a straight line.
    p_value : float
        Of the hypothesis that the effect is zero.
    size : float
        Standard deviation of the effect in the sample, over that of the node.
    span : tuple of float
        The values of the parent between which the curve is drawn.
    marks : ndarray
        Quantiles of the parent, which show where there are data.
    """

    edf: float
    p_value: float
    size: float
    basis: SplineBasis = field(repr=False)
    coefficients: Floats = field(repr=False)
    covariance: Floats = field(repr=False)
    centre: float = field(repr=False)
    span: tuple[float, float] = field(repr=False)
    marks: Floats = field(repr=False)

    @cached_property
    def x(self) -> Floats:
        """Values of the parent, in its own units: a grid over the middle 99 percent of them."""
        return np.linspace(*self.span, _POINTS)

    @cached_property
    def y(self) -> Floats:
        """The smooth term at `x`, in the units of the node, centred over the sample."""
        return self._columns @ self.coefficients

    @cached_property
    def standard_error(self) -> Floats:
        """Bayesian standard errors of `y`."""
        Z = self._columns
        return np.sqrt(np.einsum("ij,jk,ik->i", Z, self.covariance, Z))

    @cached_property
    def _columns(self) -> Floats:
        return self.basis.columns(self.x - self.centre)


Effects = dict[tuple[int, int], Effect | JointEffect]


def spans_and_marks(X: Floats | RowBlocks) -> tuple[Floats, Floats]:
    """Ranges in which effects are drawn, and evenly spaced quantiles, of each column.

    Of a table in blocks they are those of its sample.

    Returns
    -------
    spans, marks : ndarray of shape (2, d) and (m, d)
    """
    rows = X if isinstance(X, np.ndarray) else profile_of(X).sample
    return np.quantile(rows, _MIDDLE, axis=0), np.quantile(
        rows, (np.arange(_MARKS) + 0.5) / _MARKS, axis=0
    )


@dataclass(frozen=True)
class PruneResult:
    """Edges kept among candidates.

    Attributes
    ----------
    adjacency : ndarray of int, shape (d, d)
        ``adjacency[i, j] == 1`` means that the edge i -> j was kept.
    statistic : ndarray of shape (d, d)
        Test statistic of each candidate edge, NaN where no candidate was tested.
    statistic_name : str
        ``"p_value"``, or the name of another statistic.
    effects : dict
        For each kept edge (i, j) its `Effect` or `JointEffect`, where the method fits one.
    details : dict
        Further statistics of edges by name, each of shape (d, d).
    """

    adjacency: NDArray[np.int_]
    statistic: Floats
    statistic_name: str = "p_value"
    effects: Effects = field(default_factory=dict)
    details: dict[str, Floats] = field(default_factory=dict)

    @property
    def p_values(self) -> Floats:
        """P-values of the candidates, NaN where not tested; only of a pruner that has them."""
        if self.statistic_name != "p_value":
            raise AttributeError(f"this pruner has no p-values, but {self.statistic_name}")
        return self.statistic


class PruningProblem(NamedTuple):
    """A table, and candidate and required edges among its columns, [i, j] for i -> j."""

    table: Floats
    candidates: NDArray[np.bool_]
    required: NDArray[np.bool_]


def check_pruning(
    X: ArrayLike, candidates: ArrayLike, knowledge: Knowledge | Constraints | None = None
) -> PruningProblem:
    """Validate a table, candidate edges among its columns, and prior knowledge of the edges.

    Forbidden edges are no candidates; required edges are, whether the candidates have them or not.
    """
    table = check_table(X)
    refuse_constant(table)
    return PruningProblem(table, *_edges(candidates, knowledge, X, table.shape[1]))


class BlockedProblem(NamedTuple):
    """Like `PruningProblem`, for a table in memory or in blocks."""

    table: Floats | RowBlocks
    candidates: NDArray[np.bool_]
    required: NDArray[np.bool_]


def check_pruning_in_blocks(
    X: Any,
    candidates: ArrayLike,
    knowledge: Knowledge | Constraints | None = None,
    n_jobs: int | None = None,
) -> BlockedProblem:
    """Like `check_pruning`, also for a table in blocks, which is returned with its profile."""
    found = table_in_blocks(X)
    if found is None:
        return BlockedProblem(*check_pruning(X, candidates, knowledge))
    table = found.checked(n_jobs)
    return BlockedProblem(table, *_edges(candidates, knowledge, table, table.shape[1]))


def _edges(
    candidates: ArrayLike, knowledge: Knowledge | Constraints | None, X: Any, d: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    edges = check_candidates(candidates, d)
    loops = np.flatnonzero(edges.diagonal())
    if len(loops):
        raise ValueError(f"candidates must have a zero diagonal; column {loops[0]} has a self-loop")
    constraints = as_constraints(knowledge, labels_of(X))
    return (edges & constraints.allowed) | constraints.required, constraints.required
