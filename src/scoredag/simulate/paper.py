"""The synthetic setting of the SCORE paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import as_generator
from scoredag.graph.dag import topological_order
from scoredag.graph.matrix import IntArray
from scoredag.simulate.anm import Noise, sample_anm
from scoredag.simulate.dags import random_dag
from scoredag.simulate.graphs.sf import check_size


@dataclass(frozen=True)
class SimulatedDataset:
    """Simulated data and the truth behind them.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The data.
    adjacency : ndarray of int, shape (d, d)
        The true graph, ``A[i, j] = 1`` means i -> j.
    order : ndarray of int, shape (d,)
        A true order, sources first; in general one of several.
    """

    X: NDArray[np.float64] = field(repr=False)
    adjacency: IntArray = field(repr=False)
    order: IntArray


def paper_dataset(
    d: int,
    graph: str = "ER4",
    noise: str | Noise = "gaussian",
    seed: int = 0,
    n: int = 1000,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> SimulatedDataset:
    """Draw a data set as in section 4.1 and the appendix of the SCORE paper.

    Each function is one draw from a Gaussian process over all parents jointly, with a
    unit-length-scale, unit-variance RBF kernel; each node's noise variance, a root's too, is
    uniform in [0.4, 0.8]; columns stand in random order.

    Parameters
    ----------
    d : int
        Number of nodes: 10, 20 and 50 in the paper.
    graph : str, default="ER4"
        "ER" or "SF" and a whole number of edges per node: "ER1", "ER4", "SF1" and "SF4" in the
        paper. ER4 has exactly 4 d edges, capped at the full graph.
    noise : str, default="gaussian"
        "gaussian", "laplace" and "gumbel" in the paper; any that `sample_anm` takes.
    seed : int, default=0
        Which data set: 0 to 9 make a cell of the paper's tables.
    n : int, default=1000
        Number of rows.
    progress : callable, optional
        Called as ``progress(done, total)`` after each node.

    Returns
    -------
    SimulatedDataset
        With ``.X``, ``.adjacency`` (``A[i, j] = 1`` means i -> j) and ``.order``.

    Notes
    -----
    The graph depends on (d, graph, seed) alone, so noises compare on equal graphs. Not a stand-in
    for real data: the units are all alike and nothing is hidden.

    References
    ----------
    P. Rolland et al., "Score matching enables causal discovery of nonlinear additive noise
    models", ICML 2022.

    Examples
    --------
    >>> data = paper_dataset(10, "ER1", seed=3)
    >>> data.X.shape, data.adjacency.sum()
    ((1000, 10), np.int64(10))
    """
    kind, edges_per_node = parse_graph(graph)
    for_graph, for_data = as_generator(seed, "seed").spawn(2)
    adjacency = random_dag(d, edges_per_node, kind=kind, rng=for_graph)
    X = sample_anm(adjacency, n, mechanism="gp", noise=noise, rng=for_data, progress=progress)
    return SimulatedDataset(X=X, adjacency=adjacency, order=topological_order(adjacency))


def parse_graph(graph: str) -> tuple[str, int]:
    """Split the name of a setting into the kind of graph and its edges per node.

    Examples
    --------
    >>> parse_graph("ER4")
    ('er', 4)
    """
    # No graph has a million edges per node; thousands of digits would be more than int takes.
    match = re.fullmatch(r"(ER|SF)(0|[1-9]\d{0,5})", graph) if isinstance(graph, str) else None
    if match is None:
        raise ValueError(f"graph must be ER or SF and a whole number, such as 'ER4'; got {graph!r}")
    return match[1].lower(), int(match[2])


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
    if kind == "sf":
        check_size(d, edges_per_node)
