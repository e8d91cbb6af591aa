"""Which edges are right, and which are wrong in what way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoredag.graph import GraphLike
from scoredag.metrics._pair import check_pair

Edges = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class EdgeReport:
    """What `edge_report` finds; an edge (i, j) means i -> j, by position in `names`.

    Attributes
    ----------
    precision, recall, f1 : float
        A reversed edge is a wrong one for precision and one not found for recall. A ratio of
        nothing to nothing is 1: an empty prediction claims nothing wrong.
    missing : tuple of (int, int)
        Edges of `true` that `pred` lacks, the reversed ones aside.
    extra : tuple of (int, int)
        Edges of `pred` that `true` lacks, the reversed ones aside.
    reversed : tuple of (int, int)
        Edges of `true`, in their true direction, that `pred` has the other way round.
    n_true, n_pred, n_correct : int
        Edges in `true`, in `pred`, and in both with the same direction.
    names : tuple of str, or None
        The nodes that the edges' numbers are positions of: those of `true`, then those only in
        `pred`. None where neither graph has names: then they are positions in the matrices.
    """

    precision: float
    recall: float
    f1: float
    missing: Edges
    extra: Edges
    reversed: Edges
    n_true: int
    n_pred: int
    n_correct: int
    names: tuple[str, ...] | None = None


def edge_report(true: GraphLike, pred: GraphLike) -> EdgeReport:
    """Compare two graphs edge by edge.

    Parameters
    ----------
    true, pred : graph-like
        Matrices, ``A[i, j] != 0`` for i -> j, or anything else that `scoredag.graph.as_adjacency`
        takes: graphs, edge lists, files, fitted estimators. Those with names are matched by name.

    Returns
    -------
    EdgeReport
        For DAGs its lists of missing, extra and reversed edges together have `shd` entries.

    Notes
    -----
    Not the report to read for Markov equivalence: an edge whose direction no data could tell counts
    as reversed here.

    Examples
    --------
    >>> report = edge_report(
    ...     true=[[0, 1, 1], [0, 0, 1], [0, 0, 0]], pred=[[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    ... )
    >>> report.missing, report.extra, report.reversed
    (((0, 2),), (), ((1, 2),))
    >>> report.precision, round(report.recall, 3), report.f1
    (0.5, 0.333, 0.4)
    >>> named = edge_report(true=[("Raf", "Mek")], pred=[("Mek", "Raf")])
    >>> [(named.names[i], named.names[j]) for i, j in named.reversed]
    [('Raf', 'Mek')]
    """
    names, *matrices = check_pair(true, pred)
    first, second = (matrix != 0 for matrix in matrices)
    lost, added = first & ~second, second & ~first
    turned = lost & added.T
    n_true, n_pred, n_correct = int(first.sum()), int(second.sum()), int((first & second).sum())
    return EdgeReport(
        precision=_ratio(n_correct, n_pred),
        recall=_ratio(n_correct, n_true),
        f1=_ratio(2 * n_correct, n_true + n_pred),
        missing=_listed(lost & ~turned),
        extra=_listed(added & ~turned.T),
        reversed=_listed(turned),
        n_true=n_true,
        n_pred=n_pred,
        n_correct=n_correct,
        names=names,
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _listed(edges: np.ndarray) -> Edges:
    return tuple((i, j) for i, j in np.argwhere(edges).tolist())
