"""Bipartite graphs: independent inputs, and nodes that depend on several of them."""

from __future__ import annotations

import numpy as np

from scoredag.graph.matrix import IntArray

# Share of the nodes that have parents: 7 of 20, whose 5 parents each make 35 edges.
_SHARE_OF_EFFECTS = 1 / 3
# An effect has up to this many parents more or fewer than `edges_per_node`.
_PARENTS_AROUND = 2


def bipartite(d: int, edges_per_node: float, rng: np.random.Generator) -> IntArray:
    """Let a third of the nodes depend on some of the others, which have no parents.

    The number of parents of each is uniform from m - 2 to m + 2, at least 1 and at most all
    inputs: three to seven at m = 5, and about 35 edges at d = 20.

    Parameters
    ----------
    d : int
        Number of nodes.
    edges_per_node : int
        m above, at least 1: the edges that a node with parents brings.
    rng : numpy.random.Generator
        Source of randomness.

    Examples
    --------
    >>> bipartite(20, 5, np.random.default_rng(0)).sum(axis=0)[13:]
    array([7, 6, 5, 4, 4, 3, 3])
    """
    check_size(d, edges_per_node)
    m, effects = int(edges_per_node), round(_SHARE_OF_EFFECTS * d)
    inputs = d - effects
    lowest, highest = np.clip([m - _PARENTS_AROUND, m + _PARENTS_AROUND], 1, inputs)
    numbers = rng.integers(lowest, highest, size=effects, endpoint=True)
    adjacency = np.zeros((d, d), dtype=np.int64)
    for node, number in enumerate(numbers, start=inputs):
        adjacency[rng.choice(inputs, size=number, replace=False), node] = 1
    return adjacency


def check_size(d: int, edges_per_node: float) -> None:
    """Raise ValueError if there is no bipartite graph of this size.

    Examples
    --------
    >>> check_size(20, 5)
    """
    if not (edges_per_node >= 1 and float(edges_per_node).is_integer()):
        raise ValueError(
            "edges_per_node must be a whole number, at least 1, for bipartite graphs; "
            f"got {edges_per_node!r} with d = {d}"
        )


PIECE = bipartite
