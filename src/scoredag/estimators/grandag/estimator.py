"""GraN-DAG: gradient-based neural DAG learning."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import as_generator
from scoredag.estimators._base import CausalDiscovery, Floats, Progress
from scoredag.estimators._discovery import Discovery
from scoredag.estimators._parameters import (
    COMMON,
    PRUNING,
    Check,
    is_choice_of_neighbours,
    is_count,
    is_positive,
    selects_neighbours,
)
from scoredag.estimators.grandag.selection import tree_neighbours
from scoredag.graph import is_dag, topological_order
from scoredag.knowledge import Constraints, Knowledge
from scoredag.pytorch import require_torch

# The number of columns from which the authors select neighbours first.
_MANY_COLUMNS = 50


class GraNDAG(CausalDiscovery):
    """Causal discovery by neural networks that are trained until their graph is acyclic.

    Selects candidate causes of every column by randomised trees where there are many columns;
    trains one network a column to predict it from the others, all at once, with a price on cycles
    that rises until there are none; and prunes the edges that are left. Needs PyTorch:
    ``pip install 'scoredag[torch]'``.

    Parameters
    ----------
    hidden_layers : int, default=2
        Hidden layers of each network.
    hidden_units : int, default=10
        Leaky ReLU units of each hidden layer.
    learning_rate : float, default=1e-3
        Size of a step of RMSprop.
    batch_size : int, default=64
        Rows a step.
    tolerance : float, default=1e-8
        Training ends when the acyclicity constraint, tr exp(A) - d, falls to it.
    max_iter : int, default=100_000
        Largest number of steps; a table of 10 columns takes about 30,000.
    neighbour_selection : bool or "auto", default="auto"
        Whether to select candidate causes first; "auto" does so from 50 columns.
    pruner : {"cam", "das", "gp", "jacobian"} or callable, default="cam"
        What prunes the edges that training leaves: see `scoredag.prune`.
    alpha : float, optional
        Level of the pruning tests; by default that of the pruner: see `scoredag.prune.cam_prune`
        and `scoredag.prune.gp_prune`. "jacobian" has none.
    smoothing : {"reml", "gcv"} or callable, default="reml"
        Choice of the smoothing parameters; CAM pruning only.
    knowledge : Knowledge, optional
        Required and forbidden edges, tiers, roots and sinks: see `scoredag.Knowledge`.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default=0
        Seed of the initial weights, the batches and the trees. The same seed gives the same
        graph; None draws a new one.
    n_jobs : int, optional
        Threads for the trees and for pruning, as in joblib. Training takes one. The result does
        not depend on it.
    progress : callable, optional
        Called as ``progress(stage, done, total)`` with stage "order", then "prune".

    Attributes
    ----------
    causal_order_, adjacency_matrix_, graph_, p_values_, edge_statistic_, effects_, node_names_,
    knowledge_report_
        As in `scoredag.SCORE`; ``adjacency_matrix_[i, j] == 1`` means i -> j.
    weights_ : ndarray of shape (d, d)
        Weight of each edge after training, ``weights_[i, j]`` of i -> j: the mean over paths of
        products of absolute weights.
    n_iter_ : int
        Steps of training.

    Notes
    -----
    Assumes nonlinear mechanisms with additive Gaussian noise. Does not depend on units: columns
    are standardised. Not for a quick answer: minutes where SCORE takes seconds, and another seed
    can give another graph. The DAG before pruning does not join every pair, and
    ``causal_order_`` is one of several that it allows.

    References
    ----------
    S. Lachapelle, P. Brouillard, T. Deleu and S. Lacoste-Julien. Gradient-based neural DAG
    learning. ICLR 2020.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from scoredag import GraNDAG
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=500)
    >>> with warnings.catch_warnings(action="ignore"):  # 1000 steps are too few for real data
    ...     model = GraNDAG(max_iter=1000).fit(np.column_stack([y, x]))
    >>> model.adjacency_matrix_
    array([[0, 0],
           [1, 0]])
    """

    _checks: ClassVar[Mapping[str, Check]] = {
        **COMMON,
        **PRUNING,
        **dict.fromkeys(("hidden_layers", "hidden_units", "batch_size", "max_iter"), is_count),
        **dict.fromkeys(("learning_rate", "tolerance"), is_positive),
        "neighbour_selection": is_choice_of_neighbours,
    }
    _units_matter: ClassVar[bool] = False
    _requires: ClassVar[tuple[str, ...]] = ("torch",)

    def __init__(
        self,
        *,
        hidden_layers: int = 2,
        hidden_units: int = 10,
        learning_rate: float = 1e-3,
        batch_size: int = 64,
        tolerance: float = 1e-8,
        max_iter: int = 100_000,
        neighbour_selection: bool | str = "auto",
        pruner: str | Callable[..., Any] = "cam",
        alpha: float | None = None,
        smoothing: str | Callable[..., Any] = "reml",
        knowledge: Knowledge | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.hidden_layers = hidden_layers
        self.hidden_units = hidden_units
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.tolerance = tolerance
        self.max_iter = max_iter
        self.neighbour_selection = neighbour_selection
        self.pruner = pruner
        self.alpha = alpha
        self.smoothing = smoothing
        self.knowledge = knowledge
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _discover(self, X: Floats, constraints: Constraints) -> Discovery:
        require_torch("GraNDAG")
        from scoredag.estimators.grandag.training import train

        rng = as_generator(self.random_state, "random_state")
        allowed = constraints.allowed
        if selects_neighbours(self.neighbour_selection, X.shape[1] >= _MANY_COLUMNS):
            neighbours = tree_neighbours(X, rng=rng, n_jobs=self.n_jobs) != 0
            allowed = allowed & (neighbours | constraints.required)
        trained = train(
            X,
            rng=rng,
            allowed=allowed,
            hidden=(self.hidden_units,) * self.hidden_layers,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            tolerance=self.tolerance,
            max_iter=self.max_iter,
            progress=self._stage("order"),
        )
        # Columns that must precede others count as if the strongest edges joined them.
        joined = strongest_dag(np.where(constraints.precedes, np.inf, trained.weights)) != 0
        dag = joined & (trained.weights > 0)
        messages: tuple[str, ...] = ()
        if trained.h > self.tolerance:
            messages = (_about_cycles(trained.h, self.tolerance, self.max_iter),)
        return Discovery(
            order=topological_order(joined),
            pruned=self._prune(X, dag.astype(int), constraints),
            attributes={"weights": trained.weights, "n_iter": trained.steps},
            messages=messages,
        )


def strongest_dag(weights: NDArray[np.float64]) -> NDArray[np.int_]:
    """Keep the edges above the smallest threshold that leaves no cycle.

    Parameters
    ----------
    weights : ndarray of shape (d, d)
        Non-negative, ``[i, j]`` of i -> j; zero where there is no edge.

    Returns
    -------
    ndarray of int, shape (d, d)
        ``[i, j] == 1`` means i -> j.

    Examples
    --------
    >>> import numpy as np
    >>> strongest_dag(np.array([[0, 3, 0.1], [2, 0, 4], [0, 0, 0]]))
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 0, 0]])
    """
    thresholds = np.unique(np.append(weights, 0.0))
    # A higher threshold leaves fewer edges, so cycles go one after the other.
    first = bisect_left(thresholds, True, key=lambda threshold: is_dag(weights > threshold))
    return (weights > thresholds[first]).astype(int)


def _about_cycles(h: float, tolerance: float, max_iter: int) -> str:
    return (
        f"training ended after {max_iter} steps with the acyclicity constraint at {h:.2g}, above "
        f"{tolerance:.2g}: the weakest edges were dropped until no cycle was left. Raise max_iter."
    )
