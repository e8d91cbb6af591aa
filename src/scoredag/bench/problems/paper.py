"""The synthetic data of the SCORE paper."""

from __future__ import annotations

from scoredag.bench.problems._options import Graph, Nodes, Noise, Rows
from scoredag.simulate import SimulatedDataset, paper_dataset
from scoredag.simulate.dags import check_graph


def paper(
    d: Nodes, graph: Graph, noise: Noise = "gaussian", n: Rows = 1000, *, seed: int
) -> SimulatedDataset:
    """Draw a data set as in `scoredag.simulate.paper_dataset`."""
    return paper_dataset(d, graph, noise, seed=seed, n=n)


def check(d: int, graph: str, **_: object) -> None:
    """Refuse graphs that do not fit on d nodes."""
    check_graph(d, graph)


PIECE = paper
