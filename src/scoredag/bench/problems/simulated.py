"""Simulations beyond the paper's Gaussian processes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoredag.bench.problems._options import (
    Graph,
    Mechanism,
    Nodes,
    Noise,
    Rows,
    SignedScale,
    on_scale,
)
from scoredag.simulate import SimulatedDataset, paper_dataset, sample_anm
from scoredag.simulate.dags import check_graph


def simulated(
    d: Nodes,
    graph: Graph,
    mechanism: Mechanism,
    noise: Noise = "gaussian",
    n: Rows = 1000,
    scale: SignedScale = "raw",
    *,
    seed: int,
) -> SimulatedDataset:
    """Draw other data over the same graphs as `paper`, seed by seed."""
    skeleton = paper_dataset(d, graph, seed=seed, n=2)
    rng = np.random.default_rng(seed).spawn(2)[1]
    X = sample_anm(skeleton.adjacency, n, mechanism=mechanism, noise=noise, rng=rng)
    return replace(skeleton, X=on_scale(X, scale))


def check(d: int, graph: str, **_: object) -> None:
    """Refuse graphs that do not fit on d nodes."""
    check_graph(d, graph)


PIECE = simulated
