"""CAM: causal additive models, by greedy search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from scoredag.costs import Estimate
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._costs import (
    Choices,
    alternatives,
    estimate_of,
    greedy_order,
    prune_step,
)
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import (
    COMMON,
    PRUNING,
    Check,
    between,
    is_choice_of_neighbours,
    selects_neighbours,
)
from scoredag.estimators.score import SCORE
from scoredag.knowledge import Constraints, Knowledge
from scoredag.order import boosted_neighbours, greedy_additive

# The number of columns above which the authors' package selects neighbours first.
_MANY_COLUMNS = 20


class CAM(CausalDiscovery):
    """Causal discovery by greedy additive regression.

    Selects candidate parents of every column by boosting where there are many columns; adds the
    edge with the largest gain that creates no cycle, until no such edge is left; and prunes the
    edges that were added.

    Parameters
    ----------
    neighbour_selection : bool or "auto", default="auto"
        Whether to select candidate parents first; "auto" does so above 20 columns.
    edf : float, default=5.0
        Effective degrees of freedom of a smooth term during the search.
    pruner : {"cam", "das", "gp", "jacobian"} or callable, default="cam"
        Pruner of the edges that were added: see `scoredag.prune`.
    alpha : float, optional
        Level of the pruning tests; by default that of the pruner: see `scoredag.prune.cam_prune`
        and `scoredag.prune.gp_prune`. "jacobian" has none.
    smoothing : {"reml", "gcv"} or callable, default="reml"
        Choice of the smoothing parameters; CAM pruning only.
    knowledge : Knowledge, optional
        Required and forbidden edges, tiers, roots and sinks: see `scoredag.Knowledge`.
    n_jobs : int, optional
        Threads for pruning, as in joblib. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "order", then "prune".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_,
    knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.

    Notes
    -----
    Does not depend on units. Not for mechanisms in which parents act jointly: on dense graphs of
    that kind CAM's order is far worse than SCORE's. With neighbour selection the edges that were
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

    _checks: ClassVar[Mapping[str, Check]] = {
        **COMMON,
        **PRUNING,
        "edf": between(1, np.inf),  # 1 is a straight line
        "neighbour_selection": is_choice_of_neighbours,
    }
    _units_matter: ClassVar[bool] = False

    def __init__(
        self,
        *,
        neighbour_selection: bool | str = "auto",
        edf: float = 5.0,
        pruner: str | Callable[..., Any] = "cam",
        alpha: float | None = None,
        smoothing: str | Callable[..., Any] = "reml",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.neighbour_selection = neighbour_selection
        self.edf = edf
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.progress = progress

    def cost(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> Estimate | None:
        """Estimate what a fit takes: see `CausalDiscovery.cost`."""
        selects = selects_neighbours(self.neighbour_selection, n_columns > _MANY_COLUMNS)
        steps = (
            greedy_order(n_rows, n_columns, selects=selects),
            prune_step(
                self.pruner,
                "selected neighbours" if selects else None,
                n_rows,
                n_columns,
                in_blocks=in_blocks,
                n_jobs=self.n_jobs,
            ),
        )
        return estimate_of(steps, n_rows, n_columns, in_blocks=in_blocks)

    def _remedies(self, in_blocks: bool) -> list[Choices]:
        return alternatives(SCORE(), "SCORE with ")

    def _discover(self, X: Floats, constraints: Constraints) -> Discovery:
        candidates = None
        if selects_neighbours(self.neighbour_selection, X.shape[1] > _MANY_COLUMNS):
            candidates = boosted_neighbours(X)
        found = greedy_additive(
            X,
            candidates=candidates,
            knowledge=constraints,
            edf=self.edf,
            progress=self._stage("order"),
        )
        return Discovery(found.order, self._prune(X, found.adjacency, constraints))


PIECE = CAM
