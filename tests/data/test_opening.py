"""Tables in files that are never loaded: the same numbers and the same refusals as in memory."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from pyarrow import dataset, feather, parquet

from scoredag import SCORE
from scoredag.data import check_columns, open_table, read_table
from scoredag.data.blocks import parts_of
from scoredag.data.opening import stored_size, table_in_blocks
from scoredag.exceptions import DataError, DataWarning

N = 1000


def frame(n=N):
    rng = np.random.default_rng(0)
    columns = dict(zip("abc", rng.normal(size=(3, n)), strict=True))
    return pd.DataFrame({**columns, "k": rng.integers(0, 9, n), "flag": rng.random(n) < 0.5})


def values(table):
    return np.vstack(list(table))


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 64 rows, so that a thousand rows make more than one part."""
    monkeypatch.setattr("scoredag.data.arrow_blocks.block_rows", lambda columns: 64)


@pytest.fixture
def store(tmp_path):
    def write(table, name="table.parquet", **options):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        table = table if isinstance(table, pa.Table) else pa.Table.from_pandas(table)
        parquet.write_table(table, path, **options)
        return path

    return write


def told(function):
    """What is refused, or the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function()
        except DataError as error:
            return str(error)
    return [str(entry.message) for entry in caught if entry.category is DataWarning]


@pytest.mark.parametrize("group", [1, 50, 64, 100, 640, 999, 5000])
def test_numbers_are_those_of_the_file(small_blocks, store, group):
    table = frame() if group > 1 else frame(70)
    opened = open_table(store(table, row_group_size=group))
    assert opened.names == tuple(table.columns)
    assert opened.shape == table.shape
    assert opened.whole == (False, False, False, True, False)
    assert_array_equal(values(opened), table.to_numpy(float))
    assert max(map(len, opened)) <= 64


@pytest.mark.parametrize("group", [50, 999, 5000])
def test_parts_are_the_same_blocks(small_blocks, store, group):
    opened = open_table(store(frame(2500), row_group_size=group))
    by_part = [block for part in parts_of(opened) for block in part.read(part.source)]
    assert len(parts_of(opened)) > 1
    assert sum(part.n_rows for part in parts_of(opened)) == 2500
    for mine, theirs in zip(by_part, opened, strict=True):
        assert_array_equal(mine, theirs)


def test_folder_is_read_in_the_order_of_names(store, tmp_path):
    table = frame()
    store(table[500:], "all/part-10.parquet")
    store(table[:300], "all/part-01.parquet")
    store(table[300:500][list(reversed(table.columns))], "all/part-02.pq")
    store(table, "all/_old/part-00.parquet")
    (tmp_path / "all" / "notes.md").write_text("not a table")
    opened = open_table(tmp_path / "all")
    assert_array_equal(values(opened), table.to_numpy(float))
    assert stored_size(tmp_path / "all") == (N, 5, 5)


def test_columns_in_names_of_folders_are_left_out_in_words(store, tmp_path):
    table = frame()
    store(table[:300], "all/year=2025/site=Bern/part.parquet")
    store(table[300:], "all/year=2026/site=Bern/part.parquet")
    with pytest.warns(DataWarning) as caught:
        opened = open_table(tmp_path / "all")
    assert [str(w.message) for w in caught] == [
        f"{tmp_path / 'all'}: 'year' and 'site' in the names of folders are left out, because no "
        "file has such columns. To analyse them, write them into the files."
    ]
    assert opened.names == tuple(table.columns)
    assert_array_equal(values(opened), table.to_numpy(float))
    asked = told(lambda: open_table(tmp_path / "all", select=["year", "a"]))
    assert "there is no column 'year'" in asked
    assert "'year' and 'site' in the names of folders" in asked


def test_names_of_folders_that_files_have_too_need_no_word(store, tmp_path):
    store(frame().assign(year=2026.0), "all/year=2026/part.parquet")
    assert told(lambda: open_table(tmp_path / "all")) == []


def test_tables_beside_parquet_are_left_out_in_words(store, tmp_path):
    store(frame(), "all/a.parquet")
    for name in ("b.csv", "c.parquet.gz", "_log.csv", "README.md"):
        (tmp_path / "all" / name).write_text("a\n1\n")
    assert told(lambda: open_table(tmp_path / "all")) == [
        f"{tmp_path / 'all'}: only the Parquet files of a folder are read; left out: 'b.csv' and "
        "'c.parquet.gz'. Convert them if they belong to the table."
    ]


@pytest.mark.parametrize("kind", ["parquet", "feather", "memory"])
def test_datasets(store, tmp_path, kind):
    table = frame()
    if kind == "parquet":
        source = dataset.dataset(store(table, row_group_size=300))
    elif kind == "feather":
        feather.write_feather(table, tmp_path / "t.feather", chunksize=300)
        source = dataset.dataset(tmp_path / "t.feather", format="feather")
    else:
        source = dataset.dataset(pa.Table.from_pandas(table))
    opened = table_in_blocks(source)
    assert opened.names == tuple(table.columns)
    assert_array_equal(values(opened), table.to_numpy(float))


def test_filtered_dataset_is_refused(store):
    source = dataset.dataset(store(frame())).filter(dataset.field("a") > 0)
    assert "a filtered or projected dataset cannot be read in blocks" in told(
        lambda: open_table(source)
    )


BAD = {
    "gaps": lambda t: t.assign(a=t.a.where(t.index % 300 > 0), b=t.b.where(t.index != 7, np.inf)),
    "nothing": lambda t: t.assign(b=np.nan),
    "text": lambda t: t.assign(site="Bern", k=t.k.astype(str)),
    "few words": lambda t: t.assign(c=t.c.astype(str).where(t.index != 123, "n/a")),
    "spaces": lambda t: t.assign(c=t.c.astype(str).where(t.index < 900, "  ")),
    "commas": lambda t: t.assign(c=t.c.round(3).astype(str).str.replace(".", ",")),
    "dates": lambda t: t.assign(day=pd.date_range("2026-01-01", periods=len(t))),
    "categories": lambda t: t.assign(site=pd.Categorical(["Bern"] * len(t))),
    "no name": lambda t: t.rename(columns={"k": " "}),
    "counts rows": lambda t: t.assign(k=np.arange(len(t))).rename(columns={"k": ""}),
    "text and gaps": lambda t: t.assign(site="Bern", a=t.a.where(t.index != 3), b=1.0, c=t.a * 2),
    "no numbers": lambda t: t[["a"]].astype(str),
    "too few rows": lambda t: t[:5].assign(site="x"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("incomplete", ["refuse", "drop"])
def test_same_words_as_in_memory(small_blocks, store, kind, incomplete):
    path = store(BAD[kind](frame()), row_group_size=301)

    def in_memory():
        table = read_table(path, incomplete=incomplete)
        check_columns(table.values, table.names)

    def in_blocks():
        open_table(path, incomplete=incomplete).checked()

    expected = told(in_memory)
    assert expected
    assert told(in_blocks) == expected


def test_repeated_names(store):
    table = pa.table([[1.0, 2.0], [1.0, 3.0], [2.0, 3.0]], names=["a", "b", "a"])
    path = store(table)
    assert "repeated column names: 'a' (columns 1 and 3)" in told(lambda: open_table(path))
    assert open_table(path, drop=["a"]).names == ("b",)


def test_select_drop_codes_and_dropped_rows(small_blocks, store):
    table = frame()
    table.loc[::7, "a"], table.loc[3::100, "b"] = -999, np.nan
    path = store(table, row_group_size=333)
    options = {"select": ["c", "a", "b"], "drop": ["b"], "na": ["-999"], "incomplete": "drop"}
    with pytest.warns(DataWarning, match="143 of 1,000 rows") as caught:
        opened = open_table(path, **options)
    with pytest.warns(DataWarning) as expected:
        in_memory = read_table(path, **options)
    assert [str(w.message) for w in caught] == [str(w.message) for w in expected]
    assert opened.names == in_memory.names == ("c", "a")
    assert opened.shape == in_memory.shape
    assert_array_equal(values(opened), in_memory.values)
    by_part = [block for part in parts_of(opened) for block in part.read(part.source)]
    assert_array_equal(np.vstack(by_part), in_memory.values)


def test_blocks_without_complete_rows_are_left_out(small_blocks, store):
    table = frame()
    table.loc[100:700, "a"] = np.nan
    with pytest.warns(DataWarning, match="601 of 1,000 rows"):
        opened = open_table(store(table), incomplete="drop")
    assert opened.shape == (399, 5)
    assert all(len(block) for block in opened)
    assert_array_equal(values(opened), table.dropna().to_numpy(float))


def test_code_that_no_cell_has(store):
    path = store(frame())
    expected = told(lambda: read_table(path, na=["-999", "?"]))
    assert "'-999' and '?'" in expected[0]
    assert told(lambda: open_table(path, na=["-999", "?"])) == expected


def test_rows_of_gaps_are_found_in_their_file(store, tmp_path):
    first, second = frame(300), frame(200)
    second.loc[17, "b"] = np.nan
    store(first, "all/a.parquet"), store(second, "all/b.parquet")
    assert f"'b': 1 missing (row 18 of {tmp_path / 'all' / 'b.parquet'})" in told(
        lambda: open_table(tmp_path / "all")
    )


def test_row_labels_of_pandas_are_left_out(store):
    path = store(frame().set_index("k"))
    expected = told(lambda: read_table(path))
    assert told(lambda: open_table(path)) == expected
    with pytest.warns(DataWarning):
        assert open_table(path).names == ("a", "b", "c", "flag")


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (lambda t: t.drop(columns="c"), "has no column 'c'"),
        (lambda t: t.assign(z=1.0), "alone has the column 'z'"),
        (lambda t: t.assign(c="x"), "'c' holds double in"),
    ],
)
def test_files_of_a_folder_must_be_alike(store, tmp_path, other, expected):
    store(frame(), "all/a.parquet")
    store(other(frame()), "all/b.parquet")
    assert expected in told(lambda: open_table(tmp_path / "all"))


def test_what_is_no_table(tmp_path, store):
    (tmp_path / "folder").mkdir()
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1\x15" + bytes(100))
    cases = {
        "absent.parquet": "does not exist",
        "folder": "is a directory without Parquet files",
        "table.csv": "is no Parquet file by its name",
        "broken.parquet": "cannot be read as Parquet",
        store(frame()[:0]).name: "has 5 columns and 0 rows: there is nothing to analyse",
    }
    for name, expected in cases.items():
        assert expected in told(lambda name=name: open_table(tmp_path / name))
    assert "must be a path or a dataset" in told(lambda: open_table(3))


def test_loading_gives_the_table_in_memory(store):
    path = store(frame(), row_group_size=300)
    loaded, read = open_table(path).load(), read_table(path)
    assert_array_equal(loaded.values, read.values)
    assert (loaded.names, loaded.source, loaded.whole) == (read.names, read.source, read.whole)


def test_row_labels_that_pandas_stored_are_no_columns_of_a_dataset_either(store, tmp_path):
    """In a folder, also where only some of the files have them."""
    (tmp_path / "folder").mkdir()
    store(frame().set_index(pd.Index([f"r{k}" for k in range(N)], name="row")), "folder/a.parquet")
    store(frame(), "folder/b.parquet")
    expected = ("a", "b", "c", "k", "flag")
    with pytest.warns(DataWarning, match="row labels"):
        assert open_table(tmp_path / "folder").names == expected
    with pytest.warns(DataWarning, match="row labels"):
        assert open_table(dataset.dataset(tmp_path / "folder" / "a.parquet")).names == expected


def test_a_dataset_without_rows_is_refused():
    empty = dataset.dataset(pa.table({"a": pa.array([], pa.float64())}))
    assert "nothing to analyse" in told(lambda: open_table(empty))


@pytest.mark.parametrize("kind", ["path", "dataset"])
@pytest.mark.parametrize("n", [N, N // 2, 2 * N])
def test_a_file_that_is_replaced_is_missed(store, kind, n):
    path = store(frame(), row_group_size=300)
    table = open_table(path if kind == "path" else dataset.dataset(path))
    assert len(values(table)) == N
    path.write_bytes(path.read_bytes())  # the same table at another time
    assert len(values(table)) == N
    store(frame(n).assign(a=1e3), row_group_size=300)
    with pytest.raises(DataError, match=r"table\.parquet has changed since the table was opened"):
        values(table)
    with pytest.raises(DataError, match="open the table again"):
        SCORE().fit(table)


def test_a_file_that_is_cut_short_is_missed(store):
    path = store(frame())
    table = open_table(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match="has changed since the table was opened"):
        values(table)
    path.write_bytes(b"")
    with pytest.raises(DataError, match="has changed since the table was opened"):
        values(table)
