"""Simulations of any model: noise beyond the additive kind, hidden causes, sensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from scoredag.bench.checks import one_of
from scoredag.bench.problems._options import Graph, Nodes, Rows, SignedScale, on_scale
from scoredag.plugins import names
from scoredag.simulate import SimulatedDataset, simulated_dataset
from scoredag.simulate.dags import check_graph
from scoredag.simulate.dataset import MODELS, check_options
from scoredag.simulate.sem import MECHANISMS, NOISES

Model = Annotated[str, one_of(lambda: names(MODELS))]
# None: the model's own, or the model has no such option.
Mechanism = Annotated[str | None, one_of(lambda: names(MECHANISMS))]
Noise = Annotated[str | None, one_of(lambda: names(NOISES))]


def models(
    model: Model,
    d: Nodes,
    graph: Graph,
    mechanism: Mechanism = None,
    noise: Noise = None,
    n: Rows = 1000,
    scale: SignedScale = "raw",
    *,
    seed: int,
) -> SimulatedDataset:
    """Draw data as in `scoredag.simulate.simulated_dataset`, over the graphs of `paper`.

    Other options of the models have their defaults.
    """
    drawn = simulated_dataset(model, d, graph, n=n, mechanism=mechanism, noise=noise, seed=seed)
    return replace(drawn, X=on_scale(drawn.X, scale))


def check(
    model: str, d: int, graph: str, mechanism: str | None, noise: str | None, **_: object
) -> None:
    """Refuse graphs that do not fit on d nodes, and options that a model lacks."""
    check_graph(d, graph)
    given = {"mechanism": mechanism, "noise": noise}
    check_options(model, [name for name, value in given.items() if value is not None])


PIECE = models
