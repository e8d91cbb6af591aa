"""CAM's greedy search: add the edge with the largest gain, forbid cycles, repeat.

Bühlmann, Peters and Ernest. CAM: causal additive models, high-dimensional order search and
penalized regression. Annals of Statistics 42:2526, 2014, section 3.

The gain of k -> j is the drop of the log residual variance of j when a smooth function of k
joins those of its parents (`scoredag.regression.forward`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import check_between, check_count
from scoredag.data.arrays import as_finite_matrix
from scoredag.data.candidates import check_candidates
from scoredag.data.checks import refuse_constant
from scoredag.knowledge import Constraints, Knowledge, as_constraints, labels_of
from scoredag.plugins import pick
from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.forward import ForwardRegression


@dataclass(frozen=True)
class GreedyResult:
    """Order and edges of the greedy search.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    adjacency : ndarray of int, shape (d, d)
        The edges that were added; ``adjacency[i, j] == 1`` means i -> j. Every pair is adjacent
        unless ``candidates`` excludes it.
    """

    order: NDArray[np.intp]
    adjacency: NDArray[np.int_]


def greedy_additive(
    X: ArrayLike,
    *,
    candidates: ArrayLike | None = None,
    knowledge: Knowledge | Constraints | None = None,
    edf: float = 5.0,
    size: int = 10,
    basis: str | Callable = "cubic",
    progress: Callable[[int, int], None] | None = None,
) -> GreedyResult:
    """Order the columns of a table by greedy additive regression.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    candidates : array-like of shape (d, d), optional
        Non-zero ``candidates[i, j]`` means that i -> j may be added, as from
        `scoredag.order.boosted_neighbours` or prior knowledge; by default every edge may.
    knowledge : Knowledge, optional
        Prior knowledge: required edges are added first, and the order obeys all rules.
        See `scoredag.Knowledge`.
    edf : float, default=5.0
        Effective degrees of freedom of a smooth term when it is alone. The order hardly depends
        on it between 4 and 7.
    size : int, default=10
        Coefficients of a smooth term before it is penalised.
    basis : {"cubic", "thin_plate"} or callable, default="cubic"
        Spline basis.
    progress : callable, optional
        Called with the number of edges added and the largest number possible.

    Returns
    -------
    GreedyResult

    Notes
    -----
    Assumes additive mechanisms, and noise that is Gaussian or close to it: the gain is a Gaussian
    log likelihood. Where parents act jointly, only the additive part of their effect informs the
    order.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=500)
    >>> greedy_additive(np.column_stack([y, x])).order
    array([1, 0])
    """
    table = as_finite_matrix(X)
    d = table.shape[1]
    check_between(edf, "edf", 1, np.inf)  # 1 is a straight line
    check_count(size, "size", least=3)
    refuse_constant(table)
    design = AdditiveDesign.of(
        table, range(d), pick("scoredag.regression.bases", basis, "basis"), size
    )
    gram, cross, weights = design.padded(edf)
    constraints = as_constraints(knowledge, labels_of(X))
    allowed = constraints.allowed.copy()
    terms = [np.arange(d)] * d  # of the regression of each column
    if candidates is not None:
        allowed &= check_candidates(candidates, d)
        terms = [np.flatnonzero(column) for column in (allowed | constraints.required).T]
    every = ForwardRegression.of(gram, cross[:, 0], weights, design.squares[0])
    regressions = [
        every.of_column(cross[:, j], design.squares[j])
        if len(terms[j]) == d
        else ForwardRegression.of(gram, cross[:, j], weights, design.squares[j], terms[j].tolist())
        for j in range(d)
    ]
    reaches = np.eye(d, dtype=bool) | constraints.precedes  # [a, b]: a path from a to b
    adjacency = np.zeros((d, d), dtype=int)
    gains = np.full((d, d), -np.inf)
    for j in range(d):
        gains[terms[j], j] = regressions[j].gains(allowed[terms[j], j])
    required = [(int(a), int(b)) for a, b in np.argwhere(constraints.required)]
    while required or np.isfinite(gains).any():
        if required:
            parent, child = required.pop()
        else:
            parent, child = (int(k) for k in np.unravel_index(np.argmax(gains), gains.shape))
        adjacency[parent, child] = 1
        position = int(np.searchsorted(terms[child], parent))
        regressions[child] = regressions[child].with_term(position)
        reaches |= np.outer(reaches[:, parent], reaches[child])
        allowed &= ~reaches.T
        allowed[parent, child] = False
        gains[~allowed] = -np.inf
        gains[terms[child], child] = regressions[child].gains(allowed[terms[child], child])
        if progress is not None:
            progress(int(adjacency.sum()), d * (d - 1) // 2)
    # A parent has fewer ancestors than its child.
    return GreedyResult(np.argsort(reaches.sum(axis=0), kind="stable"), adjacency)
