"""Networks that learn the score of every marginal of a table at once, by denoising.

With x a row of a standardised table, S a random set of columns and e normal noise, the function
f(x + sigma e, S, sigma) that predicts -e_S / sigma with the least squared error is the score of the
marginal p_S blurred by N(0, sigma^2) (Vincent, 2011). It is parametrised as

    s(x, S, sigma) = -x_S / (1 + sigma^2) + N(x, S, sigma) / (sigma sqrt(1 + sigma^2))

where the first term is the score of independent standard normal columns, and the network N, whose
target is of order one at every level of noise, learns the rest.

References
----------
P. Vincent. A connection between score matching and denoising autoencoders. Neural Computation 2011.
Y. Song and S. Ermon. Generative modeling by estimating gradients of the data distribution.
NeurIPS 2019.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scoredag.pytorch import one_torch_thread

Floats = NDArray[np.float64]
Report = Callable[[int, int], None]

# Harmonics of each column that the network gets beside the column itself, and their frequency.
_HARMONICS, _FREQUENCY = 2, 0.8
_BLOCKS = 2
_DROPOUT = 0.1
# Pairs of rows a step: a row with e and with -e, whose errors cancel to first order.
_BATCH = 128
_LEARNING_RATE, _WEIGHT_DECAY = 2e-3, 1e-2
_WARM_UP = 100  # steps
_LARGEST_NORM = 5.0  # of a gradient
_MEMORY = 0.998  # share of the past in the average of the weights, a step
# The held-out part, its loss every so many steps, and how many times without progress are enough.
_HELD_OUT, _MOST_HELD_OUT = 0.15, 5_000
_WINDOW, _PATIENCE = 100, 4
_LEAST_LOSSES = 8_000  # squared errors of rows of which a loss is the mean
_ROWS_AT_ONCE = 4096
_LOSS_SEED = 1


class _Gated(nn.Module):
    """A residual block with a product of two linear functions, one of them bounded.

    The score of an additive-noise model is a sum of such products: f'(x_j) (x_c - f(x_j)).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.into, self.out = nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.dropout = nn.Dropout(_DROPOUT)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Add the block's function."""
        values, gates = self.into(self.norm(x)).chunk(2, dim=1)
        return x + self.out(self.dropout(values * torch.tanh(gates)))


class Network(nn.Module):
    """N(x, S, sigma) of the module's docstring, zero at the beginning of training."""

    def __init__(self, d: int, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(d * (2 * _HARMONICS + 2) + 1, width)
        self.blocks = nn.Sequential(*[_Gated(width) for _ in range(_BLOCKS)])
        self.last = nn.Linear(width, d)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, x: Tensor, mask: Tensor, sigma: Tensor) -> Tensor:
        """Evaluate at n x d points; ``mask`` is 1 in S, and sigma n x 1."""
        waves = [x]
        for k in range(1, _HARMONICS + 1):
            waves += [torch.sin(k * _FREQUENCY * x), torch.cos(k * _FREQUENCY * x)]
        seen = torch.cat([wave * mask for wave in waves] + [mask, torch.log(sigma)], dim=1)
        return self.last(self.blocks(self.first(seen)))


