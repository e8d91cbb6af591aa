"""Random DAGs whose column order carries nothing."""

from __future__ import annotations

import re
import sys

import numpy as np

from scoredag.arguments import as_generator, is_number, is_whole_number
from scoredag.graph.matrix import IntArray
from scoredag.plugins import names, pick, piece

GRAPHS = "scoredag.simulate.graphs"


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
    kind : {"er", "sf", "bipartite"} or callable, default="er"
        "er": Erdős-Rényi, exactly ``round(d * edges_per_node)`` edges or as many as fit. "sf":
        Barabási-Albert with the hubs as sources, `edges_per_node` a whole number. "bipartite":
        a third of the nodes have parents, about `edges_per_node` each. A callable takes
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
    draw = pick(GRAPHS, kind, "kind")
    generator = as_generator(rng)
    in_causal_order = np.asarray(draw(int(d), edges_per_node, generator))
    if in_causal_order.shape != (d, d) or np.tril(in_causal_order).any():
        raise ValueError(
            f"kind must draw a strictly upper triangular {d} x {d} matrix; got shape "
            f"{in_causal_order.shape}"
        )
    place = generator.permutation(int(d))
    return in_causal_order[np.ix_(place, place)]


def parse_graph(graph: str) -> tuple[str, int]:
    """Split the name of a setting into the kind of graph and its edges per node.

    Examples
    --------
    >>> parse_graph("ER4")
    ('er', 4)
    """
    # No graph has a million edges per node; thousands of digits would be more than int takes.
    pattern = r"([A-Z_]+)(0|[1-9]\d{0,5})"
    match = re.fullmatch(pattern, graph) if isinstance(graph, str) else None
    if match is None or match[1].lower() not in names(GRAPHS):
        raise ValueError(f"graph must be {graph_words()}; got {graph!r}")
    return match[1].lower(), int(match[2])


def graph_words() -> str:
    """Say what the name of a setting may be.

    Examples
    --------
    >>> graph_words()
    "one of BIPARTITE, ER, SF and a whole number, such as 'ER4'"
    """
    return f"one of {', '.join(map(str.upper, names(GRAPHS)))} and a whole number, such as 'ER4'"


def check_graph(d: int, graph: str) -> None:
    """Raise ValueError if there is no such graph of d nodes, without drawing one.

    Examples
    --------
    >>> check_graph(5, "SF5")
    Traceback (most recent call last):
        ...
    ValueError: edges_per_node must be a whole number from 1 to d - 1 for scale-free graphs; \
got 5 with d = 5
    """
    kind, edges_per_node = parse_graph(graph)
    module = sys.modules[piece(GRAPHS, kind).__module__]
    getattr(module, "check_size", lambda *_: None)(d, edges_per_node)
