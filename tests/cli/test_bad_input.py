"""Bad input ends with exit code 2, a sentence that names the columns, and no traceback.

One test for every case of the project's list; what each message says in full is tested with the
reader and the checks.
"""

import gzip

import numpy as np
import pandas as pd
import pytest

from scoredag.datasets import load_sachs

N = 60


@pytest.fixture
def frame():
    values = np.random.default_rng(0).normal(size=(N, 4))
    return pd.DataFrame(values, columns=["a", "b", "c", "d"])


@pytest.fixture
def refused(run, tmp_path):
    """Run `discover` on a file of this content, and return what it complains about."""

    def complain(content, *options, name="table.csv"):
        path = tmp_path / name
        if isinstance(content, pd.DataFrame):
            content = content.to_csv(index=False)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        result = run("discover", path, *options)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
        assert result.stderr.startswith("Error: ")
        return result.stderr

    return complain


@pytest.fixture
def warned(run, tmp_path):
    def warn(frame, *options):
        path = tmp_path / "table.csv"
        frame.to_csv(path, index=False)
        result = run("discover", path, *options)
        assert result.exit_code == 0, result.output
        assert result.stderr.startswith("Warning: ")
        return result.stderr

    return warn


def test_nan(refused, frame):
    frame.loc[[3, 7], "b"] = np.nan
    told = refused(frame)
    assert "table.csv: 2 missing (NaN) cells in 1 of 4 columns" in told
    assert "'b': 2 missing (lines 5 and 9)" in told
    assert "remove the 2 rows concerned, fill the gaps, or leave the columns out" in told


def test_infinity(refused, frame):
    frame.loc[5, "c"] = -np.inf
    assert "'c': 1 infinite (line 7)" in refused(frame)


def test_constant_column(refused, frame):
    told = refused(frame.assign(b=1.5))
    assert "table.csv: constant columns: 'b' (always 1.5)" in told


def test_constant_column_is_called_so_when_standardised(refused, frame):
    assert "constant columns: 'b'" in refused(frame.assign(b=1.5), "--standardize")


def test_duplicate_columns(refused, frame):
    told = refused(frame.assign(d=frame["a"]))
    assert "copied columns: 'a' and 'd'. Keep one of each." in told


def test_text_and_categorical_columns(refused, frame):
    told = refused(frame.assign(group=["red", "blue"] * (N // 2), day="2021-03-04"))
    assert "2 columns cannot be read as numbers" in told
    assert "'group': text, e.g. 'red'" in told
    assert "'day': dates or times, e.g. '2021-03-04'" in told
    assert "--drop group,day" in told


def test_the_suggested_drop_works(run, frame, tmp_path):
    path = tmp_path / "table.csv"
    frame.assign(group="red").to_csv(path, index=False)
    assert run("discover", path, "--drop", "group").exit_code == 0


@pytest.mark.parametrize("rows", [1, 9])
def test_too_few_rows(refused, frame, rows):
    assert f"n_samples = {rows}" in refused(frame.head(rows))


def test_one_column(refused, frame):
    assert "too few columns: n_features = 1," in refused(frame[["a"]])
    assert "too few columns: n_features = 1," in refused(frame, "--select", "a")


def test_repeated_names(refused, frame):
    frame.columns = ["a", "b", "a", "d"]
    assert "repeated column names: 'a' (columns 1 and 3)" in refused(frame)


def test_empty_file(refused):
    assert "table.csv is empty" in refused("")


def test_header_without_rows(refused):
    assert "has a header (2 columns) but no rows" in refused("a,b\n")


def test_ragged_csv(refused, frame):
    lines = frame.to_csv(index=False).splitlines()
    lines[10] += ",1.0"
    assert "line 11 has 5 fields, expected 4 as in line 1" in refused("\n".join(lines))
    lines[10] = "1.0,2.0"
    assert "line 11 has 2 fields, expected 4 as in line 1" in refused("\n".join(lines))


def test_missing_file(run):
    result = run("discover", "no_such_table.csv")
    assert result.exit_code == 2
    assert result.stderr == "Error: no_such_table.csv does not exist.\n"


def test_directory(run, tmp_path):
    result = run("discover", tmp_path)
    assert result.exit_code == 2
    assert "is a directory" in result.stderr


def test_binary_file(refused):
    assert "holds binary data" in refused(bytes(range(256)) * 20)


@pytest.mark.parametrize("kind", ["parquet", "gzip", "json"])
def test_another_format_behind_csv(refused, frame, kind):
    content = {
        "parquet": frame.to_parquet,
        "gzip": lambda: gzip.compress(frame.to_csv().encode()),
        "json": lambda: frame.to_json().encode(),
    }[kind]()
    assert "is named like a text table but holds a" in refused(content)


def test_unknown_suffix(refused):
    assert "the suffixes that can be read are .csv" in refused("a,b\n1,2\n", name="table.xyz")


def test_unknown_columns(refused, frame):
    assert "--select: there is no column 'A1'" in refused(frame, "--select", "A1")
    assert "--drop: there is no column 'z'" in refused(frame, "--drop", "z")


def test_whole_numbers_and_ties_are_warned_about(warned, frame):
    told = warned(frame.assign(b=np.arange(N) % 3))
    assert "'b' (3 values)" in told
    assert "continuous noise" in told


def test_more_columns_than_rows_are_warned_about(warned):
    values = np.random.default_rng(0).normal(size=(12, 15))
    told = warned(pd.DataFrame(values).add_prefix("x"), "-m", "varsort")
    assert "more columns than rows (15 columns, 12 rows)" in told


def test_near_collinearity_is_warned_about(warned, frame):
    told = warned(frame.assign(d=frame["a"] + frame["b"] + 0.001 * frame["d"]))
    assert "nearly collinear columns: 'a', 'b' and 'd'" in told


def test_scales_are_warned_about(warned, frame):
    told = warned(frame * [1, 1, 5000, 1], "--method", "score")
    assert "scales differ by a factor of" in told
    assert "--standardize" in told


def test_an_order_of_variances_is_warned_about(warned):
    sachs = load_sachs()
    told = warned(pd.DataFrame(sachs.X, columns=sachs.names), "--method", "score")
    assert "10 of 10 edges point from a column to one of higher variance" in told
    assert "sorting by variance already explains this graph" in told
