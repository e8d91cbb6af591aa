"""GraN-DAG's networks one at a time, with automatic differentiation: slow and easy to check."""

import torch
from torch.distributions import Normal
from torch.nn.functional import leaky_relu

from scoredag.estimators.grandag.networks import Networks


def drawn_networks(d, hidden, rng, mask=None):
    """Networks with random weights, biases and scales; [i, j] of mask is 1 where i -> j may be."""
    networks = Networks.zeros(d, hidden)
    networks.vector.copy_(torch.from_numpy(rng.normal(size=networks.vector.shape)))
    mask = 1 - torch.eye(d) if mask is None else torch.as_tensor(mask)
    networks.weights[0].mul_(mask.unsqueeze(-1))
    return networks


def mean_of(networks, t, x):
    """Mean of column t for each row of x, layer after layer as the paper writes it."""
    hidden = x @ networks.weights[0][:, t] + networks.biases[0][t]
    for weight, bias in zip(networks.weights[1:], networks.biases[1:], strict=True):
        hidden = leaky_relu(hidden) @ weight[t] + bias[t]
    return hidden[:, 0]


def naive_loss(networks, x):
    """Mean negative log likelihood over rows and columns."""
    columns = range(x.shape[1])
    log_likelihoods = [
        Normal(mean_of(networks, t, x), networks.log_scale[t].exp()).log_prob(x[:, t])
        for t in columns
    ]
    return -torch.stack(log_likelihoods).mean()


def naive_adjacency(networks):
    """[i, t]: product of the absolute weight matrices of network t, over the number of paths."""
    columns = []
    for t in range(len(networks.log_scale)):
        product = networks.weights[0][:, t].abs()
        paths = torch.ones_like(product)
        for weight in networks.weights[1:]:
            product = product @ weight[t].abs()
            paths = paths @ torch.ones_like(weight[t])
        columns.append((product / paths)[:, 0])
    return torch.stack(columns, dim=1)


def automatic_gradient(function, networks, hidden):
    """Gradient of a function of networks by all their parameters, as networks."""
    leaf = networks.vector.clone().requires_grad_()
    value = function(networks_on(leaf, networks))
    gradient = Networks.zeros(len(networks.log_scale), hidden)
    gradient.vector.copy_(torch.autograd.grad(value, leaf)[0])
    return gradient


def networks_on(vector, like):
    """Networks that are views of another vector."""
    views = [*like.weights, *like.biases, like.log_scale]
    parts = vector.split([view.numel() for view in views])
    shaped = [part.view(view.shape) for part, view in zip(parts, views, strict=True)]
    k = len(like.weights)
    return Networks(vector, shaped[:k], shaped[k:-1], shaped[-1])
