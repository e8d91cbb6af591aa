"""scoredag: the causal graph behind a table of continuous observations, from its score.

    data -> score -> order -> prune -> graph -> report

Estimators are at the top: ``SCORE().fit(X).graph_``. The pure functions behind them are public
in the packages of these names. Everywhere ``A[i, j] != 0`` means i -> j, and an order lists
sources first.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from scoredag.exceptions import DataError, DataWarning, GraphError, KnowledgeError
from scoredag.plugins import names, piece

if TYPE_CHECKING:
    from scoredag import bench, datasets, graph, knowledge, metrics, order, prune, score, simulate
    from scoredag.estimators import CAM, LISTEN, SCORE, GraNDAG, R2Sort, ScoreGP, VarSort
    from scoredag.knowledge import Knowledge

__version__ = "0.1.0"

__all__ = [
    "CAM",
    "LISTEN",
    "SCORE",
    "DataError",
    "DataWarning",
    "GraNDAG",
    "GraphError",
    "Knowledge",
    "KnowledgeError",
    "R2Sort",
    "ScoreGP",
    "VarSort",
    "bench",
    "datasets",
    "graph",
    "knowledge",
    "metrics",
    "order",
    "prune",
    "score",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Import on first use: SciPy and scikit-learn take a second that ``--help`` need not wait."""
    if name in __all__ and name.islower():
        return importlib.import_module(f"scoredag.{name}")
    if name == "Knowledge":
        return importlib.import_module("scoredag.knowledge").Knowledge
    if not name.islower() and name.lower() in names("scoredag.estimators"):
        estimator = piece("scoredag.estimators", name.lower())
        if estimator.__name__ == name:
            return estimator
    raise AttributeError(f"module 'scoredag' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
