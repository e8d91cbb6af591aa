"""Data sets by the name of their model: a random graph, and data from it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import as_generator
from scoredag.graph.dag import topological_order
from scoredag.graph.matrix import IntArray
from scoredag.plugins import pick
from scoredag.simulate.dags import parse_graph, random_dag
from scoredag.simulate.mechanisms import standardized
from scoredag.simulate.sem import Mechanism, Noise, Progress

MODELS = "scoredag.simulate.models"
Model = Callable[..., NDArray[np.float64]]

# What `simulated_dataset` passes itself.
_GIVEN = ("adjacency", "n", "rng", "progress", "standardize")
_USUAL_SETTING = (10, "ER4")


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


def simulated_dataset(
    model: str | Model = "additive",
    d: int | None = None,
    graph: str | None = None,
    *,
    n: int = 1000,
    mechanism: str | Mechanism | None = None,
    noise: str | Noise | None = None,
    standardize: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> SimulatedDataset:
    """Draw a random graph, and data from a model over it.

    Parameters
    ----------
    model : str or callable, default="additive"
        A module of ``scoredag.simulate.models``, or such a function.
    d : int, optional
        Number of nodes; 20 for "sensors", 10 for the others.
    graph : str, optional
        Kind of graph and a whole number of edges per node, such as "ER4"; "BIPARTITE5" for
        "sensors", "ER4" for the others.
    n : int, default=1000
        Number of rows.
    mechanism, noise : str or callable, optional
        As in `sample_anm`; the model's own by default.
    standardize : bool, default=False
        Scale the finished columns to mean 0 and variance 1.
    seed : int, default=0
        Which data set.
    progress : callable, optional
        Called as ``progress(done, total)`` after each node.
    **options
        Further options of the model.

    Returns
    -------
    SimulatedDataset
        With ``.X``, ``.adjacency`` (``A[i, j] = 1`` means i -> j) and ``.order``; columns stand in
        random order.

    Notes
    -----
    The graph depends on (d, graph, seed) alone, so that models compare on equal graphs. A
    cause-effect pair is ``d=2, graph="ER1"``: one edge, in either direction.

    Examples
    --------
    >>> data = simulated_dataset("location_scale", 10, "ER2", mechanism="additive_sigmoids")
    >>> data.X.shape, data.adjacency.sum()
    ((1000, 10), np.int64(20))
    >>> simulated_dataset("multiplicative", 2, "ER1", seed=1).adjacency
    array([[0, 0],
           [1, 0]])
    """
    sample = pick(MODELS, model, "model")
    usual_d, usual_graph = usual_setting(sample)
    nodes = usual_d if d is None else d
    kind, edges_per_node = parse_graph(usual_graph if graph is None else graph)
    shapes = {"mechanism": mechanism, "noise": noise}
    chosen = options | {key: value for key, value in shapes.items() if value is not None}
    check_options(model, chosen)
    for_graph, for_data = as_generator(seed, "seed").spawn(2)
    adjacency = random_dag(nodes, edges_per_node, kind=kind, rng=for_graph)
    X = np.asarray(sample(adjacency, n, rng=for_data, progress=progress, **chosen))
    if X.shape != (n, nodes) or X.dtype.kind not in "biuf":
        raise ValueError(
            f"model must return an array of {n} rows and {nodes} columns of numbers; got shape "
            f"{X.shape} of {X.dtype}"
        )
    return SimulatedDataset(
        X=standardized(X) if standardize else X,
        adjacency=adjacency,
        order=topological_order(adjacency),
    )


def usual_setting(model: str | Model) -> tuple[int, str]:
    """Return the number of nodes and the graph that a model belongs to.

    Examples
    --------
    >>> usual_setting("additive"), usual_setting("sensors")
    ((10, 'ER4'), (20, 'BIPARTITE5'))
    """
    module = sys.modules.get(getattr(pick(MODELS, model, "model"), "__module__", ""))
    return getattr(module, "USUAL_SETTING", _USUAL_SETTING)


def model_options(model: str | Model) -> list[str]:
    """List the options of a model, ``mechanism`` and ``noise`` among them if it has them.

    Examples
    --------
    >>> model_options("rounded")
    ['levels', 'mechanism', 'noise', 'noise_variance']
    """
    parameters = inspect.signature(pick(MODELS, model, "model")).parameters
    return sorted(set(parameters) - set(_GIVEN))


def check_options(model: str | Model, options: Iterable[str]) -> None:
    """Raise ValueError if a model lacks an option.

    Examples
    --------
    >>> check_options("sensors", ["mechanism"])
    Traceback (most recent call last):
        ...
    ValueError: 'mechanism' is no option of model 'sensors', which has 'noise_share'
    """
    known = model_options(model)
    for name in options:
        if name not in known:
            label = repr(model) if isinstance(model, str) else getattr(model, "__name__", "given")
            has = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"{name!r} is no option of model {label}, which has {has}")
