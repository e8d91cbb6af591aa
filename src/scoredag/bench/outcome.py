"""What a method found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

# What a method may tell of the time it took; starting and importing it are not counted.
COSTS = ("order_seconds", "prune_seconds", "seconds", "cpu_seconds")

Kind = Literal["dag", "cpdag", "pag"]


@dataclass(frozen=True)
class Outcome:
    """A graph, or a class of graphs, and what it cost.

    Attributes
    ----------
    kind : {"dag", "cpdag", "pag"}
        What the matrix describes.
    matrix : ndarray of int, shape (d, d)
        For a DAG ``A[i, j] = 1`` means i -> j; it is what the method answered, and some peers let
        a cycle through. Otherwise marks: ``M[i, j]`` is the mark at j of the edge between i and j,
        0 no edge, 1 a circle, 2 an arrowhead, 3 a tail.
    order : ndarray of int or None
        The order of a method that has one, sources first.
    costs : mapping
        ``seconds`` and ``cpu_seconds`` of the method itself, and the two parts of the former,
        ``order_seconds`` and ``prune_seconds``, where they are known.
    versions : mapping
        Version of each library of others that the method ran on.
    """

    kind: Kind
    matrix: NDArray[Any] = field(repr=False)
    order: NDArray[np.intp] | None
    costs: Mapping[str, float | None]
    versions: Mapping[str, str] = field(default_factory=dict)
