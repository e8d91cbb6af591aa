"""Checks of numbers that options take."""

from __future__ import annotations

from collections.abc import Callable

import typer

# Beyond this, systems refuse to start threads at all.
MOST_THREADS = 1000


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


def threads(value: int | None) -> int | None:
    """Check a number of threads; negative ones count down from all.

    Examples
    --------
    >>> threads(-1)
    -1
    """
    if value == 0:
        raise typer.BadParameter("must not be 0.")
    if value is not None and value > MOST_THREADS:
        raise typer.BadParameter(f"{value:,} is more than {MOST_THREADS:,}; -1 takes all.")
    return value
