"""Files in, tables out; what cannot be read is refused in words that lead to a fix."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from scoredag.data import read_table
from scoredag.exceptions import DataError, DataWarning

GOOD = "a,b,c\n1,2.5,3\n4,-5e3,6\n"
VALUES = [[1.0, 2.5, 3.0], [4.0, -5000.0, 6.0]]


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def message(path, **options):
    with pytest.raises(DataError) as caught:
        read_table(path, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (GOOD, "table.csv"),
        (GOOD, "TABLE.CSV"),
        (GOOD.replace(",", "\t"), "table.tsv"),
        (GOOD.replace(",", "\t"), "table.csv"),
        (GOOD.replace(",", ";"), "table.csv"),
        (GOOD.replace(",", "|"), "table.txt"),
        (GOOD.replace("\n", "\r\n"), "table.csv"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "table.csv"),
        (GOOD.rstrip(), "table.csv"),
        ("\n\n" + GOOD.replace("\n", "\n\n"), "table.csv"),
        (GOOD.replace(",", " , "), "table.csv"),
        ('"a","b","c"\n"1","2.5","3"\n"4","-5e3","6"\n', "table.csv"),
    ],
)
def test_text_tables(write, content, name):
    table = read_table(write(content, name))
    assert table.names == ("a", "b", "c")
    assert table.values.tolist() == VALUES
    assert table.values.dtype == np.float64
    assert table.source.endswith(name)


@pytest.mark.parametrize("name", ["table.parquet", "table.pq", "table.feather", "table.arrow"])
def test_columnar_files(tmp_path, name):
    frame = pd.DataFrame(VALUES, columns=list("abc")).astype({"a": "int32", "c": "float32"})
    path = tmp_path / name
    frame.to_feather(path) if name.endswith(("feather", "arrow")) else frame.to_parquet(path)
    table = read_table(path)
    assert table.names == ("a", "b", "c")
    assert table.values.tolist() == VALUES


def test_an_index_that_pandas_stored_is_no_column(tmp_path):
    path = tmp_path / "table.parquet"
    frame = pd.DataFrame(VALUES, columns=list("abc"), index=["first", "second"])
    frame.rename_axis("site").to_parquet(path)
    with pytest.warns(DataWarning, match=r"row labels .* left out \('site'\).*reset_index"):
        assert read_table(path).names == ("a", "b", "c")


@pytest.mark.parametrize("notes", [b"", b"\xff", b"[]", b"{}", b'{"index_columns": 3}'])
def test_broken_notes_of_pandas_do_not_matter(tmp_path, notes):
    path = tmp_path / "table.parquet"
    table = pyarrow.table({"a": [1.0, 2.0]}).replace_schema_metadata({b"pandas": notes})
    parquet.write_table(table, path)
    assert read_table(path).values.tolist() == [[1], [2]]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads as Linux does")
@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_arrow_starts_no_threads(tmp_path, suffix):
    """Its pool aborts the process at exit now and then."""
    path = tmp_path / f"table.{suffix}"
    frame = pd.DataFrame(np.zeros((3, 40))).add_prefix("c")
    getattr(frame, f"to_{suffix}")(path)
    code = (
        "import os, sys, pyarrow.parquet, pyarrow.feather\n"
        "from scoredag.data import read_table\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "read_table(sys.argv[1])\n"
        "print(len(os.listdir('/proc/self/task')) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert done.stdout == "0\n", done.stderr


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_standard_input_is_read_by_its_content(monkeypatch, suffix):
    buffer = io.BytesIO()
    frame = pd.DataFrame(VALUES, columns=list("abc"))
    frame.to_csv(buffer, index=False, sep=";") if suffix == "csv" else frame.to_parquet(buffer)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
    table = read_table("-")
    assert table.values.tolist() == VALUES
    assert table.source == "standard input"


@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(
            st.lists(st.floats(-1e12, 1e12, width=64), min_size=d, max_size=d), min_size=1
        )
    )
)
def test_csv_round_trip_is_exact(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("round") / "table.csv"
    pd.DataFrame(rows, columns=[f"c{k}" for k in range(len(rows[0]))]).to_csv(path, index=False)
    assert np.array_equal(read_table(path).values, np.array(rows))


def test_select_and_drop(write):
    path = write("a,b,c\n1,red,3\n4,blue,6\n")
    assert read_table(path, drop=["b"]).names == ("a", "c")
    assert read_table(path, select=["c", "a"]).values.tolist() == [[3, 1], [6, 4]]
    assert read_table(path, select=["c,a"]).names == ("c", "a")


def test_decimal_comma(write):
    path = write("a;b\n1,5;2\n-3,25;4,0\n")
    assert read_table(path, decimal=",").values.tolist() == [[1.5, 2], [-3.25, 4]]
    told = message(path)
    assert "'a': numbers with a decimal comma, e.g. '1,5' (read them with decimal=',')" in told


def test_a_wrong_decimal_mark_is_named(write):
    assert "decimal must be '.' or ','" in message(write(GOOD), decimal="·")


# --- header -----------------------------------------------------------------------------------


def test_a_first_line_of_numbers_is_data_with_a_warning(write):
    path = write("1.5,2\n3,4\n")
    with pytest.warns(DataWarning, match="holds only numbers .*header=True.*header=False"):
        table = read_table(path)
    assert table.names == ("x0", "x1")
    assert table.values.tolist() == [[1.5, 2], [3, 4]]


def test_header_can_be_forced_either_way(write):
    path = write("1.5,2\n3,4\n")
    assert read_table(path, header=True).names == ("1.5", "2")
    assert read_table(path, header=False).values.tolist() == [[1.5, 2], [3, 4]]


@pytest.mark.parametrize("start", [0, 1])
def test_numbered_columns_are_a_header(write, start):
    path = write(f"{start},{start + 1}\n3.5,4\n")
    with pytest.warns(DataWarning, match=r"read as names. If it is data, pass header=False;"):
        assert read_table(path).names == (str(start), str(start + 1))
    assert read_table(path, header=True).names == (str(start), str(start + 1))


def test_index_column_of_pandas(write):
    path = write(pd.DataFrame(VALUES, columns=list("abc")).to_csv())
    told = message(path)
    assert "column 1 has no name in the header and counts the rows" in told
    assert "index=False" in told
    assert "drop=['unnamed_1']" in told
    assert read_table(path, drop=["unnamed_1"]).values.tolist() == VALUES


def test_trailing_separators(write):
    told = message(write("a,b,\n1,2,\n3,4,\n"))
    assert "column 3 has no name in the header and is blank in every row" in told
    assert "drop=['unnamed_3']" in told


def test_a_column_without_a_name(write):
    told = message(write("a,,c\n1,2.5,3\n4,5,6\n"))
    assert "column 2 has no name in the header. Leave it out with drop=['unnamed_2']" in told


def test_a_made_up_name_is_never_that_of_another_column(write):
    path = write(",unnamed_1,c\n" + "".join(f"{k},{k * k},{-k}\n" for k in range(12)))
    assert "Leave it out with drop=['unnamed_1_']," in message(path)
    assert read_table(path, drop=["unnamed_1_"]).names == ("unnamed_1", "c")


def test_true_and_false_are_numbers(write):
    table = read_table(write("a,ok\n1,true\n2,false\n"))
    assert table.values.tolist() == [[1.0, 1.0], [2.0, 0.0]]


def test_whole_numbers_are_remembered(write):
    assert read_table(write("id,b\n10000000000000001,1.5\n20000000000000003,2\n")).whole == (
        True,
        False,
    )


def test_whole_numbers_beyond_64_bits_are_remembered(write):
    ids = "".join(f"{2**63 + k * 10**12},{k}e300\n" for k in range(5))
    assert read_table(write("id,b\n" + ids)).whole == (True, False)


def test_text_columns_only_count_their_rows(write):
    told = message(write("a,b\n" + "x,y\n" * 12))
    assert "2 columns cannot be read as numbers" in told
    assert "too few rows" not in told


def test_a_line_for_spreadsheets(write):
    assert "tells spreadsheets the separator" in message(write("sep=;\na;b;c\n1;2;3\n"))


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_links_that_lead_nowhere(tmp_path):
    loop, dangling = tmp_path / "loop.csv", tmp_path / "dangling.csv"
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "gone.csv")
    assert "is a symbolic link that leads in a circle" in message(loop)
    assert "gone.csv, which is not there" in message(dangling)


def test_repeated_names(write):
    told = message(write("dose,age,dose\n1,2,3\n"))
    assert "repeated column names: 'dose' (columns 1 and 3)" in told
    assert read_table(write("dose,age,dose,x\n1,2,3,4\n"), drop=["dose"]).names == ("age", "x")


# --- what is no table -------------------------------------------------------------------------


def test_missing_file_suggests_its_neighbour(write):
    path = write(GOOD, "sachs.csv")
    told = message(path.with_name("sach.csv"))
    assert "sach.csv does not exist. Did you mean " in told
    assert "sachs.csv?" in told


def test_missing_file_in_a_missing_folder(tmp_path):
    assert message(tmp_path / "no" / "table.csv").endswith("table.csv does not exist.")


def test_directory(tmp_path):
    assert "is a directory: give the path of one file" in message(tmp_path)


@pytest.mark.parametrize("content", ["", "\n \n", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("name", ["table.csv", "table.parquet"])
def test_empty_file(write, content, name):
    assert f"{name} is empty" in message(write(content, name))


@pytest.mark.parametrize("content", ["a,b,c\n", "a,b,c"])
def test_header_only(write, content):
    assert "has a header (3 columns) but no rows" in message(write(content))


def test_no_rows_in_parquet(tmp_path):
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": [], "b": []}).to_parquet(path)
    assert "has 2 columns and 0 rows" in message(path)


@pytest.mark.parametrize(
    ("content", "title", "remedy"),
    [
        (b"PAR1\x15\x04rest", "a Parquet file", "ends in '.parquet'"),
        (b"ARROW1\x00\x00rest", "a Feather (Arrow) file", "ends in '.feather'"),
        (b"FEA1\x00\x00\x00\x00", "a Feather file of version 1", "write it with"),
        (b"\xff\xff\xff\xff\x70\x00", "an Arrow stream", "Feather"),
        (b"PK\x03\x04rest", "an Excel workbook or a ZIP archive", "save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0rest", "an old Excel workbook", "save the sheet as CSV"),
        (b"\x1f\x8b\x08rest", "a gzip-compressed file", "give it a name that ends in '.csv.gz'"),
        (b"%PDF-1.7\n", "a PDF document", "convert it"),
        (b'{"a": [1, 2]}', "a JSON document", "convert it"),
        (b"[[1, 2], [3, 4]]", "a JSON document", "convert it"),
        (b"\n<!DOCTYPE html><html>", "an HTML page", "download the file itself"),
        (b'<?xml version="1.0"?>', "an XML document", "convert it"),
        (GOOD.encode("utf-16"), "text in UTF-16", "CSV UTF-8"),
        (b"\x00\x01\x02\x03" * 9, "binary data of an unknown kind", "export the table"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_format_behind_csv(write, content, title, remedy):
    told = message(write(content))
    assert f"is named like a text table but holds {title}" in told
    assert remedy in told


@pytest.mark.parametrize("name", ["table.parquet", "table.feather"])
def test_text_behind_a_columnar_name(write, name):
    told = message(write(GOOD, name))
    assert "but holds plain text: give it a name that ends in '.csv'" in told


@pytest.mark.parametrize("name", ["PAR1", "[NaCl]", "{x}", "FEA1"])
def test_names_that_look_like_formats_are_names(write, name):
    assert read_table(write(f"{name},b\n1,2\n3,4\n")).names == (name, "b")


@pytest.mark.parametrize("name", ["table.parquet", "table.feather"])
def test_damaged_file(tmp_path, name):
    path = tmp_path / name
    frame = pd.DataFrame(VALUES)
    frame.columns = list("abc")
    frame.to_parquet(path) if name.endswith("parquet") else frame.to_feather(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert "may be damaged or cut short" in message(path)


def test_binary_after_a_good_start(write):
    assert "holds binary data, not text" in message(write(GOOD.encode() * 400 + b"\x00\x01"))


def test_latin1_names_the_line(write):
    told = message(write("a,b\n1,2\ncaf\xe9,3\n".encode("latin1")))
    assert "is not text in UTF-8 (byte 0xe9 in line 3)" in told
    assert "iconv" in told


@pytest.mark.parametrize("name", ["table.xlsx", "table", "table.xlsx.gz"])
def test_unknown_suffix_lists_the_known(write, name):
    told = message(write(b"PK\x03\x04", name))
    assert "the suffixes that can be read are .csv, .tsv" in told
    assert ".feather" in told
    assert "each also with .gz, .bz2, .xz, .zip behind it" in told
    assert "It holds an Excel workbook or a ZIP archive: save the sheet as CSV first" in told


def test_unreadable_file(write, monkeypatch):
    path = write(GOOD)

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    assert "cannot be read: Permission denied" in message(path)


def test_standard_input_that_is_no_table(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\x1f\x8b\x08")))
    assert "standard input cannot be decompressed" in message("-")


def test_without_arrow_the_extra_is_named(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'scoredag\[cli\]'"):
        read_table(write(GOOD))


# --- ragged text ------------------------------------------------------------------------------


def test_too_short_a_line(write):
    told = message(write("a,b,c\n1,2,3\n\n4,5\n7,8,9\n"))
    assert "line 4 has 2 fields, expected 3 as in line 1" in told


def test_too_long_a_line_and_others(write):
    told = message(write("a,b\n1,2\n3,4,5\n6,7,8\n9,9\n"))
    assert "line 3 has 3 fields, expected 2 as in line 1" in told
    assert "and 1 more line like it" in told


def test_row_names_of_r(write):
    told = message(write("a,b\nr1,1,2\nr2,3,4\n"))
    assert "row.names = FALSE" in told


def test_a_title_above_the_header(write):
    assert "Is the first line a title" in message(write("My table\na,b\n1,2\n3,4\n"))
    assert "Is the first line a title" in message(write("# from, the lab, 2021\na,b\n1,2\n3,4\n"))


def test_decimal_commas_between_commas(write):
    assert "Are these decimal commas?" in message(write("a,b\n1,5,2,5\n3,5,4,5\n"))


def test_an_open_quotation_mark(write):
    told = message(write('a,b\n1,2\n"3,4\n5,6\n'))
    assert "line 3 has 1 field" in told
    assert told.endswith("Look for a quotation mark that is never closed.")


def test_an_open_quotation_mark_before_much_text(write):
    told = message(write('a,b\n1,2\n"3,4\n' + "5,6\n" * 40_000))
    assert told.endswith("Look for a quotation mark that is never closed.")


# --- cells ------------------------------------------------------------------------------------


def test_columns_of_other_kinds_are_named_with_examples(write):
    path = write(
        "a,colour,day,ok,price,big,time\n"
        '1,red,2021-01-05,true,3 EUR,"1,234",10:30\n'
        '2,blue,2021-01-06,false,4 EUR,"5,678",11:00\n'
    )
    told = message(path)
    assert "5 columns cannot be read as numbers" in told
    assert "'colour': text, e.g. 'red'" in told
    assert "'day': dates or times, e.g. '2021-01-05'" in told
    assert "'price': text" in told or "'price': numbers with a unit, e.g. '3 EUR'" in told
    assert "'big': numbers with thousands separators or decimal commas, e.g. '1,234'" in told
    assert "drop=['colour', 'day', 'price', 'big', 'time']" in told
    assert "'a':" not in told


def test_a_few_cells_that_are_not_numbers(write):
    told = message(write("a,b\n1,2\n<0.5,3\n4,n.d.\n5,6\n7,8\n"))
    assert "'a': 1 of 5 cells is not a number, first '<0.5' (line 3)" in told
    assert "'b': 1 of 5 cells is not a number, first 'n.d.' (line 4)" in told


@pytest.mark.parametrize(
    ("cells", "options", "words"),
    [
        (
            ["1.5", "2.25", "3.125"],
            {"decimal": ","},
            "decimal point, e.g. '1.5' (leave out decimal=',')",
        ),
        (["1,5", "red"], {"decimal": ","}, "1 of 2 cells is not a number, first 'red' (line 3)"),
        (["0,125", "1,250"], {}, "decimal comma, e.g. '0,125' (read them with decimal=',')"),
        (["2,125", "1,250"], {}, "e.g. '2,125' (write them without, or read them with decimal"),
        (["1.5\xa0", "2"], {}, r"numbers stored as text, e.g. '1.5\xa0'"),
        (["１.５", "２"], {}, "numbers stored as text, e.g. '１.５'"),
        (["٠.٥", "٢"], {}, "numbers stored as text, e.g. '٠.٥'"),
        (["−1.5", "2", "3"], {}, "typographic minus, e.g. '−1.5' (write it as -)"),
        (["1.234.567", "12"], {}, "numbers with thousands separators, e.g. '1.234.567'"),
        (["13.847", "1.204"], {"decimal": ","}, "decimal point or with thousands separators"),
        (["1\u2019500", "2\u2019500"], {}, "numbers with thousands separators"),
        (["1\xa0500", "2\xa0500"], {}, "numbers with thousands separators"),
        (["A0", "P-000"], {}, "text, e.g. 'A0'"),
        ([".", "2", "3"], {}, "1 of 3 cells is not a number, first '.' (line 2)"),
    ],
)
def test_numbers_that_others_write(write, cells, options, words):
    lines = ["a;b", *(f"{cell};7" for cell in cells)]
    told = message(write("\n".join(lines)), **options)
    assert "- 1 column cannot be read as numbers:\n    'a': " in told
    assert words in told
    assert "  Leave it out with drop=['a'], or turn it into numbers first.\n" in told


def test_spaces_do_not_separate(write):
    told = message(write("a b\n0.5 -1\n0.25 3\n", "table.txt"))
    assert "several numbers in a cell, e.g. '0.5 -1' (spaces do not separate columns" in told
    assert "drop=" not in told


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["1.5", "2"], "'t': numbers stored as text, e.g. '1.5'"),
        ([None, None], "'t': all missing"),
    ],
)
def test_text_columns_of_parquet(tmp_path, cells, words):
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": [1.0, 2.0], "t": pd.array(cells, "string")}).to_parquet(path)
    assert words in message(path)


def test_nothing_in_a_columnar_file(tmp_path):
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": []}).to_parquet(path)
    assert "table.parquet has 1 column and 0 rows: there is nothing" in message(path)


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in message("-")


def test_cells_of_spaces(write):
    assert "cells hold nothing but spaces (line 3)" in message(write("a,b\n1,2\n3,  \n5,6\n"))


def test_categories_and_nested_values_in_parquet(tmp_path):
    path = tmp_path / "table.parquet"
    frame = pd.DataFrame({"a": [1.0, 2.0], "group": pd.Categorical(["x", "y"]), "l": [[1], [2]]})
    frame.to_parquet(path)
    told = message(path)
    assert "'group': categories, e.g. 'x'" in told
    assert "'l': values of type list<" in told


def test_missing_and_infinite_cells(write):
    told = message(write("a,b,c\n1,2,3\n,NA,inf\n4,nan,6\n\n7,,-inf\n8,,9\n9,9,9\n"))
    assert "5 missing (NaN) and 2 infinite cells in 3 of 3 columns" in told
    assert "'a': 1 missing (line 3)" in told
    assert "'b': 4 missing (first: lines 3, 4 and 6)" in told
    assert "'c': 2 infinite (lines 3 and 6)" in told
    assert "remove the 4 rows concerned" in told


def test_a_column_that_is_missing_throughout(write):
    told = message(write("a,b\n1,\n3,\n"))
    assert "'b': all missing" in told
    assert "remove the" not in told


def test_missing_cells_of_parquet_are_found_by_row(tmp_path):
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": [1.0, None, 3.0], "b": [1, 2, 3]}).to_parquet(path)
    assert "'a': 1 missing (row 2)" in message(path)


def test_gaps_outside_the_selection_do_not_matter(write):
    assert read_table(write("a,b\n1,\n3,\n"), select=["a"]).values.tolist() == [[1], [3]]


def test_unknown_columns_get_a_guess(write):
    path = write("Raf,Mek,Erk\n1,2,3\n")
    assert "select: there is no column 'Mekk'; did you mean 'Mek'?" in message(
        path, select=["Raf,Mekk"]
    )
    assert "drop: there is no column 'weight'; the columns are 'Raf', 'Mek' and 'Erk'" in message(
        path, drop=["weight"]
    )


def test_nothing_left(write):
    assert "no column is left" in message(write(GOOD), drop=["a", "b,c"])
