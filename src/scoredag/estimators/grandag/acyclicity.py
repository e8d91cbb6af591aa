"""The graph that networks span, and the constraint that makes it acyclic.

Lachapelle et al. (2020), section 3.1: the sum over all paths from input i to the output of network
t of the products of absolute weights is zero if and only if no path is left, and then t does not
depend on i. These sums are the weighted adjacency A of a graph.

Zheng et al. DAGs with NO TEARS: continuous optimization for structure learning. NeurIPS 2018: the
graph of A >= 0 is acyclic if and only if h(A) = tr exp(A) - d is zero, the weighted number of
closed walks, a walk of k steps counted 1/k! times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from scoredag.estimators.grandag.networks import Networks

# Taylor's series to this degree is exact to double precision for matrices of norm up to 1/2.
_DEGREE = 12
_NORM = 0.5


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


def acyclicity(A: Tensor) -> tuple[float, Tensor]:
    """The constraint and its gradient.

    Parameters
    ----------
    A : Tensor of shape (d, d)
        Non-negative weights, ``A[i, j]`` of i -> j.

    Returns
    -------
    h : float
        tr exp(A) - d, zero if and only if the graph is acyclic.
    gradient : Tensor of shape (d, d)
        Its derivative by each weight, exp(A) transposed.

    Examples
    --------
    >>> import torch
    >>> acyclicity(torch.tensor([[0.0, 1.0], [0.0, 0.0]], dtype=torch.float64))[0]
    0.0
    >>> cycle = torch.tensor([[0.0, 1.0], [1.0, 0.0]], dtype=torch.float64)
    >>> round(acyclicity(cycle)[0], 6)  # 2 cosh(1) - 2
    1.086161
    """
    E = exponential(A)
    return E.trace().item() - len(A), E.T


def exponential(A: Tensor) -> Tensor:
    """Matrix exponential, for matrices without negative entries.

    Taylor's series of a scaled matrix, by Horner's rule, squared back. Nothing cancels without
    negative entries, and for the small matrices here it is faster than `torch.matrix_exp`.

    Examples
    --------
    >>> import torch
    >>> exponential(torch.tensor([[0.0, 2.0], [0.0, 0.0]], dtype=torch.float64)).tolist()
    [[1.0, 2.0], [0.0, 1.0]]
    """
    norm = A.sum(0).max().item()
    halvings = max(0, math.ceil(math.log2(norm / _NORM))) if 0 < norm < math.inf else 0
    scaled, identity = A * 0.5**halvings, torch.eye(len(A), dtype=A.dtype)
    E = identity
    for k in range(_DEGREE, 0, -1):
        E = torch.addmm(identity, scaled, E, alpha=1 / k)
    for _ in range(halvings):
        E = E @ E
    return E