@dataclass(frozen=True)
class Denoiser:
    """Trained networks, whose mean is the score of any set of columns of a standardised table.

    Attributes
    ----------
    networks : sequence of Network
        Each was trained without another part of the rows.
    sigma : float
        Noise that blurs the density whose score this is.
    steps : int
        Steps of training, of all networks.
    """

    networks: Sequence[Network]
    sigma: float
    steps: int

    def score(self, Z: Floats, columns: NDArray[np.intp]) -> Floats:
        """Score of the marginal of ``columns`` at the rows of Z, which has all d columns."""
        with one_torch_thread(), torch.no_grad():
            parts = [self._score(rows, columns).cpu().numpy() for rows in self._batches(Z)]
        return np.concatenate(parts)[:, columns].astype(np.float64)

    def jacobian_row(self, Z: Floats, columns: NDArray[np.intp], column: int) -> Floats:
        """The derivatives d s_l / d x_j for l = ``column``, n x m."""
        return self._derivatives(Z, columns, [column])[0][:, columns]

    def jacobian_diagonal(self, Z: Floats, columns: NDArray[np.intp]) -> Floats:
        """The derivatives d s_j / d x_j, n x m."""
        rows = self._derivatives(Z, columns, columns.tolist())
        return np.column_stack([row[:, j] for j, row in zip(columns, rows, strict=True)])

    def _derivatives(
        self, Z: Floats, columns: NDArray[np.intp], wanted: Sequence[int]
    ) -> list[Floats]:
        parts: list[list[Floats]] = [[] for _ in wanted]
        with one_torch_thread():
            for rows in self._batches(Z):
                rows.requires_grad_(True)
                score = self._score(rows, columns)
                for part, j in zip(parts, wanted, strict=True):
                    (row,) = torch.autograd.grad(score[:, j].sum(), rows, retain_graph=True)
                    part.append(row.cpu().numpy().astype(np.float64))
        return [np.concatenate(part) for part in parts]

    def _score(self, x: Tensor, columns: NDArray[np.intp]) -> Tensor:
        sigma = torch.full((1, 1), self.sigma, device=x.device)
        mask = torch.zeros(1, x.shape[1], device=x.device)
        mask[0, torch.from_numpy(columns)] = 1
        mask, sigma = mask.expand_as(x), sigma.expand(len(x), 1)
        rest = torch.stack([network(x, mask, sigma) for network in self.networks]).mean(dim=0)
        return mask * (rest / _unit(sigma) - x / (1 + sigma**2))

    def _batches(self, Z: Floats) -> Iterator[Tensor]:
        like = self.networks[0].last.weight
        for start in range(0, len(Z), _ROWS_AT_ONCE):
            part = torch.from_numpy(np.ascontiguousarray(Z[start : start + _ROWS_AT_ONCE]))
            yield part.to(like.device, like.dtype)


