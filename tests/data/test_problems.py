"""All that is wrong with a table is named at once."""

import numpy as np
import pandas as pd
import pytest

from scoredag import SCORE
from scoredag.data import check_columns, read_table
from scoredag.data.checks import refuse
from scoredag.exceptions import DataError


@pytest.fixture
def frame():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 7)), columns=list("abcdefg"))
    frame["b"] = "red"
    frame["c"] = 1.5
    frame.loc[4, "d"] = np.nan
    frame["e"] = 2 * frame["a"] + 1
    frame["f"] *= 1e80
    return frame


def assert_all_named(told):
    assert "5 problems:\n- " in told
    assert "'b'" in told
    assert "text, e.g. 'red'" in told
    assert "'d': 1 missing" in told
    assert "constant columns: 'c' (always 1.5)" in told
    assert "too large or too small to be squared: 'f'" in told
    assert "copied columns: 'a' and 'e'" in told
    assert "'g'" not in told


def test_of_a_file(frame, tmp_path):
    frame.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(DataError) as caught:
        read_table(tmp_path / "table.csv")
    assert_all_named(str(caught.value))


def test_of_a_data_frame(frame):
    with pytest.raises(DataError) as caught:
        SCORE().fit(frame)
    assert_all_named(str(caught.value))


def test_of_a_matrix():
    X = np.random.default_rng(0).normal(size=(8, 3))
    X[:, 0], X[2, 1] = 1.0, np.inf
    with pytest.raises(DataError) as caught:
        check_columns(X, ["a", "b", "b"])
    told = str(caught.value)
    assert "4 problems" in told
    assert all(
        words in told
        for words in ("repeated column names", "n_samples = 8", "1 infinite cell", "'a' (always 1)")
    )


def test_names_are_checked_together_with_values(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,,a,b\n" + "".join(f"{k},{k},{k * k},7\n" for k in range(12)))
    with pytest.raises(DataError) as caught:
        read_table(path)
    told = str(caught.value)
    assert "column 2 has no name in the header" in told
    assert "repeated column names: 'a' (columns 1 and 3)" in told
    assert "constant columns: 'b'" in told


def test_one_problem_is_a_sentence():
    with pytest.raises(DataError, match=r"^table\.csv: wrong\.$"):
        refuse([None, "wrong."], "table.csv")
