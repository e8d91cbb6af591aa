"""What rules about edges say about the order of the columns.

``[i, j]`` means i before j.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def transitive_closure(relation: Mask) -> Mask:
    """Add all that follows: i before j and j before k mean i before k.

    Warshall's algorithm on rows of bits, so that a thousand columns take a fraction of a second.
    The diagonal of the result is True for the nodes of a cycle.

    Parameters
    ----------
    relation : ndarray of bool, shape (d, d)
        ``[i, j]`` means i before j.

    Examples
    --------
    >>> transitive_closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)).astype(int)
    array([[0, 1, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    d = len(relation)
    if not relation.any():
        return np.zeros_like(relation)
    bits = np.packbits(relation, axis=1)
    for k in range(d):
        reaches_k = (bits[:, k // 8] >> (7 - k % 8)) & 1
        bits[reaches_k.astype(bool)] |= bits[k]
    return np.unpackbits(bits, axis=1, count=d).astype(bool)


def without_loss(precedes: Mask, allowed: Mask) -> Mask:
    """Place the columns that cannot have a cause first, and those without any effect last.

    Parameters
    ----------
    precedes : ndarray of bool, shape (d, d)
        ``[i, j]`` means i before j; a transitively closed relation without cycles.
    allowed : ndarray of bool, shape (d, d)
        ``[i, j]`` means that i -> j may be an edge.

    Returns
    -------
    ndarray of bool, shape (d, d)
        A relation that contains ``precedes``, transitively closed as well.

    Notes
    -----
    No graph is lost. Let R be the columns that no edge may enter and whose predecessors in
    ``precedes`` no edge may enter either; let S be the columns outside R that no edge may leave
    and whose successors have the same property. Take a graph of allowed edges with an order that
    obeys both the graph and ``precedes``. Move the columns of R to its front, and those of S to its
    end, without changing the order inside R, inside S and among the others. No edge of the graph
    enters R, and by the choice of R no column outside R must precede one in R; so all edges and all
    of ``precedes`` still point forwards; the same holds for S, by symmetry. The new order obeys the
    graph, ``precedes``, and the relations that this function adds.

    The result is closed: if i of R is before j, and j before k by ``precedes``, then k is not in R,
    for else its predecessor j would be; so i before k is added, too. Likewise for S.

    Without rules nothing is added: with two columns or more every column may have a cause and an
    effect, and a single column has no other one to precede.
    """
    may_have_cause = np.any(allowed, axis=0)
    first = ~may_have_cause & ~np.any(precedes & may_have_cause[:, None], axis=0)
    no_last = first | np.any(allowed, axis=1)
    last = ~no_last & ~np.any(precedes & no_last[None, :], axis=1)
    result = precedes | (first[:, None] & ~first[None, :])
    result |= ~last[:, None] & last[None, :]
    return result


def shortest_path(relation: Mask, start: int, goal: int) -> list[int]:
    """Nodes of a shortest path of one step or more; a cycle if it ends where it starts.

    Parameters
    ----------
    relation : ndarray of bool, shape (d, d)
        ``[i, j]`` means that a step leads from i to j.
    start, goal : int
        Nodes.

    Returns
    -------
    list of int
        From start to goal; empty if no path leads there.

    Examples
    --------
    >>> cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    >>> shortest_path(cycle, 2, 1), shortest_path(cycle, 0, 0)
    ([2, 0, 1], [0, 1, 2, 0])
    """
    reached_from = np.full(len(relation), -1)
    frontier = [start]
    while frontier and reached_from[goal] < 0:
        following = []
        for node in frontier:
            fresh = np.flatnonzero(relation[node] & (reached_from < 0))
            reached_from[fresh] = node
            following.extend(fresh.tolist())
        frontier = following
    if reached_from[goal] < 0:
        return []
    path = [goal, int(reached_from[goal])]
    while path[-1] != start:
        path.append(int(reached_from[path[-1]]))
    return path[::-1]
