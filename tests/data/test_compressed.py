"""Compressed tables are read as they are; damaged and ambiguous ones are refused."""

import bz2
import gzip
import io
import lzma
import sys
import zipfile

import pandas as pd
import pytest

from scoredag.data import compressed, read_table
from scoredag.exceptions import DataError

TEXT = b"a,b\n1,2.5\n3,4.5\n"
VALUES = [[1.0, 2.5], [3.0, 4.5]]


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def parquet():
    buffer = io.BytesIO()
    pd.DataFrame(VALUES, columns=["a", "b"]).to_parquet(buffer)
    return buffer.getvalue()


@pytest.fixture
def write(tmp_path):
    def write_file(content, name):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write_file


GOOD = [
    ("table.csv.gz", gzip.compress(TEXT, mtime=0)),
    ("TABLE.CSV.GZ", gzip.compress(TEXT, mtime=0)),
    ("table.tsv.bz2", bz2.compress(TEXT.replace(b",", b"\t"))),
    ("table.txt.xz", lzma.compress(TEXT)),
    ("table.parquet.gz", gzip.compress(parquet(), mtime=0)),
    ("table.zip", zipped({"table.csv": TEXT})),
    ("table.csv.zip", zipped({"table.csv": TEXT})),
    ("table.zip", zipped({"deep/table.parquet": parquet()})),
    ("table.zip", zipped({"table": TEXT})),  # as pandas writes it
    ("table.zip", zipped({"table.csv": TEXT, "README.txt": b"read me"})),
    ("table.zip", zipped({"t.csv": TEXT, "README": b"x", "__MACOSX/._t.csv": b"", ".h.csv": b""})),
]


# By number: what is compressed holds the time of day, and ids must be the same in all workers.
@pytest.mark.parametrize(("name", "content"), GOOD, ids=range(len(GOOD)))
def test_a_compressed_table(write, name, content):
    table = read_table(write(content, name))
    assert table.names == ("a", "b")
    assert table.values.tolist() == VALUES
    assert table.source.endswith(name)


@pytest.mark.parametrize("content", [content for _, content in GOOD], ids=range(len(GOOD)))
def test_a_pipe_is_decompressed(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_table("-").values.tolist() == VALUES


def encrypted():
    content = bytearray(zipped({"table.csv": TEXT}))
    content[6] |= 1  # the flag in the file's own header
    content[content.rindex(b"PK\x01\x02") + 8] |= 1  # and in the archive's directory
    return bytes(content)


BAD = [
    ("t.csv.gz", TEXT, "is named like a compressed file but holds plain text"),
    ("t.csv.gz", bz2.compress(TEXT), "but holds a bzip2-compressed file"),
    ("t.csv.gz", gzip.compress(TEXT, mtime=0)[:-9], "cannot be decompressed"),
    ("t.csv.gz", gzip.compress(TEXT, mtime=0)[:12] + b"\xff" * 9, "cannot be decompressed"),
    ("t.csv.xz", lzma.compress(TEXT)[:-9], "cannot be decompressed"),
    ("t.csv.bz2", bz2.compress(TEXT)[:-9], "cannot be decompressed"),
    ("t.csv.gz", b"", "is empty"),
    ("t.csv.gz", gzip.compress(b""), "is empty"),
    ("t.csv.gz", gzip.compress(b"PAR1\x15"), "named like a text table but holds a Parquet"),
    ("t.gz", gzip.compress(TEXT, mtime=0), "has no suffix; the suffixes that can be read"),
    ("t.zip", zipped({}), "holds no file"),
    ("t.zip", zipped({"a.md": b"x"}), r"holds 1 file \('a.md'\): extract one"),
    (
        "t.zip",
        zipped({"a.csv": TEXT, "b.csv": TEXT}),
        r"holds 2 tables \('a.csv' and 'b.csv'\)",
    ),
    ("t.zip", zipped({"xl/workbook.xml": b"<x/>", "data.csv": TEXT}), "an Excel workbook"),
    ("t.zip", zipped({"table.csv": TEXT})[:-30], "cannot be decompressed"),
    ("t.zip", encrypted(), "is encrypted, .*extract the table first"),
    ("t.zip", b"plain", "is named like a compressed file but holds plain text"),
]


@pytest.mark.parametrize(("name", "content", "words"), BAD, ids=range(len(BAD)))
def test_what_cannot_be_unpacked_is_refused(write, name, content, words):
    with pytest.raises(DataError, match=words):
        read_table(write(content, name))


def test_a_bomb_is_not_unpacked(write, monkeypatch):
    monkeypatch.setattr(compressed, "MOST_BYTES", 10**6)
    with pytest.raises(DataError, match="unpacks to more than"):
        read_table(write(gzip.compress(b"0" * 10**7), "t.csv.gz"))


def test_a_missing_archive_and_a_folder(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        read_table(tmp_path / "t.zip")
    (tmp_path / "folder.zip").mkdir()
    with pytest.raises(DataError, match="is a directory"):
        read_table(tmp_path / "folder.zip")
