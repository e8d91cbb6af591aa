"""Base class of the sorting baselines: a sorted order, then pruning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scoredag.costs import Estimate
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._costs import estimate_of, prune_step
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import COMMON, PRUNING, Check, is_flag
from scoredag.graph import full_dag
from scoredag.knowledge import Constraints, Knowledge


class SortingBaseline(CausalDiscovery):
    """Base of the baselines that sort the columns; a subclass defines the order in `_sort`."""

    _checks: ClassVar[Mapping[str, Check]] = {**COMMON, **PRUNING, "reverse": is_flag}

    def __init__(
        self,
        *,
        reverse: bool = False,
        pruner: str | Callable[..., Any] = "cam",
        alpha: float | None = None,
        smoothing: str | Callable[..., Any] = "reml",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.reverse = reverse
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.progress = progress

    def cost(self, n_rows: int, n_columns: int, *, in_blocks: bool = False) -> Estimate | None:
        """Estimate what a fit takes: see `CausalDiscovery.cost`."""
        pruning = prune_step(
            self.pruner, None, n_rows, n_columns, in_blocks=in_blocks, n_jobs=self.n_jobs
        )
        return estimate_of([pruning], n_rows, n_columns, in_blocks=in_blocks)

    def _discover(self, X: Floats, constraints: Constraints) -> Discovery:
        # The order nearest to the sorted one that knowledge allows.
        order = np.array(constraints.repair(self._sort(X)))
        pruned = self._prune(X, full_dag(order), constraints)
        return Discovery(order, pruned, messages=self._messages(X))

    def _sort(self, X: Floats) -> NDArray[np.intp]:
        raise TypeError(f"{type(self).__name__} must define _sort: see scoredag.estimators.varsort")

    def _messages(self, X: Floats) -> tuple[str, ...]:
        return ()
