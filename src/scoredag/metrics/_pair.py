"""Two graphs that are to be compared must have the same nodes."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph.dag import IntArray, check_adjacency


def check_pair(
    true: ArrayLike,
    pred: ArrayLike,
    check: Callable[[ArrayLike, str], IntArray] = check_adjacency,
) -> tuple[IntArray, IntArray]:
    """Both matrices as 0/1 (``[i, j] = 1`` means i -> j), or an error that names the wrong one."""
    first, second = check(true, "true"), check(pred, "pred")
    if len(first) != len(second):
        raise GraphError(
            f"true and pred must have the same nodes; got {len(first)} and {len(second)}: "
            "scoredag.graph.common_adjacency lays two named graphs over the same nodes"
        )
    return first, second
