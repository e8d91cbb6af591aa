"""The weighted adjacency against products of matrices; the constraint against SciPy's exponential,
automatic differentiation, and its meaning.
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import expm
from torch.testing import assert_close

from scoredag.estimators.grandag.acyclicity import (
    Paths,
    acyclicity,
    add_adjacency_gradient,
    exponential,
)
from scoredag.estimators.grandag.networks import Networks
from scoredag.graph import is_dag
from tests.reference.naive_networks import (
    automatic_gradient,
    drawn_networks,
    mean_of,
    naive_adjacency,
)

seeds = st.integers(0, 1000)
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


@given(st.integers(1, 12), seeds, st.floats(1e-6, 10))
def test_the_exponential_is_scipys(d, seed, scale):
    A = scale * np.random.default_rng(seed).uniform(size=(d, d))
    assert_allclose(exponential(torch.from_numpy(A)).numpy(), expm(A), rtol=1e-10, atol=1e-300)


@given(st.integers(1, 8), seeds)
def test_the_gradient_is_the_automatic_one(d, seed):
    A = torch.from_numpy(np.random.default_rng(seed).uniform(size=(d, d))).requires_grad_()
    h = torch.trace(torch.matrix_exp(A)) - d
    value, gradient = acyclicity(A.detach())
    assert value == pytest.approx(h.item())
    assert_close(gradient.contiguous(), torch.autograd.grad(h, A)[0])


@given(st.integers(2, 8), seeds, st.floats(0.05, 0.5))
def test_it_is_zero_exactly_for_acyclic_graphs(d, seed, density):
    rng = np.random.default_rng(seed)
    A = rng.uniform(0.5, 1, size=(d, d)) * (rng.uniform(size=(d, d)) < density) * (1 - np.eye(d))
    h, _ = acyclicity(torch.from_numpy(A))
    assert (h < 1e-8) == is_dag(A)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_stays_so(bad):
    A = torch.tensor([[0.0, bad], [1.0, 0.0]], dtype=torch.float64)
    assert not math.isfinite(acyclicity(A)[0])
