"""Which format a file claims by its suffix, and which one its first bytes show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Format = Literal["text", "parquet", "arrow"]

BY_SUFFIX: dict[str, Format] = {
    ".csv": "text",
    ".tsv": "text",
    ".tab": "text",
    ".txt": "text",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "arrow",
    ".arrow": "arrow",
    ".ipc": "arrow",
}


@dataclass(frozen=True)
class Content:
    """What the first bytes of a file give away.

    Attributes
    ----------
    title : str
        What to call it in a sentence.
    remedy : str
        What to do when it hides behind the name of another format.
    format : {"text", "parquet", "arrow"} or None
        The reader that takes it; None where there is none.
    """

    title: str
    remedy: str = "convert it to CSV or Parquet first"
    format: Format | None = None


def _packed(suffix: str) -> str:
    return f"give it a name that ends in '.csv{suffix}'"


PLAIN_TEXT = Content("plain text", "give it a name that ends in '.csv'", "text")
_BINARY = Content("binary data of an unknown kind", "export the table as CSV or Parquet")
_JSON = Content("a JSON document")
_PARQUET = Content("a Parquet file", "give it a name that ends in '.parquet'", "parquet")
_ARROW = Content("a Feather (Arrow) file", "give it a name that ends in '.feather'", "arrow")
_UTF16 = Content("text in UTF-16", "save it as UTF-8 (in Excel: 'CSV UTF-8')")
_HTML = Content("an HTML page", "download the file itself, not the page that shows it")

# The opening bytes of what people rename to .csv. A header may begin with the letters "PAR1"
# (it is a protein), so each entry holds at least one byte that text does not.
_BINARY_OPENINGS: tuple[tuple[bytes, Content], ...] = (
    (b"PAR1\x15", _PARQUET),
    (b"ARROW1\x00", _ARROW),
    (b"\xff\xff\xff\xff", Content("an Arrow stream", "write it as a Feather file instead")),
    (b"FEA1\x00", Content("a Feather file of version 1", "write it with a current library")),
    (
        b"PK\x03\x04",
        Content(
            "an Excel workbook or a ZIP archive",
            "save the sheet as CSV first, or give the archive a name that ends in '.zip'",
        ),
    ),
    (b"\xd0\xcf\x11\xe0", Content("an old Excel workbook", "save the sheet as CSV first")),
    (b"\x1f\x8b", Content("a gzip-compressed file", _packed(".gz"))),
    (b"BZh91AY&SY", Content("a bzip2-compressed file", _packed(".bz2"))),
    (b"\xfd7zXZ\x00", Content("an xz-compressed file", _packed(".xz"))),
    (b"\x28\xb5\x2f\xfd", Content("a Zstandard-compressed file", "decompress it first")),
    (b"\x93NUMPY", Content("a NumPy .npy file")),
    (b"\x89HDF", Content("an HDF5 file")),
    (b"SQLite format 3\x00", Content("an SQLite database")),
    (b"\x89PNG", Content("a PNG image")),
    (b"\xff\xd8\xff", Content("a JPEG image")),
    (b"\xff\xfe", _UTF16),
    (b"\xfe\xff", _UTF16),
)
# Text that is not a table. "[NaCl]" is a fair column name, so JSON needs a second character.
_TEXT_OPENINGS: tuple[tuple[str, Content], ...] = (
    (r"%pdf-\d", Content("a PDF document")),
    (r"<!doctype|<html", _HTML),
    (r"<\?xml", Content("an XML document")),
    (r"\{\s*[\"}]", _JSON),
    (r"\[\s*[\"\[{\]\d-]", _JSON),
)


def recognise(data: bytes) -> Content:
    r"""Name the content of a file by its opening bytes.

    Parameters
    ----------
    data : bytes
        The file, or its beginning.

    Returns
    -------
    Content
        ``PLAIN_TEXT`` where nothing else is recognised.

    Examples
    --------
    >>> recognise(b"PAR1\x15").title, recognise(b"PAR1,PAR2").title, recognise(b" <HTML>").title
    ('a Parquet file', 'plain text', 'an HTML page')
    """
    for opening, content in _BINARY_OPENINGS:
        if data.startswith(opening):
            return content
    beginning = data[:4096]
    if b"\x00" in beginning:
        return _BINARY
    text = beginning.decode("utf-8", "replace").lstrip("\ufeff \t\r\n").lower()
    for pattern, content in _TEXT_OPENINGS:
        if re.match(pattern, text):
            return content
    return PLAIN_TEXT
