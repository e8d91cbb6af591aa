"""How each edge stands to a graph that is taken as the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoredag.graph import is_dag
from scoredag.metrics import edge_report, order_divergence, shd, sid
from scoredag.report.finding import Finding

Verdict = Literal["correct", "extra", "reversed", "missing"]
# For each measure its value, if it has one, and what it counts.
Figures = dict[str, tuple[float | None, str]]

VERDICTS: dict[Verdict, str] = {
    "correct": "in both graphs",
    "extra": "found, not in the reference",
    "reversed": "found the other way round",
    "missing": "in the reference, not found",
}


@dataclass(frozen=True)
class Comparison:
    """Distances to the reference, and the verdict on every edge of either graph.

    Attributes
    ----------
    figures : dict of str to (float or None, str)
        For each measure its value, if it has one, and what it counts.
    verdicts : dict of (int, int) to str
        For each found edge, cause -> effect, and for each missing one.
    """

    figures: Figures
    verdicts: dict[tuple[int, int], Verdict]


def distances(true: NDArray[np.int64], pred: NDArray[np.int64]) -> Figures:
    """Measure how far a graph is from the true one; ``[i, j] != 0`` means i -> j.

    The SID is None where one of them has a cycle: it is not defined there.

    Examples
    --------
    >>> figures = distances(np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]]))
    >>> {name: value for name, (value, meaning) in figures.items()}
    {'SHD': 1, 'SID': 2, 'Precision': 0.0, 'Recall': 0.0, 'F1': 0.0}
    """
    report = edge_report(true, pred)
    return {
        "SHD": (shd(true, pred), "edges to add, remove or turn round"),
        "SID": _sid(true, pred),
        "Precision": (report.precision, "share of found edges that are in the reference"),
        "Recall": (report.recall, "share of reference edges that were found"),
        "F1": (report.f1, "harmonic mean of precision and recall"),
    }


def _sid(true: NDArray[np.int64], pred: NDArray[np.int64]) -> tuple[int | None, str]:
    for graph, title in ((true, "reference"), (pred, "graph that was found")):
        if not is_dag(graph):
            return None, f"not defined: the {title} has a cycle"
    return sid(true, pred), "pairs whose intervention effect is wrong"


def compare(finding: Finding) -> Comparison | None:
    """Compare a finding with its truth; None where there is no truth."""
    if finding.truth is None:
        return None
    figures = distances(finding.truth, finding.adjacency)
    against = order_divergence(finding.truth, finding.order)
    figures["D_top"] = (against, "reference edges against the order")
    report = edge_report(finding.truth, finding.adjacency)
    verdicts: dict[tuple[int, int], Verdict] = {
        (edge.cause, edge.effect): "correct" for edge in finding.edges
    }
    verdicts.update(dict.fromkeys(report.extra, "extra"))
    verdicts.update({(effect, cause): "reversed" for cause, effect in report.reversed})
    verdicts.update(dict.fromkeys(report.missing, "missing"))
    return Comparison(figures, verdicts)
