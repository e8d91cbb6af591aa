"""Inner products in steps are inner products."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag.regression.additive import AdditiveDesign
from scoredag.regression.bases.cubic import cubic


@pytest.mark.parametrize("products", [1.0, 24**2 * 30.0, 1e12])
def test_products_in_steps(monkeypatch, products):
    X = np.random.default_rng(0).normal(size=(100, 4))
    whole = AdditiveDesign.of(X, range(4), cubic, 6)
    monkeypatch.setattr("scoredag.regression.additive._MOST_PRODUCTS", products)
    steps = AdditiveDesign.of(X, range(4), cubic, 6)
    assert_allclose(steps.gram, whole.gram, atol=1e-9)
    assert_allclose(steps.cross, whole.cross, atol=1e-9)
