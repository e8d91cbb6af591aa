"""From what users pass to numbers: nothing is converted that is no number."""

import datetime
import decimal
import fractions

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from scoredag.data.arrays import as_finite_matrix, as_matrix, frame_of
from scoredag.exceptions import DataError

VALUES = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    "table",
    [
        VALUES,
        tuple(map(tuple, VALUES)),
        np.array(VALUES, dtype=object),
        np.array(VALUES, dtype=np.float32),
        np.array(VALUES, dtype=np.int8),
        np.asfortranarray(VALUES),
        np.ma.array(VALUES),
        pd.DataFrame(VALUES),
        pd.DataFrame(VALUES, columns=["a", "a"]),
        pd.DataFrame(VALUES).astype("Int64"),
        pl.DataFrame(VALUES, orient="row"),
        pl.DataFrame(VALUES, orient="row").to_arrow(),
        [[fractions.Fraction(1), decimal.Decimal(2)], [np.float64(3), 4]],
    ],
)
def test_numbers_in_any_container(table):
    assert_array_equal(as_matrix(table), VALUES)
    assert as_matrix(table).dtype == np.float64


def test_true_and_false_are_one_and_zero():
    expected = [[1.0, 0.5], [0.0, 2.5]]
    for frame in (
        pd.DataFrame({"a": [True, False], "b": [0.5, 2.5]}),
        pl.DataFrame({"a": [True, False], "b": [0.5, 2.5]}),
        np.array([[True, 0.5], [False, 2.5]], dtype=object),
    ):
        assert_array_equal(as_matrix(frame), expected)


@pytest.mark.parametrize(
    "table",
    [
        np.ma.array(VALUES, mask=[[False, False], [False, True]]),
        [np.ma.array([1.0, 2.0]), np.ma.array([3.0, 4.0], mask=[False, True])],
        np.array([[1.0, 2.0], [3.0, None]], dtype=object),
        pd.DataFrame([[1.0, 2.0], [3.0, None]]),
        pd.DataFrame({"a": [1, 3], "b": pd.array([2, None], dtype="Int64")}),
        pd.DataFrame({"a": [1, 3], "b": pd.Series([2, pd.NA], dtype=object)}),
        pl.DataFrame({"a": [1, 3], "b": [2, None]}),
        pyarrow.table({"a": [1, 3], "b": [2, None]}),
    ],
)
def test_what_is_masked_or_missing_is_nan(table):
    assert_array_equal(as_matrix(table), [[1.0, 2.0], [3.0, np.nan]])
    with pytest.raises(DataError, match="X must hold finite numbers; column 1 has NaN"):
        as_finite_matrix(table)


def test_whole_numbers_beyond_the_floats_are_infinite():
    assert_array_equal(as_matrix([[10**400, -(10**400)], [1, 2]]), [[np.inf, -np.inf], [1, 2]])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"a": [1, 2]}, "not a dict: pandas.DataFrame makes a table"),
        (pl.LazyFrame({"a": [1, 2]}), r"not a LazyFrame, which has no rows yet: .* collect\(\)"),
        ("table.csv", "not the name of a file: scoredag.data.read_table reads files"),
        (b"table.csv", "not the name of a file"),
        (None, "not a NoneType"),
        (iter([[1, 2]]), "not a list_iterator"),
        ({(1, 2)}, "not a set"),
        (sparse.eye_array(3), r"not a sparse .*: call its method toarray\(\)"),
        (sparse.dok_array((3, 3)), "not a sparse dok_array"),
        (np.zeros(3, dtype=[("a", float), ("b", float)]), "not a structured array"),
        (np.zeros(3), r"got shape \(3,\)"),
        (np.zeros((2, 2, 2)), r"got shape \(2, 2, 2\)"),
        (3.0, r"got shape \(\)"),
        ([[1, 2], [3]], "as many in every row"),
        ([["1.5", "x"]], r"'x0' \(numbers stored as text, .*'x1' \(text, e.g. 'x'\)"),
        (np.array([["1", "2"]]), "numbers stored as text"),
        (np.array([[b"a", b"b"]]), "'x0' (text, e.g. 'a')".replace("(", r"\(").replace(")", r"\)")),
        (np.array([[1.0, "red"]], dtype=object), r"'x1' \(text, e.g. 'red'\)"),
        (np.array([["2026-11-17"]], dtype="datetime64[D]"), "dates or times, e.g. '2026-11-17'"),
        (np.array([[np.timedelta64(3, "s")]]), "dates or times"),
        (np.array([[1 + 2j]]), "complex numbers"),
        (
            np.array([[datetime.date(2026, 1, 1)]], dtype=object),
            "values of type date, first in row",
        ),
        (pd.DataFrame({"when": pd.to_datetime(["2026-01-01"])}), r"'when' \(dates or times"),
        (pd.DataFrame({"kind": pd.Categorical(["a"])}), r"'kind' \(text"),
        (pd.DataFrame({"n": ["1,5", "2,5"]}), "numbers with a decimal comma"),
        (pl.DataFrame({"s": ["x"]}), r"'s' \(text"),
        (pl.DataFrame({"s": [[1, 2]]}), r"'s' \(values of type"),
    ],
)
def test_everything_else_is_refused_in_plain_words(table, words):
    with pytest.raises(DataError, match=words):
        as_matrix(table)


def test_labels_and_whole_numbers_of_a_frame():
    frame = frame_of(pd.DataFrame({0: [1, 2], "b": [0.5, 1.5], ("c", 1): [True, False]}))
    assert frame.labels == (0, "b", ("c", 1))
    assert frame.names == ["0", "b", "('c', 1)"]
    assert frame.whole == (True, False, False)
    assert frame_of(pd.DataFrame({"a": pd.array([1, None], dtype="Int64")})).whole == (True,)
    assert frame_of(np.zeros((2, 2))) is None


@pytest.mark.parametrize("name", ["whole", "column_names", "collect", "toarray", "iloc", "columns"])
def test_columns_may_have_any_name(name):
    assert_array_equal(as_matrix(pd.DataFrame(VALUES, columns=[name, "b"])), VALUES)


def test_nested_columns_are_refused():
    nested = pl.DataFrame({"a": [[1, 2], [3, 4]]}, schema={"a": pl.Array(pl.Int64, 2)})
    records = pl.DataFrame({"a": [{"x": 1}, {"x": 2}]})
    for frame in (nested, records):
        with pytest.raises(DataError, match=r"'a' \(values of type"):
            as_matrix(frame)


def test_a_signalling_nan_is_missing():
    assert np.isnan(as_matrix([[decimal.Decimal("sNaN"), 1]])[0, 0])


def test_whole_numbers_in_an_object_column():
    assert frame_of(pd.DataFrame({"id": [2**70, 2**70 + 1]}, dtype=object)).whole == (True,)
