"""The weighted adjacency against products of matrices, and what it is for."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from scoredag.neural.connectivity import Paths, add_adjacency_gradient
from scoredag.neural.networks import Networks
from tests.reference.naive_networks import (
    automatic_gradient,
    drawn_networks,
    mean_of,
    naive_adjacency,
)

sizes = st.tuples(st.integers(2, 5), st.lists(st.integers(1, 4), min_size=1, max_size=3))


@given(sizes, st.integers(0, 1000))
def test_adjacency_and_gradient_are_those_of_single_networks(size, seed):
    rng = np.random.default_rng(seed)
    networks = drawn_networks(*size, rng)
    slope = torch.from_numpy(rng.normal(size=(size[0], size[0])))
    paths = Paths.of(networks)
    assert_close(paths.adjacency, naive_adjacency(networks))
    expected = automatic_gradient(
        lambda copy: (slope * naive_adjacency(copy)).sum(), networks, size[1]
    )
    gradient = Networks.zeros(*size)
    gradient.vector.fill_(1.0)
    add_adjacency_gradient(networks, paths, slope, out=gradient)
    assert_close(gradient.vector - 1, expected.vector)


def test_a_column_matters_to_a_network_exactly_where_the_adjacency_is_positive():
    rng = np.random.default_rng(0)
    mask = rng.integers(2, size=(5, 5)) * (1 - np.eye(5))
    networks = drawn_networks(5, [10, 10], rng, mask)
    x = torch.from_numpy(rng.normal(size=(20, 5))).requires_grad_()
    depends = torch.zeros(5, 5)
    for t in range(5):
        (slopes,) = torch.autograd.grad(mean_of(networks, t, x).sum(), x)
        depends[:, t] = (slopes != 0).any(0)
    np.testing.assert_array_equal(Paths.of(networks).adjacency > 0, mask != 0)
    np.testing.assert_array_equal(depends, mask)
