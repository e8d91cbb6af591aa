"""All networks at once against one network at a time with automatic differentiation."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from scoredag.estimators.grandag.networks import (
    Networks,
    activations,
    likelihood_gradient,
    negative_log_likelihood,
)
from tests.reference.naive_networks import (
    automatic_gradient,
    drawn_networks,
    mean_of,
    naive_loss,
)

sizes = st.tuples(st.integers(2, 5), st.lists(st.integers(1, 4), min_size=1, max_size=3))


@given(sizes, st.integers(1, 9), st.integers(0, 1000))
def test_loss_and_gradient_are_those_of_single_networks(size, rows, seed):
    rng = np.random.default_rng(seed)
    networks = drawn_networks(*size, rng)
    x = torch.from_numpy(rng.normal(size=(rows, size[0])))
    means = activations(networks, x)[-1].squeeze(-1)
    for t in range(size[0]):
        assert_close(means[t], mean_of(networks, t, x))
    assert negative_log_likelihood(networks, x) == pytest.approx(naive_loss(networks, x).item())
    gradient = Networks.zeros(*size)
    likelihood_gradient(networks, x, out=gradient)
    expected = automatic_gradient(lambda copy: naive_loss(copy, x), networks, size[1])
    assert_close(gradient.vector, expected.vector)


def test_the_gradient_overwrites_what_was_there():
    networks = drawn_networks(3, [4], np.random.default_rng(0))
    x = torch.ones(5, 3, dtype=torch.float64)
    gradients = [Networks.zeros(3, [4]), Networks.zeros(3, [4])]
    gradients[1].vector.fill_(7.0)
    for gradient in gradients:
        likelihood_gradient(networks, x, out=gradient)
    assert_close(gradients[1].vector, gradients[0].vector)


def test_initial_weights_are_glorots():
    networks = Networks.drawn(8, [10, 10], np.random.default_rng(0))
    gain = math.sqrt(2 / (1 + 0.01**2))  # of leaky ReLU
    for weight, fans in zip(networks.weights, [18, 20, 11], strict=True):
        bound = gain * math.sqrt(6 / fans)
        assert 0.95 * bound < weight.abs().max() <= bound
        assert abs(weight.mean()) < 0.1 * bound
    assert all((bias == 0).all() for bias in networks.biases)
    assert networks.vector.shape == (8 * (80 + 10 + 100 + 10 + 10 + 1 + 1),)
