"""What `warn_about` warns of: once a kind, naming the columns, and nothing on good tables."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.data import warn_about
from scoredag.exceptions import DataWarning

NAMES = ["a", "b", "c", "d"]


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(200, 4))


def caution(X, names=NAMES, **options):
    """Return the text of all warnings, one a line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_about(X, names, **options)
    assert all(entry.category is DataWarning for entry in caught)
    assert all(entry.filename == __file__ for entry in caught)
    return [str(entry.message) for entry in caught]


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(100, 300), d=st.integers(2, 20))
def test_good_tables_are_silent(seed, n, d):
    X = np.random.default_rng(seed).normal(size=(n, d))
    assert caution(X, [f"x{k}" for k in range(d)]) == []


def test_whole_numbers(X):
    X[:, 1] = np.rint(1000 * X[:, 1])
    (told,) = caution(X)
    assert "'b' (whole numbers)" in told
    assert "continuous" in told


def test_floats_too_large_to_have_a_fraction_are_not_called_whole(X):
    assert caution(X * 1e18) == []


def test_numbers_of_sixteen_digits(X):
    X[:, 1] = 1e16 + 2 * np.random.default_rng(1).permutation(200)
    (told,) = caution(X, units_matter=False)
    assert "'b' (whole numbers)" in told


def test_random_identifiers_that_were_stored_as_whole_numbers(X):
    X[:, 1] = np.random.default_rng(1).integers(10**17, 9 * 10**17, size=200)
    assert caution(X, units_matter=False) == []  # as floats they look like any measurement
    (told,) = caution(X, units_matter=False, whole=[False, True, False, False])
    assert "'b' (whole numbers)" in told


@pytest.mark.parametrize(
    ("rows", "values", "words"),
    [
        ([7], -999, "'b' (1 row at -999, the others between"),
        ([7, 9, 30], -9999, "'b' (3 rows at -9999"),
        ([7, 9], [-999, 999], "'b' (2 rows at -999 and 999"),
        ([7, 9], [-999, -998], "'b' (2 rows at -999 and -998"),
        ([1], 1e30, "'b' (1 row at 1e+30"),
    ],
)
def test_codes_for_missing_values(X, rows, values, words):
    X[rows, 1] = values
    (told,) = caution(X, units_matter=False)
    assert words in told
    assert "A code for missing values, or a typing error?" in told


def test_a_code_among_temperatures_and_in_rain(X):
    X[:, 0] = 15 + 8 * X[:, 0]
    X[3, 0] = -99
    X[:, 1] = np.where(X[:, 1] > 0.8, X[:, 1], 0.0)
    X[5, 1] = -999
    told = [message for message in caution(X) if "far from all others" in message]
    assert "'a' (1 row at -99" in told[0]
    assert "'b' (1 row at -999" in told[0]


def test_codes_do_not_depend_on_units(X):
    X[7, 1] = -999
    for unit in (1e-12, 1e12):
        (told,) = caution(X * unit, units_matter=False)
        assert "values far from all others: 'b'" in told


@pytest.mark.parametrize("draw", ["laplace", "standard_exponential", "normal"])
def test_heavy_tails_are_no_codes(draw):
    rng = np.random.default_rng(3)
    X = np.column_stack([getattr(rng, draw)(size=400) for _ in range(10)])
    assert sum("far from all others" in told for told in caution(X, list("abcdefghij"))) == 0


def test_mostly_equal_values_are_no_codes(X):
    X[:, 1] = 0.0
    X[:20, 1] = np.random.default_rng(1).normal(size=20)
    assert not any("far from" in told for told in caution(X))


def test_few_values_and_row_numbers(X):
    X[:, 0] = np.rint(X[:, 0])
    X[:, 2] = np.round(X[:, 2], 0) / 4
    X[:, 3] = np.arange(200) + 17
    told, about_steps = caution(X)
    assert "'d' changes by the same step from row to row" in about_steps
    assert "'a' (" in told
    assert "'c' (" in told
    assert "values)" in told
    assert "'d' (counts the rows)" in told
    assert "'b'" not in told


def test_one_value_in_many_rows(X):
    X[:, 1] = np.maximum(X[:, 1], 0.0)
    (told,) = caution(X)
    assert "of the rows at 0)" in told


def test_rounding_to_three_digits_is_silent(X):
    assert caution(np.round(X, 3)) == []


def test_more_columns_than_rows():
    X = np.random.default_rng(0).normal(size=(60, 80))
    (told,) = caution(X, [f"x{k}" for k in range(80)])
    assert "more columns than rows (80 columns, 60 rows)" in told


@pytest.mark.parametrize(("n", "d"), [(49, 3), (60, 20)])
def test_few_rows(n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    (told,) = caution(X, [f"x{k}" for k in range(d)])
    assert f"only {n} rows for {d} columns" in told


def test_near_collinearity(X):
    X[:, 3] = X[:, 0] + X[:, 1] + 0.01 * X[:, 3]
    (told,) = caution(X)
    assert "nearly collinear columns: 'a', 'b' and 'd'" in told
    assert "99.9%" in told


def test_exact_collinearity(X):
    X[:, 3] = X[:, 0] - 2 * X[:, 1]
    (told,) = caution(X)
    assert "nearly collinear columns: 'a', 'b' and 'd'" in told


def test_strong_dependence_is_not_collinearity(X):
    X[:, 3] = X[:, 0] + X[:, 1] + 0.1 * X[:, 3]
    assert caution(X) == []


def test_scales(X):
    (told,) = caution(X * [1, 1, 2000, 1])
    assert "scales differ by a factor of" in told
    assert "to 'c'" in told
    assert told.endswith("standardise the columns.")
    assert "criterion" not in told


def test_a_huge_factor_is_short(X):
    (told,) = caution(X * [1, 1, 1e60, 1])
    assert re.search(r"a factor of \d\.\d\de\+60:", told)


def test_scales_do_not_matter_to_methods_without_units(X):
    assert caution(X * [1, 1, 2000, 1], units_matter=False) == []
    assert caution(X * [1, 1, 500, 1]) == []


def test_long_lists_are_cut_short():
    X = np.random.default_rng(0).integers(0, 1000, size=(200, 17)).astype(float)
    (told,) = caution(X, [f"x{k}" for k in range(17)])
    assert "'x4' (whole numbers) and 12 more" in told


def test_each_kind_warns_once(X):
    X[:, 3] = np.rint(X[:, 0] + X[:, 1]) * 5000
    X[:, 2] = X[:, 0] + 0.001 * X[:, 2]
    assert len(caution(X)) == 3
