import numpy as np
import pytest

from scoredag.simulate import round_columns, sample_anm, sample_rounded

A = np.eye(3, k=1)


def test_levels_are_equally_spaced_and_span_the_range():
    X = sample_anm(A, 3000, "linear", rng=0)
    rounded = sample_rounded(A, 3000, mechanism="linear", levels=10, rng=0)
    for exact, column in zip(X.T, rounded.T, strict=True):
        values = np.unique(column.round(9))
        step = np.ptp(exact) / 9
        assert len(values) == 10
        assert np.diff(values) == pytest.approx(np.full(9, step))
        assert (column.min(), column.max()) == pytest.approx((exact.min(), exact.max()))
        assert np.abs(column - exact).max() <= step / 2 + 1e-12


def test_many_levels_change_nothing():
    X = sample_anm(A, 50, rng=1)
    assert round_columns(X, 10**9) == pytest.approx(X, abs=1e-7)


def test_a_constant_column_stays():
    assert round_columns([[2.0, 1.0], [2.0, 3.0]]).tolist() == [[2.0, 1.0], [2.0, 3.0]]


def test_levels_must_be_two():
    with pytest.raises(ValueError, match="levels must be a whole number, at least 2; got 1"):
        sample_rounded(A, 5, levels=1)
