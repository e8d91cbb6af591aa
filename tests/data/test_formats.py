import gzip
import io
import zipfile

import pandas as pd
import pytest

from scoredag.data.formats import BY_SUFFIX, PLAIN_TEXT, recognise

FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})


def written(method, *args):
    buffer = io.BytesIO()
    getattr(FRAME, method)(buffer, *args)
    return buffer.getvalue()


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("sheet.xml", "<a/>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "reader"),
    [
        (written("to_parquet"), "parquet"),
        (written("to_feather"), "arrow"),
        (written("to_csv"), "text"),
        (gzip.compress(b"a,b\n1,2\n"), None),
        (zipped(), None),
    ],
    ids=["parquet", "feather", "csv", "gzip", "zip"],
)
def test_real_files_find_their_reader(data, reader):
    assert recognise(data).format == reader


@pytest.mark.parametrize("text", [b"a,b", b"", b"[Na],b", b"PAR1,b", b"<5,b", b"-1,2", b"pdf,b"])
def test_text_stays_text(text):
    assert recognise(text) is PLAIN_TEXT


def test_every_suffix_starts_with_a_dot_and_has_a_reader():
    assert all(suffix.startswith(".") for suffix in BY_SUFFIX)
    assert set(BY_SUFFIX.values()) == {"text", "parquet", "arrow"}
