"""PC, FCI and GES from causal-learn. This file runs inside causal-learn's own venv."""

from __future__ import annotations

from typing import Any

import numpy as np

LIBRARY = "causal-learn"
MODULES = (
    "causallearn.search.ConstraintBased.PC",
    "causallearn.search.ConstraintBased.FCI",
    "causallearn.search.ScoreBased.GES",
)

# causal-learn's endpoints: -1 a tail, 1 an arrowhead, 2 a circle.
_MARKS = {0: 0, -1: 3, 1: 2, 2: 1}


def run_pc(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """PC with Fisher's z test (linear Gaussian), as by default: alpha 0.05, the stable variant."""
    from causallearn.search.ConstraintBased.PC import pc  # type: ignore[import-not-found]

    found = pc(X, show_progress=False, **options)
    return {"kind": "cpdag", "matrix": marks(found.G.graph)}


def run_fci(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """FCI with Fisher's z test, as by default: alpha 0.05, conditioning sets of any size."""
    from causallearn.search.ConstraintBased.FCI import fci  # type: ignore[import-not-found]

    graph, _ = fci(X, show_progress=False, **options)
    return {"kind": "pag", "matrix": marks(graph.graph)}


def run_ges(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """GES with the linear Gaussian BIC score, as by default."""
    from causallearn.search.ScoreBased.GES import ges  # type: ignore[import-not-found]

    found = ges(X, **options)
    return {"kind": "cpdag", "matrix": marks(found["G"].graph)}


def marks(graph: Any) -> list[list[int]]:
    """Turn causal-learn's endpoints into our marks.

    Its ``graph[j, i]`` is the mark at j of the edge between i and j; ours is ``M[i, j]``.

    Examples
    --------
    0 -> 1 in causal-learn is -1 in row 0 and 1 in row 1.

    >>> marks([[0, -1], [1, 0]])
    [[0, 2], [3, 0]]
    """
    return [[_MARKS[int(mark)] for mark in row] for row in np.transpose(graph)]


METHODS = {"PC": run_pc, "FCI": run_fci, "GES": run_ges}

# Those that can be plain values. PC and FCI would swallow any other and ignore it.
OPTIONS = {
    "PC": (
        "alpha", "correction_name", "indep_test", "max_k", "mvpc", "stable", "uc_priority",
        "uc_rule",
    ),
    "FCI": ("alpha", "depth", "independence_test_method", "max_path_length"),
    "GES": ("lambda_value", "maxP", "parameters", "score_func"),
}  # fmt: skip
