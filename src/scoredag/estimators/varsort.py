"""VarSort: the baseline that sorts by variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.estimators._base import Floats
from scoredag.estimators._sorting import SortingBaseline
from scoredag.order import sort_by_variance


class VarSort(SortingBaseline):
    """Order the columns by increasing variance, then prune: a baseline to compare with.

    On data simulated with noise that accumulates along the graph this order is hard to beat, which
    is an artefact of the simulation. Not a method for real data: the order changes with the units.

    Parameters
    ----------
    reverse : bool, default=False
        Sort by decreasing variance.
    pruner, alpha, smoothing, knowledge, n_jobs, progress
        As in `scoredag.SCORE`. There is no stage "order".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_,
    knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    References
    ----------
    A. Reisach, C. Seiler and S. Weichwald. Beware of the simulated DAG! NeurIPS 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag import VarSort
    >>> X = np.random.default_rng(0).normal(size=(100, 3)) * [2, 1, 3]
    >>> VarSort().fit(X).causal_order_
    array([1, 0, 2])
    """

    def _sort(self, X: Floats) -> NDArray[np.intp]:
        return sort_by_variance(X, reverse=self.reverse)

    def _messages(self, X: Floats) -> tuple[str, ...]:
        variances = np.sort(X.var(axis=0))
        if not np.isclose(variances[1:], variances[:-1], rtol=1e-9, atol=0.0).any():
            return ()
        return (
            "several columns have the same variance, as after standardising: their order is "
            "arbitrary.",
        )


PIECE = VarSort
