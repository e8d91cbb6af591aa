"""Checks of numbers that options take."""

from __future__ import annotations

from collections.abc import Callable

import typer


def between(low: float, high: float) -> Callable[[float | None], float | None]:
    """Make the check of a number strictly between two bounds.

    Examples
    --------
    >>> between(0, 1)(0.5)
    0.5
    """

    def check(value: float | None) -> float | None:
        if value is None or low < value < high:
            return value
        bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        raise typer.BadParameter(f"{value:g} is not a number {bounds}.")

    return check


def anything_but(excluded: int) -> Callable[[int | None], int | None]:
    """Make the check of a number that must not be one value.

    Examples
    --------
    >>> anything_but(0)(-1)
    -1
    """

    def check(value: int | None) -> int | None:
        if value == excluded:
            raise typer.BadParameter(f"must not be {excluded}.")
        return value

    return check
