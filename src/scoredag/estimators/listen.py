"""LISTEN: the linear special case of SCORE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import COMMON, Check, between
from scoredag.graph import full_dag
from scoredag.knowledge import Constraints, Knowledge
from scoredag.order import sort_by_precision
from scoredag.prune import cam_prune


class LISTEN(CausalDiscovery):
    """Causal discovery for linear models with equal noise variances, from the precision matrix.

    Removes, one by one, the variable with the smallest diagonal entry of the precision matrix. The
    parents of a variable are the remaining ones whose entries in its row differ from zero, by the
    t test of the linear regression.

    Parameters
    ----------
    alpha : float, default=1e-3
        Level of that test.
    knowledge : Knowledge, optional
        Required and forbidden edges, tiers, roots and sinks: see `scoredag.Knowledge`.
    n_jobs : int, optional
        Threads for the tests, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress("prune", done, total)``.

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_,
    knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    Notes
    -----
    The special case of SCORE for linear mechanisms: the Jacobian of the score is constant. Not for
    nonlinear effects, for noise variances that differ much, or for standardised columns.

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

    _checks: ClassVar[Mapping[str, Check]] = {**COMMON, "alpha": between(0, 1)}

    def __init__(
        self,
        *,
        alpha: float = 1e-3,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.alpha = alpha
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.progress = progress

    def _discover(self, X: Floats, constraints: Constraints) -> Discovery:
        order = sort_by_precision(X, knowledge=constraints)
        pruned = cam_prune(
            X,
            full_dag(order),
            alpha=self.alpha,
            basis="line",
            knowledge=constraints,
            n_jobs=self.n_jobs,
            progress=self._stage("prune"),
        )
        return Discovery(order, pruned)


PIECE = LISTEN
