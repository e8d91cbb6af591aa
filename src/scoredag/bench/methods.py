"""Methods of the benchmark: scoredag's own estimators, and peers that others wrote."""

from __future__ import annotations

import importlib
import inspect
import json
import time
from collections.abc import Mapping
from functools import wraps
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import as_generator
from scoredag.bench.checks import check_types, refuse_unknown
from scoredag.bench.peers import peer_methods, run_peer
from scoredag.bench.peers.registry import check_peer_options, find_peer
from scoredag.bench.scoring import Outcome
from scoredag.diagnosis import dependent_noise
from scoredag.exceptions import SpecError
from scoredag.plugins import names, pick, piece

ESTIMATORS = "scoredag.estimators"
PRUNERS = "scoredag.prune.pruners"


class MethodMissing(RuntimeError):
    """A method cannot run because an extra is not installed; the message says which."""


def method_names() -> list[str]:
    """List the methods that a spec may name."""
    return [*(piece(ESTIMATORS, name).__name__ for name in names(ESTIMATORS)), *peer_methods()]


def check_method(name: str, options: Mapping[str, Any]) -> None:
    """Raise `SpecError` if there is no such method, or if it would refuse its options.

    Only a run can tell for values of the right type that depend on the data, or on a peer.
    """
    if name not in method_names():
        raise SpecError(f"no method {name!r:.80}: there are {', '.join(method_names())}.")
    try:
        json.dumps(options)
    except TypeError:
        raise SpecError(f"options of {name} must be numbers, text or lists; got a date.") from None
    if _is_peer(name):
        check_peer_options(name, options)
        return
    estimator = _estimator(name)
    refuse_unknown(options, inspect.signature(estimator).parameters, f"options of {name}")
    check_types(estimator.__init__, options, f"options of {name}")
    try:
        estimator(**options)._check_parameters()
        as_generator(options.get("random_state"), "random_state")
    except (TypeError, ValueError) as error:
        raise SpecError(f"options of {name}: {str(error).removesuffix('.')}.") from None


def prepare_method(name: str) -> dict[str, str]:
    """Import what a method needs beyond scoredag's own needs, before anything is measured.

    Returns the versions of what was imported; raises `MethodMissing` if it is not installed.
    """
    required = () if _is_peer(name) else _estimator(name)._requires
    for module in required:
        try:
            importlib.import_module(module)
        except ImportError:
            raise MethodMissing(
                f"{name} needs {module}, which is not installed: pip install 'scoredag[{module}]'"
            ) from None
    return {module: version(module) for module in required}


def run_method(name: str, X: NDArray[np.float64], options: Mapping[str, Any], seed: int) -> Outcome:
    """Run a method on a table, and time it; the seed is for one that draws random numbers."""
    if _is_peer(name):
        return run_peer(name, X, options, seed)
    estimator = _estimator(name)(**options)
    costs: dict[str, float] = {}
    parameters = estimator.get_params(deep=False)
    if "random_state" in parameters and "random_state" not in options:
        estimator.set_params(random_state=seed)
    if "pruner" in parameters:
        prune = pick(PRUNERS, parameters["pruner"], "pruner")

        # What is left of the total finds the order.
        @wraps(prune)
        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            result = prune(*args, **kwargs)
            costs["prune_seconds"] = time.perf_counter() - start
            return result

        estimator.set_params(pruner=timed)
    start, cpu_start = time.perf_counter(), time.process_time()
    estimator.fit(X)
    costs["seconds"] = time.perf_counter() - start
    costs["cpu_seconds"] = time.process_time() - cpu_start
    if "prune_seconds" in costs:
        costs["order_seconds"] = costs["seconds"] - costs["prune_seconds"]
    return Outcome(
        "dag",
        estimator.adjacency_matrix_,
        estimator.causal_order_,
        costs,
        scores=_edge_scores(estimator),
        doubtful=_doubtful_edges(estimator),
    )


def _edge_scores(estimator: Any) -> NDArray[np.float64]:
    """How much speaks for each edge; a pair that was not tested has p = 1, or no evidence."""
    statistic = estimator.edge_statistic_
    if hasattr(estimator, "p_values_"):
        return -np.where(np.isnan(statistic), 1.0, statistic)
    return np.where(np.isnan(statistic), 0.0, statistic)


def _doubtful_edges(estimator: Any) -> NDArray[np.bool_] | None:
    """Edges that the estimator calls undirected or weak, or whose noise contradicts its model."""
    if not hasattr(estimator, "noise_independence_"):
        return None
    contradicted = dependent_noise(estimator.noise_independence_)
    return estimator.undirected_edges_ | estimator.weak_edges_ | contradicted


def depends_on_our_sources(name: str) -> bool:
    """Whether another version of scoredag could find something else."""
    return not _is_peer(name) or find_peer(name)[0].requirements is None


def _is_peer(name: str) -> bool:
    return "/" in name


def _estimator(name: str) -> Any:
    return piece(ESTIMATORS, name.lower())
