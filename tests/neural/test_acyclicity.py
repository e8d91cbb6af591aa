"""The constraint against SciPy's exponential, automatic differentiation, and its meaning."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import expm
from torch.testing import assert_close

from scoredag.graph import is_dag
from scoredag.neural.acyclicity import acyclicity, exponential

seeds = st.integers(0, 1000)


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
