"""How much of a graph can be read off the variances alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.exceptions import GraphError
from scoredag.graph import GraphLike
from scoredag.graph.alignment import over_columns
from scoredag.graph.conversion import text_names
from scoredag.graph.matrix import frame_labels
from scoredag.metrics._pair import refuse_cycle

# Standardised columns have equal variances only up to rounding.
_TIE = 1e-9


def varsortability(X: ArrayLike, A: GraphLike) -> float:
    """Share of directed paths along which the variance rises from the first node to the last.

    Near 1, sorting the columns by variance finds the causal order, and a benchmark on such data
    says little about anything cleverer. Near 1/2, variances carry nothing; near 0, they carry the
    reverse order.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data, in the units that a method would see.
    A : graph-like
        The true graph, acyclic: a matrix, ``A[i, j] != 0`` for i -> j, or anything else that
        `scoredag.graph.as_adjacency` takes. Names are matched with the columns of a data frame X.

    Returns
    -------
    float
        Between 0 and 1, with a tie counted as 1/2; NaN for a graph without edges.

    Notes
    -----
    The formula of the paper: sum over k = 1 ... d - 1 of the pairs (i, j) that a path of k edges
    joins, so that a pair counts once for each length of path. Not a property of a method or of the
    graph alone: it changes with the units of X.

    References
    ----------
    A. Reisach, C. Seiler, S. Weichwald, "Beware of the simulated DAG! Causal discovery benchmarks
    may be easy to game", NeurIPS 2021.

    Examples
    --------
    >>> varsortability([[0.0, 0.0], [1.0, 2.0]], [[0, 1], [0, 0]])
    1.0
    """
    data = _check_table(X)
    labels = frame_labels(X, "columns")
    names = None if labels is None else text_names(labels, "columns of X")
    matrix = over_columns(A, names, data.shape[1], "A", "X")
    refuse_cycle(matrix, "A", names)
    edges = matrix != 0
    with np.errstate(over="ignore"):
        variance = np.var(data, axis=0)
    if not np.isfinite(variance).all():
        raise GraphError("X must have finite variances; its values are too large: divide by 1e100")
    lengths = _paths_by_length(edges)
    if not lengths.any():
        return float("nan")
    return float(np.sum(lengths * rises(variance)) / lengths.sum())


def rises(variance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whether the variance rises from i to j, at [i, j]: 1 or 0, and 1/2 for a tie.

    Examples
    --------
    >>> rises(np.array([1.0, 2.0, 2.0]))[:, 2].tolist()
    [1.0, 0.5, 0.5]
    """
    rise = variance[None, :] - variance[:, None]
    tie = np.abs(rise) <= _TIE * np.maximum(variance[None, :], variance[:, None])
    return np.where(tie, 0.5, rise > 0)


def _paths_by_length(edges: np.ndarray) -> np.ndarray:
    """Count for each pair (i, j) the lengths k such that some path of k edges leads from i to j."""
    counts = np.zeros(edges.shape, dtype=np.int64)
    power = edges
    while power.any():
        counts += power
        power = power @ edges
    return counts


def _check_table(X: ArrayLike) -> np.ndarray:
    data = as_finite_matrix(X)
    if len(data) < 2:
        raise GraphError(f"X must be a table with at least two rows; got shape {data.shape}")
    return data
