"""RMSprop: steps scaled by the recent size of each derivative."""

from __future__ import annotations

import torch
from torch import Tensor

# PyTorch's, and so the authors', defaults.
_DECAY = 0.99
_EPSILON = 1e-8


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
