"""Random DAGs whose column order carries nothing."""

from __future__ import annotations

import numpy as np

from scoredag.arguments import as_generator, is_number, is_whole_number
from scoredag.graph.matrix import IntArray
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
    if not is_whole_number(d) or d < 1:
        raise ValueError(f"d must be a whole number of nodes, at least 1; got {d!r}")
    if not is_number(edges_per_node) or not 0 <= edges_per_node < np.inf:
        raise ValueError(f"edges_per_node must be finite and at least 0; got {edges_per_node!r}")
    draw = pick("scoredag.simulate.graphs", kind, "kind")
    generator = as_generator(rng)
    in_causal_order = np.asarray(draw(int(d), edges_per_node, generator))
    if in_causal_order.shape != (d, d) or np.tril(in_causal_order).any():
        raise ValueError(
            f"kind must draw a strictly upper triangular {d} x {d} matrix; got shape "
            f"{in_causal_order.shape}"
        )
    place = generator.permutation(int(d))
    return in_causal_order[np.ix_(place, place)]
