"""The immutable result of an estimator, from which the fitted attributes are set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.prune import PruneResult


@dataclass(frozen=True)
class Discovery:
    """An order, the edges that pruning keeps, and warnings about them.

    Attributes
    ----------
    order : ndarray of int, shape (d,)
        The columns, sources first.
    pruned : PruneResult
        The edges with their evidence and effects, [i, j] for i -> j.
    attributes : mapping
        Further fitted attributes of the method, by name.
    messages : tuple of str
        Warnings about the result.
    table : ndarray of shape (n, d), optional
        The table that was analysed, where the method has transformed columns of the one it got, or
        drawn rows of one that is read in blocks.
    rows : mapping of str to int
        For each step of the method how many rows it used.
    reversal_gain : callable, optional
        ``reversal_gain(i, j)``: nats that the method's own model gains by reversing the edge
        i -> j, whatever the rules; NaN where the model does not identify the direction.
    """

    order: NDArray[np.intp]
    pruned: PruneResult
    attributes: Mapping[str, Any] = field(default_factory=dict)
    messages: tuple[str, ...] = ()
    table: NDArray[np.float64] | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    reversal_gain: Callable[[int, int], float] | None = None