def train(
    Z: Floats,
    *,
    rng: np.random.Generator,
    sigma: float,
    largest_sigma: float,
    width: int,
    max_steps: int,
    members: int,
    progress: Report | None = None,
) -> Denoiser:
    """Train networks, one after the other, on the rows of a standardised table.

    Parameters
    ----------
    Z : ndarray of shape (n, d)
        The table, with columns of mean 0 and variance 1.
    rng : numpy.random.Generator
        Draws weights, batches, sets of columns and noise; PyTorch's own state is left alone.
    sigma, largest_sigma : float
        Levels of noise between which training draws, evenly in their logarithm; the score that
        comes out is that of the smallest level.
    width : int
        Hidden units of each layer.
    max_steps : int
        Steps of each network at most, over which the learning rate falls to zero.
    members : int
        Number of networks.
    progress : callable, optional
        Called with the steps done and their number.

    Examples
    --------
    >>> Z = np.random.default_rng(0).normal(size=(200, 2))
    >>> denoiser = train(
    ...     Z, rng=np.random.default_rng(0), sigma=0.3, largest_sigma=1.0, width=8, max_steps=20,
    ...     members=1,
    ... )
    >>> denoiser.score(Z, np.array([1])).shape
    (200, 1)
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = torch.from_numpy(np.ascontiguousarray(Z)).to(device, torch.float32)
    split = torch.from_numpy(rng.permutation(len(rows)))
    held = min(max(1, int(_HELD_OUT * len(rows))), _MOST_HELD_OUT)
    total, steps, networks = members * max_steps, 0, []
    loss = partial(_loss, smallest=sigma, largest=largest_sigma)
    with one_torch_thread(), _own_random_state(rows):
        for k in range(members):
            torch.manual_seed(int(rng.integers(2**31)))
            split = split.roll(held)  # another part is held out
            network = Network(rows.shape[1], width).to(device)

            def report(done: int, begun: int = k * max_steps) -> None:
                if progress is not None:
                    progress(begun + done, total)

            steps += _fit(network, loss, rows[split[held:]], rows[split[:held]], max_steps, report)
            networks.append(network.eval().requires_grad_(False))
    if progress is not None:
        progress(total, total)
    return Denoiser(networks, sigma, steps)


def _loss(network: Network, x: Tensor, smallest: float, largest: float) -> Tensor:
    """Squared error of the noise that was added, once with each sign, in random sets of columns.

    The search removes one column a step, so that it asks for sets of every size equally often.
    """
    n, d = x.shape
    mask = (torch.rand(n, d).argsort(dim=1) < torch.randint(1, d + 1, (n, 1))).to(x)
    sigma = smallest * (largest / smallest) ** torch.rand(n, 1).to(x)
    noise = torch.randn(n, d).to(x)
    e = torch.cat([noise, -noise])
    x, mask, sigma = torch.cat([x, x]), torch.cat([mask, mask]), torch.cat([sigma, sigma])
    blurred = x + sigma * e
    target = (blurred / (1 + sigma**2) - e / sigma) * _unit(sigma)
    error = (network(blurred, mask, sigma) - target) ** 2
    return (error * mask).sum() / mask.sum()


def _fit(
    network: Network,
    loss_of: Callable[[Network, Tensor], Tensor],
    rows: Tensor,
    held_out: Tensor,
    max_steps: int,
    report: Callable[[int], None],
) -> int:
    """Train one network, which ends with the average weights of least held-out loss."""
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=_LEARNING_RATE, weight_decay=_WEIGHT_DECAY
    )
    weights = list(network.parameters())
    average = [weight.detach().clone() for weight in weights]
    best, best_loss, best_step = average, math.inf, 0
    for step in range(1, max_steps + 1):
        rate = min(1.0, step / _WARM_UP) * (1 + math.cos(math.pi * step / max_steps)) / 2
        for group in optimiser.param_groups:
            group["lr"] = _LEARNING_RATE * rate
        optimiser.zero_grad(set_to_none=True)
        loss_of(network, rows[torch.randint(0, len(rows), (_BATCH,))]).backward()
        nn.utils.clip_grad_norm_(weights, _LARGEST_NORM)
        optimiser.step()
        # The average forgets the first steps sooner.
        share = max(1 - _MEMORY, 9 / (step + 9))
        for mean, weight in zip(average, weights, strict=True):
            mean.lerp_(weight.detach(), share)
        if step % _WINDOW and step != max_steps:
            continue
        report(step)
        loss = _held_out_loss(network, loss_of, held_out, average)
        if loss < best_loss:
            best, best_loss, best_step = [mean.clone() for mean in average], loss, step
        elif step - best_step >= _PATIENCE * _WINDOW:
            break
    _set(weights, best)
    return step


@torch.no_grad()
def _held_out_loss(
    network: Network,
    loss_of: Callable[[Network, Tensor], Tensor],
    held_out: Tensor,
    average: Sequence[Tensor],
) -> float:
    """Mean loss of the average weights, always with the same sets and noise."""
    weights = list(network.parameters())
    current = [weight.clone() for weight in weights]
    _set(weights, average)
    network.eval()
    repeats = math.ceil(_LEAST_LOSSES / len(held_out))
    with _own_random_state(held_out):
        torch.manual_seed(_LOSS_SEED)
        loss = sum(loss_of(network, held_out).item() for _ in range(repeats)) / repeats
    network.train()
    _set(weights, current)
    return loss


def _own_random_state(x: Tensor) -> AbstractContextManager[None]:
    """Restore PyTorch's random state in the end, also that of the GPU where x is."""
    return torch.random.fork_rng(devices=[x.device] if x.is_cuda else [])


@torch.no_grad()
def _set(weights: Sequence[Tensor], values: Sequence[Tensor]) -> None:
    for weight, value in zip(weights, values, strict=True):
        weight.copy_(value)


def _unit(sigma: Tensor) -> Tensor:
    """What makes the target of the network of order one at every level of noise."""
    return sigma * torch.sqrt(1 + sigma**2)
