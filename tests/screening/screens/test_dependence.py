import numpy as np
from numpy.testing import assert_array_equal

from scoredag.screening import rank_dependence
from scoredag.screening.screens.dependence import dependence


def test_strengths_are_dependences():
    X = np.random.default_rng(0).normal(size=(60, 4))
    assert_array_equal(dependence(X.tolist()), rank_dependence(X))
    assert (dependence(X)[~np.eye(4, dtype=bool)] > 0).all()
