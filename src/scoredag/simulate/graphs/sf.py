"""Scale-free graphs: a few hubs that cause many others."""

from __future__ import annotations

import numpy as np

from scoredag.graph.matrix import IntArray


def sf(d: int, edges_per_node: float, rng: np.random.Generator) -> IntArray:
    """Grow a Barabási-Albert graph whose edges point from older to newer nodes.

    It starts as a single node. Each further node is caused by m distinct older ones, or by all
    of them while there are no more than m, drawn with probabilities in proportion to their number
    of edges so far. So the hubs are old, and sources. The graph has m (d - m) + m (m - 1) / 2
    edges: 30 at d = 10 and m = 4. Growing from a star instead, with 24 edges there, makes the
    paper's SF4 cells too easy: sorting by variance errs on 3 edges where the paper reports 7.

    Parameters
    ----------
    d : int
        Number of nodes, more than m.
    edges_per_node : int
        m above.
    rng : numpy.random.Generator
        Source of randomness.

    References
    ----------
    A.-L. Barabási, R. Albert, "Emergence of scaling in random networks", Science 286:509-512, 1999.

    Examples
    --------
    >>> number_of_causes = sf(10, 4, np.random.default_rng(0)).sum(axis=0)
    >>> number_of_causes
    array([0, 1, 2, 3, 4, 4, 4, 4, 4, 4])
    """
    check_size(d, edges_per_node)
    m = int(edges_per_node)
    adjacency = np.zeros((d, d), dtype=np.int64)
    for node in range(1, min(m + 1, d)):
        adjacency[:node, node] = 1
    for node in range(m + 1, d):
        degree = (adjacency + adjacency.T)[:node].sum(axis=1)
        causes = rng.choice(node, size=m, replace=False, p=degree / degree.sum())
        adjacency[causes, node] = 1
    return adjacency


def check_size(d: int, edges_per_node: float) -> None:
    """Raise ValueError if there is no scale-free graph of this size.

    Examples
    --------
    >>> check_size(10, 4)
    """
    if not (1 <= edges_per_node < d and float(edges_per_node).is_integer()):
        raise ValueError(
            "edges_per_node must be a whole number from 1 to d - 1 for scale-free graphs; "
            f"got {edges_per_node!r} with d = {d}"
        )


PIECE = sf
