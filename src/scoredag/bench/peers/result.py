"""What a peer found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["dag", "cpdag", "pag"]


@dataclass(frozen=True)
class PeerResult:
    """A graph, or a class of graphs, and what it cost.

    Attributes
    ----------
    kind : {"dag", "cpdag", "pag"}
        What the matrix describes.
    matrix : ndarray of int, shape (d, d)
        For "dag" ``A[i, j] = 1`` means i -> j; it is what the peer answered, and some let a cycle
        through. Otherwise marks: ``M[i, j]`` is the mark at j of the edge between i and j, 0 no
        edge, 1 a circle, 2 an arrowhead, 3 a tail.
    order : ndarray of int or None
        The order that the peer found, sources first; None if it found none.
    seconds, cpu_seconds : float
        Of the method itself: starting its process and importing it are not counted.
    order_seconds, prune_seconds : float or None
        The two parts of `seconds`, where they are known.
    versions : dict
        Version of each library that the method ran on.
    """

    kind: Kind
    matrix: NDArray[np.int64] = field(repr=False)
    order: NDArray[np.int64] | None
    seconds: float
    cpu_seconds: float
    versions: dict[str, str]
    order_seconds: float | None = None
    prune_seconds: float | None = None


def result_of(found: Mapping[str, Any]) -> PeerResult:
    """Make a result of the plain dict that a peer wrote."""
    order = found.get("order")
    return PeerResult(
        kind=found["kind"],
        matrix=np.asarray(found["matrix"], dtype=np.int64),
        order=None if order is None else np.asarray(order, dtype=np.int64),
        seconds=found["seconds"],
        cpu_seconds=found["cpu_seconds"],
        versions=dict(found["versions"]),
        order_seconds=found.get("order_seconds"),
        prune_seconds=found.get("prune_seconds"),
    )
