"""What the sorting baselines share: an order that costs nothing, then pruning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.graph import full_dag
from scoredag.prune import PruneResult


class SortingBaseline(CausalDiscovery):
    """Base of the baselines that sort the columns; a subclass says by what, in `_sort`."""

    def __init__(
        self,
        reverse: bool = False,
        pruner: str | Callable[..., Any] = "cam",
        alpha: float = 1e-3,
        smoothing: str | Callable[..., Any] = "reml",
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.reverse = reverse
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.n_jobs = n_jobs
        self.progress = progress

    def _discover(self, X: Floats) -> tuple[NDArray[np.intp], PruneResult]:
        order = self._sort(X)
        return order, self._prune(X, full_dag(order))

    def _sort(self, X: Floats) -> NDArray[np.intp]:
        raise TypeError(f"{type(self).__name__} must define _sort: see scoredag.estimators.varsort")
