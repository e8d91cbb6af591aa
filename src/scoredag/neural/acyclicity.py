"""The constraint that makes a weighted graph acyclic: h(A) = tr exp(A) - d.

Zheng et al. DAGs with NO TEARS: continuous optimization for structure learning. NeurIPS 2018. For
A >= 0 it is the weighted number of closed walks, a walk of k steps counted 1/k! times.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

# Taylor's series to this degree is exact to double precision for matrices of norm up to 1/2.
_DEGREE = 12
_NORM = 0.5


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
