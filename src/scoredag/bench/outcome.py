"""What a method found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["dag", "cpdag", "pag"]


@dataclass(frozen=True)
class Outcome:
    """A graph, or a class of graphs, and what it cost.

    Attributes
    ----------
    kind : {"dag", "cpdag", "pag"}
        What the matrix describes.
    matrix : ndarray of shape (d, d)
        For a DAG ``A[i, j] = 1`` means i -> j. Otherwise marks: ``M[i, j]`` is the mark at j of
        the edge between i and j, 0 none, 1 a circle, 2 an arrowhead, 3 a tail.
    order : ndarray of int or None
        The order of a method that has one, sources first.
    costs : mapping
        ``seconds``, ``cpu_seconds``, and ``order_seconds`` and ``prune_seconds`` where known.
    versions : dict
        Libraries of others that the method ran on.
    """

    kind: Kind
    matrix: NDArray[Any]
    order: NDArray[np.intp] | None
    costs: Mapping[str, float | None]
    versions: dict[str, str] = field(default_factory=dict)
