"""The synthetic data of the SCORE paper."""

from __future__ import annotations

from scoredag.simulate import paper_dataset
from scoredag.simulate.paper import SimulatedDataset


def paper(
    d: int, graph: str, noise: str = "gaussian", n: int = 1000, *, seed: int
) -> SimulatedDataset:
    """Draw a data set as in `scoredag.simulate.paper_dataset`."""
    return paper_dataset(d, graph, noise, seed=seed, n=n)
