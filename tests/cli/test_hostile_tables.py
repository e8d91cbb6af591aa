"""Odd and hostile files: refused in one sentence with exit code 2, or read, with a caution.

``None`` stands for a table that is read; everything else for words of the refusal or the caution.
"""

import datetime
import decimal
import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow
import pytest
from pyarrow import parquet

N = 60
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(N, 3)), columns=["a", "b", "c"])
TEXT = FRAME.to_csv(index=False)
BODY = TEXT.split("\n", 1)[1]


def written(cell):
    """A column of such cells beside one of plain numbers."""
    return "a,b\n" + "\n".join(f"{cell(k)},{k * k % 53 + 0.25}" for k in range(N))


def with_column(values):
    return FRAME.assign(a=values).to_csv(index=False)


def zipped(name):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, TEXT)
    return buffer.getvalue()


def columnar(column):
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table({"a": column, "b": FRAME["b"], "c": FRAME["c"]}), buffer)
    return buffer.getvalue()


VALUES = FRAME["a"].to_numpy()
TEXTS = {
    "NUL in the middle": (TEXT[:200] + "\0" + TEXT[200:], "binary data"),
    "UTF-16": (TEXT.encode("utf-16"), "text in UTF-16"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbf" + TEXT.encode(), None),
    "only commas": (",,,\n" * N, "column 1 has no name in the header and is blank"),
    "header again": (TEXT + TEXT, "1 of 121 cells is not a number, first 'a' (line 62)"),
    "carriage returns": (TEXT.replace("\n", "\r"), None),
    "mixed line ends": (TEXT.replace("\n", "\r\n", 20), None),
    "line break in a name": ('"a\nx",b,c\n' + BODY, None),
    "long name": ("x" * 5000 + ",b,c\n" + BODY, None),
    "escape in a name": ("a\x1b[31m,b,c\n" + BODY, None),
    "script in a name": ("<script>alert(1)</script>,b,c\n" + BODY, None),
    "names by case": ("a,A,c\n" + BODY, None),
    "names by spaces": ("a, a,c\n" + BODY, "repeated column names: 'a' (columns 1 and 2)"),
    "right to left": ("\u202eabc,b,c\n" + BODY, None),
    "underscores": (written(lambda k: f"1_{k}"), "text, e.g. '1_0'"),
    "fractions": (written(lambda k: f"{k}/3"), "text, e.g. '0/3'"),
    "percent": (written(lambda k: f"{k}%"), "numbers with a unit, e.g. '0%'"),
    "currency": (written(lambda k: f"${k}.5"), "numbers with a unit, e.g. '$0.5'"),
    "Fortran": (written(lambda k: f"{k}.5D0"), "text, e.g. '0.5D0'"),
    "plus signs": (written(lambda k: f"+{k}.5"), None),
    "infinite": (written(lambda k: "Infinity"), "'a': all infinite"),
    "beyond the floats": (written(lambda k: "1e999" if k == 3 else k), "1 infinite (line 5)"),
    "denormal": (written(lambda k: f"{k}e-320"), "too large or too small to be squared: 'a'"),
    "JSON lines": (FRAME.to_json(orient="records", lines=True), "holds a JSON document"),
    "Markdown": ("| a | b |\n|--|--|\n" + "| 1 | 2 |\n" * 20, "column 1 has no name"),
    "fixed width": ("".join(f"{k:9.2f}{k:9.2f}\n" for k in range(N)), "several numbers in a cell"),
    "LaTeX": ("a & b \\\\\n" + "1 & 2 \\\\\n" * 20, "text, e.g."),
    "comment": ("# made by me\n" + TEXT, "Is the first line a title or a comment?"),
    "row of units": ("a,b,c\nm,s,kg\n" + BODY, "first 'kg' (line 2)"),
    "row of totals": (TEXT + "total,,\n", "first 'total' (line 62)"),
    "separator line": ("sep=;\n" + TEXT.replace(",", ";"), "tells spreadsheets the separator"),
    "index": (FRAME.to_csv(), "counts the rows, like the index that pandas writes"),
    "one row": ("a,b,c\n1,2,3\n", "n_samples = 1"),
    "all constant": ("a,b\n" + "1,2\n" * 20, "'a' (always 1) and 'b' (always 2)"),
    "copies": (FRAME.assign(b=FRAME.a).to_csv(index=False), "copied columns: 'a' and 'b'"),
    "sum": (FRAME.assign(c=FRAME.a + FRAME.b).to_csv(index=False), "nearly collinear columns"),
    "two values": (with_column(1 * (VALUES > 0)), "'a' (2 values)"),
    "truth values": (with_column(VALUES > 0), "'a' (2 values)"),
    "yes and no": (with_column(np.where(VALUES > 0, "yes", "no")), "text, e.g. 'yes'"),
    "dates": (with_column(pd.date_range("2020", periods=N)), "dates or times, e.g. '2020-01-01'"),
    "not available": (with_column(["N.A.", *VALUES[1:]]), "for a missing value: --na N.A."),
    "code": (with_column([-999, *VALUES[1:]]), "'a' (1 row at -999"),
    "huge unit": ((FRAME * [1e69, 1, 1]).to_csv(index=False), "scales differ by a factor of"),
    "shifted": (
        FRAME.assign(a=VALUES + 1e15).to_csv(index=False),
        "but for the rounding of 64-bit",
    ),
    "identifiers": (with_column(RNG.integers(10**17, 9 * 10**17, N)), "'a' (whole numbers)"),
    "20 digits": (with_column([2**64 + k * 10**13 for k in range(N)]), "'a' (whole numbers)"),
    "empty quotes": (written(lambda k: '""'), "'a': all missing"),
    "tabs at first": (TEXT.replace(",", "\t", 20), "line 11 has 3 fields, expected 1"),
}
OTHERS = {
    "table.csv.gz": (gzip.compress(TEXT.encode()), None),
    "twice.csv.gz": (gzip.compress(gzip.compress(TEXT.encode())), "holds a gzip-compressed file"),
    "table.zip": (zipped("table.csv"), None),
    "traversal.zip": (zipped("../../table.csv"), None),
    "archive.csv": (zipped("table.csv"), "an Excel workbook or a ZIP archive"),
    "book.xls": (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "an old Excel workbook"),
    "decimal.parquet": (columnar([decimal.Decimal(str(round(v, 4))) for v in VALUES]), None),
    "half.parquet": (columnar(pyarrow.array(VALUES.astype(np.float16))), None),
    "list.parquet": (columnar([[1]] * N), "values of type list"),
    "struct.parquet": (columnar([{"x": 1}] * N), "values of type struct"),
    "binary.parquet": (columnar([b"x"] * N), "values of type binary"),
    "date.parquet": (columnar([datetime.date(2020, 1, 1)] * N), "dates or times"),
    "span.parquet": (columnar([datetime.timedelta(seconds=k) for k in range(N)]), "dates or times"),
    "null.parquet": (columnar(pyarrow.nulls(N)), "'a': all missing"),
    "gap.parquet": (columnar([None, *(VALUES[1:] > 0).tolist()]), "1 missing (row 1)"),
    "short.parquet": (columnar(VALUES)[:-20], "cannot be read as Parquet"),
    "text.parquet": (TEXT.encode(), "named like a Parquet file but holds plain text"),
}
CASES = [(f"{name}.csv", content, words) for name, (content, words) in TEXTS.items()]
CASES += [(name, content, words) for name, (content, words) in OTHERS.items()]


@pytest.mark.parametrize(("name", "content", "words"), CASES, ids=[name for name, *_ in CASES])
def test_a_table(run, tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = run("discover", path, "-m", "varsort", "-o", tmp_path / "page.html")
    assert result.exit_code in (0, 2), result.output
    assert "Traceback" not in result.stderr
    assert "Internal error" not in result.stderr
    if words is None:
        assert result.exit_code == 0
        assert "<script>alert" not in (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "\x1b" not in result.stdout
    else:
        assert words in result.stderr
        assert result.stderr.startswith("Error: " if result.exit_code else "Warning: ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--na", "zzz"], "no cell of"),
        (["--select", ""], "--select: there is no column ''"),
        (["--drop", "a,b,c"], "no column is left to analyse"),
        (["--drop", ","], "--drop: there is no column ''"),
        (["--select", "a,b", "--drop", "a"], "n_features = 1"),
        (["--decimal", "x"], "decimal must be '.' or ','"),
        (["--decimal", ","], "numbers with a decimal point"),
        (["--no-header"], "1 of 61 cells is not a number, first 'a' (line 1)"),
        (["--truth", "nowhere.csv"], "nowhere.csv cannot be read: No such file"),
        (["-o", "graph.xyz"], "the name must end in one of"),
        (["-o", "no/graph.gml"], "the folder no does not exist"),
        (["--alpha", "nan"], "nan is not a number between 0 and 1"),
        (["--alpha", "2"], "2 is not a number between 0 and 1"),
        (["-j", "0"], "must not be 0"),
        (["-j", "99999"], "99,999 is more than 1,000"),
        (["-m", "SCORE"], "Did you mean 'score'?"),
        (["--criterion", "variance"], "--method varsort has no option --criterion"),
    ],
)
def test_options(run, tmp_path, options, words):
    path = tmp_path / "table.csv"
    path.write_text(TEXT)
    result = run("discover", path, "-m", "varsort", *options)
    assert result.exit_code == (0 if "no cell" in words else 2)
    assert words in " ".join(result.stderr.replace("│", " ").split())
