"""DirectLiNGAM and RESIT from lingam. This file runs inside lingam's own venv."""

from __future__ import annotations

from typing import Any

import numpy as np

LIBRARY = "lingam"
MODULES = ("lingam", "sklearn.ensemble")

# RESIT has no regressor of its own; this is the one of lingam's own documentation.
_FOREST = {"max_depth": 4}


def run_direct_lingam(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """DirectLiNGAM with pairwise likelihood ratios; an adaptive lasso drops edges.

    The sizes of the weights, for columns of variance 1, rank the edges.
    """
    from lingam import DirectLiNGAM  # type: ignore[import-not-found]

    model = DirectLiNGAM(**{"random_state": seed, **options}).fit(X)
    weights = np.transpose(model.adjacency_matrix_)
    spread = X.std(axis=0)
    return {
        "kind": "dag",
        # lingam stores the effect in the row: B[j, i] is i -> j.
        "matrix": (weights != 0).astype(int).tolist(),
        "order": [int(node) for node in model.causal_order_],
        "scores": (np.abs(weights) * spread[:, None] / spread).tolist(),
    }


def run_resit(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """RESIT with a random forest of depth 4 and HSIC tests at alpha 0.01.

    The option ``forest`` holds arguments of scikit-learn's ``RandomForestRegressor``.
    """
    from lingam import RESIT
    from sklearn.ensemble import RandomForestRegressor

    others = {name: value for name, value in options.items() if name != "forest"}
    forest = RandomForestRegressor(**{**_FOREST, "random_state": seed, **options.get("forest", {})})
    model = RESIT(**{"regressor": forest, "random_state": seed, **others}).fit(X)
    return {
        "kind": "dag",
        # lingam stores the effect in the row: B[j, i] is i -> j.
        "matrix": (np.transpose(model.adjacency_matrix_) != 0).astype(int).tolist(),
        "order": [int(node) for node in model.causal_order_],
    }


METHODS = {"DirectLiNGAM": run_direct_lingam, "RESIT": run_resit}
OPTIONS = {
    "DirectLiNGAM": ("apply_prior_knowledge_softly", "measure", "prior_knowledge", "random_state"),
    "RESIT": ("alpha", "forest", "prior_knowledge", "random_state"),
}
