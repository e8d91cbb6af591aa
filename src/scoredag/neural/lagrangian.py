"""The augmented Lagrangian: a sequence of problems without constraint that ends at one with it.

Lachapelle et al. (2020), section 3.3: minimise loss + lambda h + mu/2 h^2, raise lambda and mu,
repeat until h is as good as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# The authors' constants.
_MU = 1e-3
_MU_FACTOR = 10.0
_SUFFICIENT_DROP = 0.9
_FLAT = 1e-4


@dataclass
class AugmentedLagrangian:
    """The multiplier and the penalty, and when to raise them.

    Attributes
    ----------
    multiplier : float
        lambda, the price of h.
    penalty : float
        mu, the price of h^2 / 2.

    Examples
    --------
    >>> problem = AugmentedLagrangian()
    >>> problem.tighten(2.0)
    >>> problem.multiplier, problem.penalty
    (0.002, 0.001)
    >>> problem.tighten(1.9)  # more than 0.9 times its last value
    >>> problem.penalty
    0.01
    """

    multiplier: float = 0.0
    penalty: float = _MU
    _last: float | None = field(default=None, init=False, repr=False)

    def cost(self, h: float) -> float:
        """What the constraint adds to the loss, lambda h + mu/2 h^2."""
        return self.multiplier * h + 0.5 * self.penalty * h**2

    def slope(self, h: float) -> float:
        """Derivative of `cost` by h."""
        return self.multiplier + self.penalty * h

    def tighten(self, h: float) -> None:
        """Raise the multiplier, and the penalty unless h fell enough since the last time."""
        self.multiplier += self.penalty * h
        if self._last is not None and h > _SUFFICIENT_DROP * self._last:
            self.penalty *= _MU_FACTOR
        self._last = h


def has_settled(objectives: Sequence[float], window: int) -> bool:
    """Whether a problem is solved, from its objective on validation rows.

    Parameters
    ----------
    objectives : sequence of float
        The objective so far, ``window`` steps apart; the last three count.
    window : int
        Steps between two of them.

    Returns
    -------
    bool
        True where the objective rises, or hardly falls. False where it goes up and down: that is
        noise and says nothing yet.

    Examples
    --------
    >>> has_settled([1.0, 0.9, 0.8], 100), has_settled([0.8, 0.9, 1.0], 100)
    (False, True)
    >>> has_settled([1.0, 0.9, 1.0], 100), has_settled([0.8004, 0.8002, 0.8], 100)
    (False, True)
    """
    if len(objectives) < 3:
        return False
    start, middle, end = objectives[-3:]
    steady = min(start, end) < middle < max(start, end)
    return steady and (end - start) / window > -_FLAT
