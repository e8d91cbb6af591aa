"""Spellings of missing values, and rows that are left out for them."""

import numpy as np
import pandas as pd
import pytest

from scoredag.data import read_table
from scoredag.exceptions import DataError, DataWarning

TEXT = "a,b\n1,2\n?,3\n4,-999\n5,6\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(TEXT)
    return file


def test_other_spellings_are_missing(path):
    with pytest.raises(DataError) as caught:
        read_table(path, na=["?", "-999"])
    told = str(caught.value)
    assert "2 missing (NaN) cells in 2 of 2 columns" in told
    assert "'a': 1 missing (line 3)" in told
    assert "'b': 1 missing (line 4)" in told


def test_incomplete_rows_can_be_dropped(path):
    with pytest.warns(DataWarning, match="2 of 4 rows of .*table.csv were left out"):
        table = read_table(path, na=["?", "-999"], incomplete="drop")
    assert table.values.tolist() == [[1.0, 2.0], [5.0, 6.0]]


def test_a_number_is_missing_however_it_is_written(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n-999.0,3\n4,-9.99e2\n5,6\n")
    with pytest.warns(DataWarning, match="2 of 4 rows"):
        assert len(read_table(path, na=["-999"], incomplete="drop")) == 2


def test_codes_in_a_columnar_file(tmp_path):
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": [1.0, -999.0, 3.0], "b": [1, 2, 3]}).to_parquet(path)
    with pytest.warns(DataWarning, match="1 of 3 rows"):
        assert read_table(path, na=["-999"], incomplete="drop").values.tolist() == [[1, 1], [3, 3]]


def test_infinite_cells_are_dropped_too(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\ninf,3\n4,5\n")
    with pytest.warns(DataWarning, match="1 of 3 rows"):
        assert len(read_table(path, incomplete="drop")) == 2


def test_no_row_is_left(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,\n,3\n")
    with pytest.raises(DataError, match="every row has a missing or an infinite cell"):
        read_table(path, incomplete="drop")


def test_complete_tables_are_silent(tmp_path, recwarn):
    path = tmp_path / "table.csv"
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["a", "b"])
    frame.to_csv(path, index=False)
    assert len(read_table(path, incomplete="drop")) == 20
    assert not recwarn.list


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_spelling_that_no_cell_has_is_named(tmp_path, suffix):
    path = tmp_path / f"table.{suffix}"
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["a", "b"])
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    with pytest.warns(DataWarning, match=r"no cell of .* is '\?' and '-99', which should stand"):
        read_table(path, na=["?", "-99"])


def test_the_option_is_checked(path):
    with pytest.raises(DataError, match="incomplete must be 'refuse' or 'drop', got 'fill'"):
        read_table(path, incomplete="fill")


@pytest.mark.parametrize("spelling", ["-99", "a", "9", "99", "-9_99"])
def test_a_part_of_a_cell_is_no_spelling(path, spelling):
    with (
        pytest.warns(DataWarning, match=f"no cell of .* is '{spelling}'"),
        pytest.warns(DataWarning, match="1 of 4 rows"),
    ):
        read_table(path, na=["?", spelling], incomplete="drop")
