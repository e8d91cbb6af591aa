"""What `check_columns` refuses, and that it lets everything else pass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.data import check_columns
from scoredag.data.checks import MIN_ROWS
from scoredag.exceptions import DataError

NAMES = ["a", "b", "c", "d"]


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(40, 4))


def message(X, names=NAMES):
    with pytest.raises(DataError) as caught:
        check_columns(X, names)
    return str(caught.value)


def test_good_table_passes(X):
    before = X.copy()
    check_columns(X, NAMES)
    assert np.array_equal(X, before)


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(MIN_ROWS, 60),
    d=st.integers(2, 80),
    unit=st.floats(1e-30, 1e30),
    offset=st.floats(-1e3, 1e3),
)
def test_random_tables_pass_in_any_units(seed, n, d, unit, offset):
    X = unit * (offset + np.random.default_rng(seed).normal(size=(n, d)))
    check_columns(X, [f"x{k}" for k in range(d)])


def test_small_integers_pass():
    X = np.random.default_rng(3).integers(0, 4, size=(20, 3)).astype(float)
    check_columns(X, NAMES[:3])


def test_nan_and_inf_are_counted_and_located(X):
    X[[3, 8], 1] = np.nan
    X[5, 2] = np.inf
    told = message(X)
    assert "2 missing (NaN) and 1 infinite cell in 2 of 4 columns" in told
    assert "'b': 2 missing (rows 3 and 8, counted from 0)" in told
    assert "'c': 1 infinite (row 5, counted from 0)" in told
    assert "remove the 3 rows concerned, fill the gaps" in told


def test_gaps_in_many_columns_are_cut_short():
    X = np.full((20, 30), np.nan)
    told = message(X, [f"x{k}" for k in range(30)])
    assert "and 20 more columns" in told
    assert len(told.splitlines()) == 13


def test_constant_columns_are_named_with_their_value(X):
    X[:, 0], X[:, 2] = 7.25, 0.0
    told = message(X)
    assert "constant columns: 'a' (always 7.25) and 'c' (always 0)" in told
    assert "leave them out" in told


def test_a_column_within_rounding_is_not_called_always_the_same(X):
    X[:, 1] += 1e15
    told = message(X)
    assert "always" not in told
    assert "constant columns: 'b' (from 99999999999999" in told
    assert "but for the rounding of 64-bit numbers" in told


def test_constant_up_to_rounding(X):
    X[:, 1] = 0.1 * 3 + np.tile([0.0, 5e-17], 20)
    assert "constant columns: 'b'" in message(X)


def test_copies(X):
    X[:, 3] = X[:, 0]
    told = message(X)
    assert "copied columns: 'a' and 'd'. Keep one of each." in told


@pytest.mark.parametrize("factor", [1.8, -1.0, 1e-3])
def test_copies_in_other_units(X, factor):
    X[:, 3] = 32 + factor * X[:, 1]
    assert "'b' and 'd' (after a shift or change of units)" in message(X)


def test_a_little_noise_makes_no_copy(X):
    X[:, 3] = X[:, 0] + 1e-5 * X[:, 3]
    check_columns(X, NAMES)


def test_many_copies_are_cut_short():
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 1)), 10, axis=1)
    assert "and 40 more. Keep one" in message(X, [f"x{k}" for k in range(10)])


def test_one_column(X):
    assert "too few columns: n_features = 1," in message(X[:, :1], ["a"])


@pytest.mark.parametrize("n", [1, MIN_ROWS - 1])
def test_too_few_rows(X, n):
    told = message(X[:n])
    assert f"n_samples = {n}" in told
    assert f"at least {MIN_ROWS}" in told


def test_just_enough_rows(X):
    check_columns(X[:MIN_ROWS], NAMES)


def test_repeated_names(X):
    assert "repeated column names: 'a' (columns 1 and 3)" in message(X, ["a", "b", "a", "d"])


@pytest.mark.parametrize("unit", [1e80, 1e-80])
def test_values_that_cannot_be_squared(X, unit):
    X[:, 2] *= unit
    told = message(X)
    assert "'c'" in told
    assert "Change the units" in told


def test_largest_floats_do_not_overflow_on_the_way(X):
    X[:, 1] = np.sign(X[:, 1]) * np.finfo(float).max
    assert "Change the units" in message(X)
