"""How strongly each column is connected to each network: products of |weights| along paths.

Lachapelle et al. (2020), section 3.1: the sum over all paths from input i to the output of
network t of the products of absolute weights is zero if and only if no path is left, and then t
does not depend on i.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from scoredag.neural.networks import Networks


@dataclass(frozen=True)
class Paths:
    """Products of absolute weights along the paths through networks.

    Attributes
    ----------
    magnitudes : list of Tensor
        Absolute weights of each layer.
    to_output : list of Tensor
        For each hidden layer, (d, units, 1): the sum over all paths from a unit to the output. At
        last ones, (d, 1, 1), for the output itself.
    adjacency : Tensor of shape (d, d)
        The weighted adjacency: ``[i, j]`` is the mean over all paths from i to network j.
    count : int
        Number of paths from one input to the output.

    Examples
    --------
    >>> networks = Networks.zeros(2, [3])
    >>> _ = networks.weights[1].fill_(1.0)
    >>> _ = networks.weights[0][0, 1].fill_(-0.5)
    >>> Paths.of(networks).adjacency.tolist()
    [[0.0, 0.5], [0.0, 0.0]]
    """

    magnitudes: list[Tensor]
    to_output: list[Tensor]
    adjacency: Tensor
    count: int

    @classmethod
    def of(cls, networks: Networks) -> Paths:
        """Follow all paths, from the output back to the inputs."""
        magnitudes = [weight.abs() for weight in networks.weights]
        to_output = [torch.ones_like(networks.biases[-1])]
        for magnitude in reversed(magnitudes[1:]):
            to_output.insert(0, torch.bmm(magnitude, to_output[0]))
        count = networks.paths_per_input
        totals = (magnitudes[0] * to_output[0].squeeze(-1)).sum(-1)
        return cls(magnitudes, to_output, totals / count, count)


def add_adjacency_gradient(networks: Networks, paths: Paths, slope: Tensor, out: Networks) -> None:
    """Add the gradient of a function of the weighted adjacency to ``out``.

    Parameters
    ----------
    networks : Networks
        The networks.
    paths : Paths
        Their paths.
    slope : Tensor of shape (d, d)
        The function's derivative by each entry, ``[i, j]`` for i -> j.
    out : Networks
        What the gradient is added to.
    """
    slope = (slope / paths.count).unsqueeze(-1)
    first = slope * paths.to_output[0].squeeze(-1)
    out.weights[0].addcmul_(networks.weights[0].sign(), first)
    # The sum over all paths from the inputs to a unit, each input times its slope.
    from_inputs = (slope * paths.magnitudes[0]).sum(0).unsqueeze(1)
    for k in range(1, len(networks.weights)):
        outer = from_inputs.transpose(1, 2) * paths.to_output[k].transpose(1, 2)
        out.weights[k].addcmul_(networks.weights[k].sign(), outer)
        from_inputs = torch.bmm(from_inputs, paths.magnitudes[k])
