"""Random DAGs whose column order carries nothing."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from scoredag.graph.dag import IntArray
from scoredag.plugins import pick


def random_dag(
    d: int,
    edges_per_node: float,
    kind: str = "er",
    rng: np.random.Generator | int | None = None,
) -> IntArray:
    """Draw a DAG with labels in random order.

    Parameters
    ----------
    d : int
        Number of nodes.
    edges_per_node : float
        About how many edges a node brings: 1 or 4 in the SCORE paper.
    kind : {"er", "sf"} or callable, default="er"
        "er": Erdős-Rényi, exactly ``round(d * edges_per_node)`` edges or as many as fit. "sf":
        Barabási-Albert with the hubs as sources, `edges_per_node` a whole number. A callable takes
        ``(d, edges_per_node, rng)`` and returns a strictly upper triangular matrix.
    rng : numpy.random.Generator, int or None
        Source of randomness, or a seed for one.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``A[i, j] = 1`` means i -> j.

    Examples
    --------
    >>> A = random_dag(10, 4, rng=0)
    >>> A.sum()
    np.int64(40)
    """
    if not isinstance(d, Integral) or d < 1:
        raise ValueError(f"d must be a whole number of nodes, at least 1; got {d!r}")
    if not 0 <= edges_per_node < np.inf:
        raise ValueError(f"edges_per_node must be finite and at least 0; got {edges_per_node!r}")
    draw = pick("scoredag.simulate.graphs", kind, "kind")
    generator = np.random.default_rng(rng)
    in_causal_order = draw(int(d), edges_per_node, generator)
    place = generator.permutation(int(d))
    return in_causal_order[np.ix_(place, place)]
