"""LISTEN: the linear relative of SCORE."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.graph import full_dag
from scoredag.order import sort_by_precision
from scoredag.prune import PruneResult, cam_prune


class LISTEN(CausalDiscovery):
    """Causal discovery for linear models with equal noise variances, from the precision matrix.

    Takes away, one after the other, the variable with the smallest diagonal entry of the
    precision matrix; its parents are the others whose entries in its row differ from zero, by
    the t test of its linear regression on them.

    Parameters
    ----------
    alpha : float, default=1e-3
        Level of that test.
    n_jobs : int, optional
        Threads for the tests, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress("prune", done, total)``.

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    Notes
    -----
    What SCORE becomes for linear mechanisms, where the Jacobian of the score is constant. Not
    for nonlinear effects, for noise variances that differ much, or for standardised columns.

    References
    ----------
    A. Ghoshal and J. Honorio. Learning linear structural equation models in polynomial time and
    sample complexity. AISTATS 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag import LISTEN
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = x + rng.normal(size=500)
    >>> LISTEN().fit(np.column_stack([y, x])).adjacency_matrix_
    array([[0, 0],
           [1, 0]])
    """

    def __init__(
        self, alpha: float = 1e-3, n_jobs: int | None = None, progress: Progress | None = None
    ) -> None:
        self.alpha = alpha
        self.n_jobs = n_jobs
        self.progress = progress

    def _discover(self, X: Floats) -> tuple[NDArray[np.intp], PruneResult]:
        order = sort_by_precision(X)
        pruned = cam_prune(
            X,
            full_dag(order),
            alpha=self.alpha,
            basis="line",
            n_jobs=self.n_jobs,
            progress=self._stage("prune"),
        )
        return order, pruned


PIECE = LISTEN
