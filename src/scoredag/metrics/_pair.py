"""Two graphs that are to be compared must have the same nodes."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from scoredag.exceptions import GraphError
from scoredag.graph.dag import IntArray, check_adjacency, frame_labels


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
    refuse_other_names(true, pred, "true", "pred")
    return first, second


def refuse_other_names(first: object, second: object, *names: str) -> None:
    """Raise `GraphError` if two data frames have their columns in different orders."""
    ours, theirs = frame_labels(first, "columns"), frame_labels(second, "columns")
    if ours is not None and theirs is not None and ours != theirs:
        place = next(
            k for k, pair in enumerate(zip(ours, theirs, strict=True)) if len(set(pair)) > 1
        )
        raise GraphError(
            f"{names[0]} and {names[1]} must have the same columns in the same order; column "
            f"{place} is {ours[place]!r} in one and {theirs[place]!r} in the other: reorder one of "
            "them, or pass arrays if the positions are meant"
        )
