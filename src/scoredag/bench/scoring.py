"""What a method found, and how a CPDAG or a PAG is scored against a true DAG.

A CPDAG or a PAG is a matrix of marks. ``M[i, j]`` is the mark at j of the edge between i and j:
0 no edge, 1 a circle, 2 an arrowhead, 3 a tail. So i -> j is ``M[i, j] = 2`` and ``M[j, i] = 3``,
and i - j is 3 at both ends. Read as a statement about the true DAG, an edge is

========== ====================  ================================================================
directed   ``-->``, ``o->``      i -> j. A circle at the tail leaves room for a hidden common
                                 cause; the truth has none, so it is read as a tail.
undirected ``---``, ``o-o``,     An edge whose direction is not identified.
           ``--o``
both ways  ``<->``               A hidden common cause (or, from PC, a contradiction in the data).
                                 No DAG has such an edge: always wrong.
========== ====================  ================================================================

SID and D_top need one DAG or one order, and are not defined here. Nor is doubt about single edges:
a CPDAG or a PAG says what it does not know by its marks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.exceptions import GraphError
from scoredag.graph import check_dag

NO_EDGE, CIRCLE, ARROWHEAD, TAIL = 0, 1, 2, 3
# What a method may tell of the time it took; starting and importing it are not counted.
COSTS = ("order_seconds", "prune_seconds", "seconds", "cpu_seconds")

_RULE = (
    "an undirected edge is one mistake in SHD and none in 'SHD, best', which turns it the right "
    "way if there is one; a two-headed edge is always a mistake. Precision and recall count "
    "directed edges: an undirected edge is never a right one, and counts as claimed only where "
    "the truth has no edge. SID and D_top are not defined."
)

HOW_SCORED = MappingProxyType(
    {
        "cpdag": f"CPDAG, scored against the true DAG: {_RULE}",
        "pag": (
            "PAG, scored against the true DAG: o-> is read as ->, since nothing is hidden in "
            f"these data; o-o and o-- are read as undirected; {_RULE}"
        ),
    }
)


@dataclass(frozen=True)
class Outcome:
    """A graph, or a class of graphs, and what it cost."""

    kind: Literal["dag", "cpdag", "pag"]
    # Of a DAG, ``A[i, j] = 1`` means i -> j, and some peers let a cycle through; else marks.
    matrix: NDArray[Any] = field(repr=False)
    # Sources first; None of a method that has no order.
    order: NDArray[np.intp] | None
    # Those of `COSTS` that are known.
    costs: Mapping[str, float | None]
    # Of the libraries of others that the method ran on.
    versions: Mapping[str, str] = field(default_factory=dict)
    # Of a DAG: larger for i -> j that the method has more evidence for; None if it has no numbers.
    scores: NDArray[np.float64] | None = field(default=None, repr=False)
    # Of a DAG: True for i -> j that the method itself calls doubtful; None if it never does.
    doubtful: NDArray[np.bool_] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class MarkReport:
    """What `compare_marks` finds."""

    # Pairs of nodes about which the output does not say what the true DAG says, and the same with
    # every undirected edge turned the right way, where the truth has an edge.
    shd: int
    shd_best: int
    # Directed edges that are right, of all edges claimed (the directed and the two-headed ones, and
    # undirected ones where the truth has no edge), and of all true edges; 1 where there are none.
    precision: float
    recall: float


def compare_marks(true_adjacency: ArrayLike, marks: ArrayLike) -> MarkReport:
    """Compare a CPDAG or a PAG with the true DAG.

    Parameters
    ----------
    true_adjacency : array-like of shape (d, d)
        ``A[i, j] != 0`` means i -> j.
    marks : array-like of shape (d, d)
        The marks at both ends of each edge: see the module's text.

    Notes
    -----
    Not for truths with hidden common causes, where a two-headed edge may be right. `shd` counts
    an undirected edge as a mistake: quote `shd_best` beside it.

    Examples
    --------
    The truth is 0 -> 1 -> 2. The output has 0 - 1 undirected, and 1 o-> 2, which is right.

    >>> compare_marks([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0, 3, 0], [3, 0, 2], [0, 1, 0]])
    MarkReport(shd=1, shd_best=0, precision=1.0, recall=0.5)
    """
    true = check_dag(true_adjacency, "true_adjacency").astype(bool)
    ends = check_marks(marks, len(true))
    arrow, joined = ends == ARROWHEAD, ends != NO_EDGE
    undirected = joined & ~arrow & ~arrow.T
    linked = true | true.T

    right, wrong = _claims_of_marks(true, ends)
    agrees = right | right.T | (~joined & ~linked)
    return MarkReport(
        shd=_pairs(~agrees),
        shd_best=_pairs(~agrees & ~(undirected & linked)),
        precision=_ratio(int(right.sum()), int(right.sum() + wrong.sum())),
        recall=_ratio(int(right.sum()), int(true.sum())),
    )


def right_and_wrong(
    true_adjacency: ArrayLike, outcome: Outcome
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Part the edges found into those that the true DAG has, and those that it lacks or reverses.

    Each edge is one True, at [i, j] for i -> j. In a CPDAG or a PAG an undirected edge is in
    neither matrix where the truth has an edge; elsewhere it is wrong, and so is every two-headed
    edge.

    Examples
    --------
    >>> found = Outcome("dag", np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]]), None, {})
    >>> right, wrong = right_and_wrong([[0, 1, 0], [0, 0, 1], [0, 0, 0]], found)
    >>> np.argwhere(right).tolist(), np.argwhere(wrong).tolist()
    ([[0, 1]], [[2, 1]])
    """
    true = np.asarray(true_adjacency) != 0
    if outcome.kind != "dag":
        return _claims_of_marks(true, check_marks(outcome.matrix, len(true)))
    found = outcome.matrix != 0
    return found & true, found & ~true


