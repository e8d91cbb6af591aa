"""The metrics of a table: their names for readers, which way is better, and how many digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# Means of whole numbers over ten runs have one decimal; above this the paper prints none.
LARGE = 1000.0


@dataclass(frozen=True)
class Quantity:
    """What a reader needs to know of a metric."""

    label: str
    larger_is_better: bool = False
    decimals: int | None = 1

    def text(self, value: float) -> str:
        """Write a mean, with digits that fit its size.

        Examples
        --------
        >>> Quantity("SHD").text(1.1), Quantity("SID").text(1262.4)
        ('1.1', '1262')
        >>> [Quantity("seconds", decimals=None).text(value) for value in (0.0312, 4.567, 313.2)]
        ['0.031', '4.57', '313']
        """
        return f"{value:.{self.places(value)}f}"

    def places(self, value: float) -> int:
        """Decimals for a value of this size; its standard deviation is printed with the same."""
        if self.decimals is not None:
            return 0 if abs(value) >= LARGE else self.decimals
        return next(
            (places for bound, places in ((1, 3), (10, 2), (100, 1)) if abs(value) < bound), 0
        )

    def better(self, value: float, other: float) -> bool:
        """Whether a value is at least as good as another, up to floating-point dust."""
        gain = value - other if self.larger_is_better else other - value
        return gain >= -1e-9 * max(1.0, abs(other))


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "shd": Quantity("SHD"),
        "shd_best": Quantity("SHD, best"),
        "sid": Quantity("SID"),
        "d_top": Quantity("D_top"),
        "precision": Quantity("precision", larger_is_better=True, decimals=2),
        "recall": Quantity("recall", larger_is_better=True, decimals=2),
        "order_seconds": Quantity("order, s", decimals=None),
        "prune_seconds": Quantity("pruning, s", decimals=None),
        "seconds": Quantity("time, s", decimals=None),
        "cpu_seconds": Quantity("CPU time, s", decimals=None),
        "peak_mb": Quantity("peak memory, MB", decimals=0),
    }
)


def quantity(metric: str) -> Quantity:
    """Describe a metric; one that is not known by name is taken as smaller-is-better.

    Examples
    --------
    >>> quantity("d_top").label, quantity("my_distance").label
    ('D_top', 'my_distance')
    """
    return QUANTITIES.get(metric, Quantity(metric, decimals=2))
