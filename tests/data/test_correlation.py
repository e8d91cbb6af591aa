import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from scoredag.data.correlation import r_squared_on_others, unit_columns


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(20, 100), d=st.integers(2, 6))
def test_r_squared_equals_the_regressions(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    plain = [
        LinearRegression().fit(np.delete(X, j, 1), X[:, j]).score(np.delete(X, j, 1), X[:, j])
        for j in range(d)
    ]
    adjusted = 1 - (1 - np.array(plain)) * (n - 1) / (n - d)
    np.testing.assert_allclose(r_squared_on_others(X), adjusted, atol=1e-6)


def test_unit_columns_give_correlations_in_any_units():
    X = np.random.default_rng(0).normal(size=(50, 3))
    Z = unit_columns(X * [1e-60, 1, 1e60])
    np.testing.assert_allclose(Z.T @ Z, np.corrcoef(X.T), atol=1e-12)
