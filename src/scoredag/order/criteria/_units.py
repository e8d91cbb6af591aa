"""How a leaf criterion depends on the units of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Criterion = TypeVar("Criterion", bound=Callable[..., object])


def scales_with_unit(exponent: float) -> Callable[[Criterion], Criterion]:
    """Note on a criterion by which power of c it changes if a column is multiplied by c.

    `scoredag.SCORE` warns about edges that rest on units where a criterion says so.

    Examples
    --------
    >>> @scales_with_unit(-4.0)
    ... def mine(field): ...
    >>> mine.unit_exponent
    -4.0
    """

    def noted(criterion: Criterion) -> Criterion:
        criterion.unit_exponent = exponent  # type: ignore[attr-defined]
        return criterion

    return noted
