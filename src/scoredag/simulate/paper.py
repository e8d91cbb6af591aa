"""The synthetic setting of the SCORE paper."""

from __future__ import annotations

from collections.abc import Callable

from scoredag.arguments import check_count
from scoredag.simulate.dags import parse_graph
from scoredag.simulate.dataset import SimulatedDataset, simulated_dataset
from scoredag.simulate.sem import Noise


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
    # Without them `simulated_dataset` would take the usual setting.
    check_count(d, "d")
    parse_graph(graph)
    return simulated_dataset(
        "additive", d, graph, n=n, mechanism="gp", noise=noise, seed=seed, progress=progress
    )
