"""One small network a column, all of them in the same few tensors.

Lachapelle et al. (2020), section 3.1: the network of column t maps the other columns to the mean
of t; its noise is Gaussian with a scale of its own. A step on a batch of 64 rows is so little
work that the number of operations decides, so all networks share each product, all parameters
are views of one vector, and the gradient is written out (half the time of automatic
differentiation; the tests compare the two).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

# PyTorch's, and so the authors', slope of leaky ReLU below zero.
SLOPE = 0.01

# One operation for a product with leaky ReLU's derivative; any other way takes three.
_back_through_leaky_relu = torch.ops.aten.leaky_relu_backward.default


@dataclass(frozen=True)
class Networks:
    """Parameters of d networks; also the shape of their gradient.

    Attributes
    ----------
    vector : Tensor of shape (size,)
        All parameters; the others are views of it.
    weights : list of Tensor
        First (d, d, units): [i, t, u] leads from column i to unit u of network t. Then, for each
        further layer, (d, units, units), and (d, units, 1) for the output.
    biases : list of Tensor
        Of each layer, (d, 1, units), the last (d, 1, 1).
    log_scale : Tensor of shape (d, 1)
        Logarithm of each column's noise scale.
    """

    vector: Tensor
    weights: list[Tensor]
    biases: list[Tensor]
    log_scale: Tensor

    @classmethod
    def zeros(cls, d: int, hidden: Sequence[int]) -> Networks:
        """Networks whose parameters are all zero.

        Examples
        --------
        >>> [tuple(W.shape) for W in Networks.zeros(3, [10, 10]).weights]
        [(3, 3, 10), (3, 10, 10), (3, 10, 1)]
        """
        widths = [*hidden, 1]
        weights = [(d, d, widths[0])]
        weights += [
            (d, fan_in, fan_out) for fan_in, fan_out in zip(hidden, widths[1:], strict=True)
        ]
        biases = [(d, 1, width) for width in widths]
        shapes = [*weights, *biases, (d, 1)]
        vector = torch.zeros(sum(map(math.prod, shapes)), dtype=torch.float64)
        parts = vector.split([math.prod(shape) for shape in shapes])
        views = [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
        return cls(vector, views[: len(widths)], views[len(widths) : -1], views[-1])

    @classmethod
    def drawn(cls, d: int, hidden: Sequence[int], rng: np.random.Generator) -> Networks:
        """Networks before training: Glorot's uniform weights, no biases, unit noise scales.

        Examples
        --------
        >>> import numpy as np
        >>> float(Networks.drawn(3, [10], np.random.default_rng(0)).log_scale.sum())
        0.0
        """
        networks = cls.zeros(d, hidden)
        gain = math.sqrt(2 / (1 + SLOPE**2))
        fan_ins = [d, *hidden]
        for weight, fan_in in zip(networks.weights, fan_ins, strict=True):
            bound = gain * math.sqrt(6 / (fan_in + weight.shape[-1]))
            weight.copy_(torch.from_numpy(rng.uniform(-bound, bound, size=weight.shape)))
        return networks

    @property
    def paths_per_input(self) -> int:
        """Number of paths from one input to the output of a network."""
        return math.prod(weight.shape[-1] for weight in self.weights)


def activations(networks: Networks, x: Tensor) -> list[Tensor]:
    """Outputs of every layer, each (d, rows, units); the last holds the means, (d, rows, 1).

    Parameters
    ----------
    networks : Networks
        Of which the weights from a column to its own network are zero.
    x : Tensor of shape (rows, d)
        Standardised rows of the table.
    """
    rows, d = x.shape
    first = torch.addmm(networks.biases[0].view(-1), x, networks.weights[0].view(d, -1))
    layers = [first.view(rows, d, -1).transpose(0, 1)]
    for weight, bias in zip(networks.weights[1:], networks.biases[1:], strict=True):
        layers[-1] = leaky_relu(layers[-1], SLOPE)
        layers.append(torch.baddbmm(bias, layers[-1], weight))
    return layers


def negative_log_likelihood(networks: Networks, x: Tensor) -> float:
    """Mean over rows and columns of the negative Gaussian log likelihood.

    Examples
    --------
    >>> import torch
    >>> networks = Networks.zeros(2, [10, 10])
    >>> x = torch.zeros(5, 2, dtype=torch.float64)
    >>> round(negative_log_likelihood(networks, x), 4)
    0.9189
    """
    means = activations(networks, x)[-1].squeeze(-1)
    z = (x.T - means) * torch.exp(-networks.log_scale)
    return float(0.5 * (z * z).mean() + networks.log_scale.mean() + 0.5 * math.log(2 * math.pi))


def likelihood_gradient(networks: Networks, x: Tensor, out: Networks) -> None:
    """Write the gradient of `negative_log_likelihood` into ``out``, by back-propagation."""
    layers = activations(networks, x)
    residuals = layers.pop().squeeze(-1) - x.T
    weighted = residuals * (torch.exp(-2 * networks.log_scale) / x.numel())
    out.log_scale.copy_(1 / x.shape[1] - (residuals * weighted).sum(1, keepdim=True))
    delta = weighted.unsqueeze(-1)  # derivative by what enters the layer's nonlinearity
    for k in range(len(layers), 0, -1):
        below = layers[k - 1]
        torch.bmm(below.transpose(1, 2), delta, out=out.weights[k])
        torch.sum(delta, 1, keepdim=True, out=out.biases[k])
        # The output layer has one unit: a product with broadcasting, not of matrices.
        weight = networks.weights[k].transpose(1, 2)
        delta = delta * weight if weight.shape[1] == 1 else torch.bmm(delta, weight.contiguous())
        delta = _back_through_leaky_relu(delta, below, SLOPE, self_is_result=True)
    torch.sum(delta, 1, keepdim=True, out=out.biases[0])
    rows, d = x.shape
    flat = delta.transpose(0, 1).reshape(rows, -1)
    torch.mm(x.T, flat, out=out.weights[0].view(d, -1))
