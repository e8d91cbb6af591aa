import numpy as np
from numpy.testing import assert_allclose

from scoredag.data.standardise import standardise


def test_without_rounding_a_value_far_from_all_others_leaves_the_rest():
    x = np.append(np.random.default_rng(0).normal(size=50), 1e12)
    assert len(np.unique(standardise(x))) == 2
    assert len(np.unique(standardise(x, decimals=None))) == 51


def test_all_decimals_are_those_of_the_formula():
    X = np.random.default_rng(0).normal(size=(40, 3)) * [1e-30, 1.0, 1e30] + [0.0, 5.0, 0.0]
    Z = standardise(X, decimals=None)
    assert_allclose(Z, (X - X.mean(axis=0)) / X.std(axis=0), rtol=1e-12, atol=1e-12)
    assert_allclose(standardise(X), Z, atol=1e-7)
