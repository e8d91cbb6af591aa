"""CAM: causal additive models, by greedy search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import check_between
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._neighbours import selects_neighbours
from scoredag.order import boosted_neighbours, greedy_additive
from scoredag.prune import PruneResult

# The number of columns above which the authors' package selects neighbours first.
_MANY_COLUMNS = 20


class CAM(CausalDiscovery):
    """Causal discovery by greedy additive regression.

    Selects candidate causes of every column by boosting where there are many columns; adds the
    edge that explains most, as long as it closes no cycle, until none is left; and prunes the
    edges that were added.

    Parameters
    ----------
    neighbour_selection : bool or "auto", default="auto"
        Whether to select candidate causes first; "auto" does so above 20 columns.
    edf : float, default=5.0
        Effective degrees of freedom of a smooth term during the search.
    pruner : {"cam", "jacobian"} or callable, default="cam"
        What prunes the edges that were added: see `scoredag.prune`.
    alpha : float, default=1e-3
        Level of the pruning tests; CAM pruning only.
    smoothing : {"reml", "gcv"} or callable, default="reml"
        Choice of the smoothing parameters; CAM pruning only.
    n_jobs : int, optional
        Threads for pruning, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "order", then "prune".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    Notes
    -----
    Does not depend on units. Not for mechanisms in which causes act jointly: on dense graphs of
    that kind its order is far worse than SCORE's. With neighbour selection the edges that were
    added do not join every pair, and ``causal_order_`` is one of several that they allow.

    References
    ----------
    P. Bühlmann, J. Peters and J. Ernest. CAM: causal additive models, high-dimensional order
    search and penalized regression. Annals of Statistics 42:2526, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag import CAM
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=500)
    >>> CAM().fit(np.column_stack([y, x])).adjacency_matrix_
    array([[0, 0],
           [1, 0]])
    """

    _units_matter: ClassVar[bool] = False

    def __init__(
        self,
        neighbour_selection: bool | str = "auto",
        edf: float = 5.0,
        pruner: str | Callable[..., Any] = "cam",
        alpha: float = 1e-3,
        smoothing: str | Callable[..., Any] = "reml",
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.neighbour_selection = neighbour_selection
        self.edf = edf
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.n_jobs = n_jobs
        self.progress = progress

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_between(self.edf, "edf", 1, np.inf)  # 1 is a straight line
        selects_neighbours(self.neighbour_selection, many_columns=False)

    def _discover(self, X: Floats) -> tuple[NDArray[np.intp], PruneResult]:
        candidates = boosted_neighbours(X) if self._selects_neighbours(X.shape[1]) else None
        found = greedy_additive(
            X, candidates=candidates, edf=self.edf, progress=self._stage("order")
        )
        return found.order, self._prune(X, found.adjacency)

    def _selects_neighbours(self, n_columns: int) -> bool:
        return selects_neighbours(self.neighbour_selection, n_columns > _MANY_COLUMNS)


PIECE = CAM
