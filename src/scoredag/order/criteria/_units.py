"""How a leaf criterion depends on the units of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Criterion = TypeVar("Criterion", bound=Callable[..., object])


def scales_with_unit(exponent: float) -> Callable[[Criterion], Criterion]:
    """Declare the power of c by which a criterion changes if a column is multiplied by c.

    `scoredag.SCORE` warns about edges that depend on units if its criterion declares a power.

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
