"""One DAG that agrees with the probabilities of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def consensus_graph(
    edge_probability: Floats,
    names: Sequence[Any] | None = None,
    *,
    threshold: float = 0.5,
) -> nx.DiGraph:
    """The DAG of the edges that are more likely than not.

    Edges are added by their probability, the likeliest first, unless they would close a cycle. So
    every edge is at least as likely as its reversal, and of each cycle of likely edges the least
    likely one is left out.

    Parameters
    ----------
    edge_probability : ndarray of shape (d, d)
        Probability of i -> j, at [i, j].
    names : sequence, optional
        Names of the nodes; positions by default.
    threshold : float, default=0.5
        Edges that are not more probable are left out.

    Returns
    -------
    networkx.DiGraph
        Each edge has its ``probability``.

    Examples
    --------
    >>> p = np.array([[0, 0.9, 0.0], [0, 0, 0.7], [0.6, 0.1, 0]])  # a cycle
    >>> list(consensus_graph(p, "abc").edges)
    [('a', 'b'), ('b', 'c')]
    """
    labels = list(range(len(edge_probability)) if names is None else names)
    likely = edge_probability > threshold
    likely &= edge_probability >= edge_probability.T
    reached = np.eye(len(labels), dtype=bool)  # [i, j]: a path leads from i to j
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(labels)
    for i, j in sorted(np.argwhere(likely).tolist(), key=lambda edge: -edge_probability[*edge]):
        if reached[j, i]:
            continue
        graph.add_edge(labels[i], labels[j], probability=float(edge_probability[i, j]))
        reached |= np.outer(reached[:, i], reached[j])
    return graph
