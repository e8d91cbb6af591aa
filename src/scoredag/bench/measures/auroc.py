"""Area under the ROC curve of directed edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from scoredag.bench.scoring import Outcome, edge_ranks


def auroc(true: NDArray, outcome: Outcome) -> float | None:
    """Probability that a true edge ranks above an ordered pair without one; ties count half.

    None where the true graph has no edge. A method that is sure of nothing has 0.5; see
    `scoredag.bench.scoring.edge_ranks` for how pairs are ranked. Unlike SHD it does not depend on
    the level of a test, except that kept edges rank above all others.
    """
    pairs = ~np.eye(len(true), dtype=bool)
    edges = np.asarray(true)[pairs] != 0
    if not edges.any():
        return None
    return float(roc_auc_score(edges, edge_ranks(outcome)[pairs]))


PIECE = auroc
