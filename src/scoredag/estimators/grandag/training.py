"""GraN-DAG's training: all networks at once, until the graph that they span is acyclic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoredag.estimators.grandag.acyclicity import Paths, acyclicity, add_adjacency_gradient
from scoredag.estimators.grandag.networks import (
    Networks,
    likelihood_gradient,
    negative_log_likelihood,
)
from scoredag.estimators.grandag.optimisation import AugmentedLagrangian, RMSprop, has_settled
from scoredag.pytorch import one_torch_thread

Floats = NDArray[np.float64]

# The authors' constants.
_TRAINING_SHARE = 0.8
_WEAKEST_EDGE = 1e-4
_WINDOW = 100


@dataclass(frozen=True)
class TrainedGraph:
    """What training found.

    Attributes
    ----------
    weights : ndarray of shape (d, d)
        Weight of each edge, ``[i, j]`` of i -> j; zero where there is none.
    h : float
        The acyclicity constraint, tr exp(weights) - d.
    steps : int
        Number of steps taken.
    """

    weights: Floats
    h: float
    steps: int


def train(
    X: Floats,
    *,
    rng: np.random.Generator,
    allowed: NDArray[np.bool_] | None = None,
    hidden: tuple[int, ...] = (10, 10),
    learning_rate: float = 1e-3,
    batch_size: int = 64,
    tolerance: float = 1e-8,
    max_iter: int = 100_000,
    progress: Callable[[int, int], None] | None = None,
) -> TrainedGraph:
    """Minimise the negative log likelihood of d networks over acyclic graphs.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The samples; they are standardised here.
    rng : numpy.random.Generator
        Splits and shuffles the rows, and draws the initial weights.
    allowed : ndarray of bool, shape (d, d), optional
        ``[i, j]`` says whether i -> j may be an edge; by default every edge may.
    hidden : tuple of int, default=(10, 10)
        Units of each hidden layer.
    learning_rate : float, default=1e-3
        Of RMSprop.
    batch_size : int, default=64
        Rows a step.
    tolerance : float, default=1e-8
        Training ends when the acyclicity constraint h falls to it.
    max_iter : int, default=100_000
        Largest number of steps.
    progress : callable, optional
        Called with the percentage done, on the logarithmic scale of h or of the largest number of
        steps, whichever is further, and 100.

    Returns
    -------
    TrainedGraph

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> found = train(rng.normal(size=(100, 3)), rng=rng, max_iter=50)
    >>> found.weights.shape, found.steps
    ((3, 3), 50)
    """
    d = X.shape[1]
    with one_torch_thread(), torch.no_grad():
        rows, validation = _split(X, rng)
        networks, gradient = Networks.drawn(d, hidden, rng), Networks.zeros(d, hidden)
        mask = _possible_edges(d, allowed)
        _restrict(networks, mask)
        optimiser, problem = RMSprop(networks.vector, learning_rate), AugmentedLagrangian()
        report = _Reporter(progress, tolerance, max_iter)
        objectives: list[float] = []
        batches = _batches(rows, batch_size, rng)
        for step in range(max_iter + 1):
            paths = Paths.of(networks)
            h, slope = acyclicity(paths.adjacency)
            if not math.isfinite(h):
                raise ValueError(
                    f"training diverged at step {step}: learning_rate must be smaller for this "
                    f"table; got {learning_rate!r}"
                )
            if h <= tolerance or step == max_iter:
                break
            likelihood_gradient(networks, next(batches), out=gradient)
            add_adjacency_gradient(networks, paths, problem.slope(h) * slope, out=gradient)
            _restrict(gradient, mask)
            optimiser.step(gradient.vector)
            mask.mul_(paths.adjacency > _WEAKEST_EDGE)  # an edge that is cut stays cut
            _restrict(networks, mask)
            if step % _WINDOW == 0:
                report(h, step)
                loss = negative_log_likelihood(networks, validation)
                objectives.append(loss + problem.cost(h))
                if step % (2 * _WINDOW) == 0 and has_settled(objectives, _WINDOW):
                    problem.tighten(h)
                    optimiser.forget()
                    objectives[-1] = loss + problem.cost(h)
    report.finish()
    return TrainedGraph(paths.adjacency.numpy(), h, step)


def _split(X: Floats, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Rows for training and for validation, standardised by the former."""
    shuffled = rng.permutation(X)
    cut = int(_TRAINING_SHARE * len(X))
    rows = shuffled[:cut]
    scale = rows.std(axis=0)
    shuffled = (shuffled - rows.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    return torch.from_numpy(shuffled[:cut]), torch.from_numpy(shuffled[cut:])


def _batches(rows: Tensor, size: int, rng: np.random.Generator) -> Iterator[Tensor]:
    """Batches of rows without end, from a fresh shuffle after each pass."""
    size = min(size, len(rows))
    while True:
        shuffled = rows[torch.from_numpy(rng.permutation(len(rows)))]
        for start in range(0, len(rows) - size + 1, size):
            yield shuffled[start : start + size]


def _possible_edges(d: int, allowed: NDArray[np.bool_] | None) -> Tensor:
    """One where i -> j may be an edge, zero elsewhere and on the diagonal."""
    mask = np.ones((d, d)) if allowed is None else allowed.astype(np.float64)
    return torch.from_numpy(mask * (1 - np.eye(d)))


def _restrict(networks: Networks, mask: Tensor) -> None:
    """Cut the inputs of networks, or of their gradient, where there is no edge."""
    networks.weights[0].mul_(mask.unsqueeze(-1))


class _Reporter:
    """Progress in per cent: h falls by about the same factor in the same time.

    Where it falls too slowly, the end is the last step.
    """

    def __init__(
        self, progress: Callable[[int, int], None] | None, tolerance: float, max_iter: int
    ) -> None:
        self._progress = progress
        self._tolerance = tolerance
        self._max_iter = max_iter
        self._largest = tolerance
        self._done = 0

    def __call__(self, h: float, step: int) -> None:
        self._largest = max(self._largest, h)
        fallen = math.log(self._largest / h) / math.log(self._largest / self._tolerance)
        self._show(max(self._done, int(100 * max(fallen, step / self._max_iter))))

    def finish(self) -> None:
        self._show(100)

    def _show(self, done: int) -> None:
        self._done = done
        if self._progress is not None:
            self._progress(done, 100)