def _claims_of_marks(
    true: NDArray[np.bool_], ends: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    arrow, joined = ends == ARROWHEAD, ends != NO_EDGE
    directed = arrow & ~arrow.T
    undirected = joined & ~arrow & ~arrow.T
    no_edge_of_a_dag = (arrow & arrow.T) | (undirected & ~(true | true.T))
    return directed & true, (directed & ~true) | np.triu(no_edge_of_a_dag)


def edge_ranks(outcome: Outcome) -> NDArray[np.float64]:
    """Rank the ordered pairs by how sure a method is of i -> j: larger is surer.

    Edges of a DAG rank above pairs without one, and each group by the method's scores, if it has
    any. In a CPDAG or a PAG a directed edge is 1, and an undirected one 1/2 in both directions; a
    two-headed edge is no edge of a DAG, and 0.

    Examples
    --------
    >>> kept = np.array([[0, 1], [0, 0]])
    >>> edge_ranks(Outcome("dag", kept, None, {}, scores=np.array([[0.0, 2.0], [7.0, 0.0]])))
    array([[0., 4.],
           [2., 0.]])
    >>> edge_ranks(Outcome("cpdag", np.array([[0, 3], [3, 0]]), None, {}))
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    if outcome.kind != "dag":
        ends = check_marks(outcome.matrix, len(outcome.matrix))
        arrow, joined = ends == ARROWHEAD, ends != NO_EDGE
        return (arrow & ~arrow.T) + 0.5 * (joined & ~arrow & ~arrow.T)
    kept = outcome.matrix != 0
    if outcome.scores is None:
        return kept.astype(float)
    distinct, place = np.unique(outcome.scores, return_inverse=True)
    return (place.reshape(kept.shape) + len(distinct) * kept).astype(float)


def check_marks(marks: ArrayLike, d: int) -> NDArray[np.int64]:
    """Turn marks into an int matrix, or say why they describe no graph over d nodes.

    Examples
    --------
    >>> check_marks([[0, 2], [0, 0]], 2)
    Traceback (most recent call last):
        ...
    scoredag.exceptions.GraphError: marks must have a mark at both ends of an edge; that between \
0 and 1 has none at 0
    """
    ends = np.asarray(marks)
    if ends.shape != (d, d):
        raise GraphError(
            f"marks must be a matrix over the {d} nodes of the truth; got {ends.shape}"
        )
    if not np.isin(ends, (NO_EDGE, CIRCLE, ARROWHEAD, TAIL)).all() or np.diagonal(ends).any():
        raise GraphError(
            "marks must be 0, 1 (circle), 2 (arrowhead) or 3 (tail), 0 on the diagonal"
        )
    for i, j in np.argwhere((ends != NO_EDGE) & (ends.T == NO_EDGE)).tolist():
        raise GraphError(
            f"marks must have a mark at both ends of an edge; that between {i} and {j} has none "
            f"at {i}"
        )
    return ends.astype(np.int64)


def marks_of_dag(adjacency: ArrayLike) -> NDArray[np.int64]:
    """Write a DAG (``A[i, j] != 0`` means i -> j) as marks.

    Examples
    --------
    >>> marks_of_dag([[0, 1], [0, 0]])
    array([[0, 2],
           [3, 0]])
    """
    edges = check_dag(adjacency, "adjacency")
    return ARROWHEAD * edges + TAIL * edges.T


def _pairs(symmetric: NDArray[np.bool_]) -> int:
    """Number of pairs of nodes for which a symmetric statement holds."""
    return int(np.triu(symmetric, 1).sum())


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
