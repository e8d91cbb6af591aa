"""Structural intervention distance."""

from __future__ import annotations

from numpy.typing import NDArray

from scoredag import metrics
from scoredag.bench.scoring import Outcome
from scoredag.graph import is_dag


def sid(true: NDArray, outcome: Outcome) -> float | None:
    """Intervention distributions that are wrong; None for a class of graphs, which has several.

    None, too, where a method that promises a DAG returns a graph with a cycle.
    """
    defined = outcome.kind == "dag" and is_dag(outcome.matrix)
    return metrics.sid(true, outcome.matrix) if defined else None


PIECE = sid
