"""How the constrained problem is solved: the augmented Lagrangian, and RMSprop for its steps.

Lachapelle et al. (2020), section 3.3: minimise loss + lambda h + mu/2 h^2, raise lambda and mu,
repeat until h is as good as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

# The authors' constants.
_MU = 1e-3
_MU_FACTOR = 10.0
_SUFFICIENT_DROP = 0.9
_FLAT = 1e-4
# PyTorch's, and so the authors', defaults.
_DECAY = 0.99
_EPSILON = 1e-8


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


class RMSprop:
    """Hinton's RMSprop for one vector of parameters.

    Parameters
    ----------
    vector : Tensor of shape (size,)
        The parameters; `step` changes them in place.
    learning_rate : float
        Size of a step.

    Examples
    --------
    >>> import torch
    >>> vector = torch.tensor([1.0, -1.0])
    >>> RMSprop(vector, 0.01).step(torch.tensor([4.0, -0.5]))
    >>> vector
    tensor([ 0.9000, -0.9000])
    """

    def __init__(self, vector: Tensor, learning_rate: float) -> None:
        self._vector = vector
        self._learning_rate = learning_rate
        self._squares = torch.zeros_like(vector)

    def step(self, gradient: Tensor) -> None:
        """Move the parameters against a gradient."""
        self._squares.mul_(_DECAY).addcmul_(gradient, gradient, value=1 - _DECAY)
        size = self._squares.sqrt().add_(_EPSILON)
        self._vector.addcdiv_(gradient, size, value=-self._learning_rate)

    def forget(self) -> None:
        """Start afresh, as for a new problem."""
        self._squares.zero_()
