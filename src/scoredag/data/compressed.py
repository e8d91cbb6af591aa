"""Compressed tables: a gzip, bzip2 or xz file, or the one table in a ZIP archive."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import IO

from scoredag.data.formats import BY_SUFFIX
from scoredag.data.wording import counted, name_list
from scoredag.exceptions import DataError

# By suffix; what each file begins with is in `scoredag.data.formats`.
PACKED = (".gz", ".bz2", ".xz", ".zip")
_OPENINGS = {
    ".gz": rb"\x1f\x8b",
    ".bz2": rb"BZh[1-9]1AY&SY",
    ".xz": rb"\xfd7zXZ\x00",
    ".zip": rb"PK(\x03\x04|\x05\x06)",
}
# A few kilobytes can unpack to more than any memory holds.
MOST_BYTES = 8 * 2**30
_CHUNK = 1 << 24


def packing_of(data: bytes) -> str | None:
    r"""Tell by the first bytes how a file is compressed; None if it is not, or is unknown.

    Examples
    --------
    >>> packing_of(b"\x1f\x8b\x08"), packing_of(b"a,b\n")
    ('.gz', None)
    """
    return next((kind for kind, start in _OPENINGS.items() if re.match(start, data)), None)


def unpack(data: bytes, packing: str, label: str) -> tuple[bytes, str]:
    """Decompress a file.

    Parameters
    ----------
    data : bytes
        The compressed file.
    packing : {".gz", ".bz2", ".xz", ".zip"}
        How it is compressed.
    label : str
        What messages call it.

    Returns
    -------
    content : bytes
        At most ``MOST_BYTES``.
    suffix : str
        That of the table within an archive; empty for the others, which do not know it.

    Raises
    ------
    DataError
        If it is damaged, encrypted or too large, or if an archive has no or several tables.
    """
    try:
        if packing == ".zip":
            return _from_archive(data, label)
        with _opened(io.BytesIO(data), packing) as stream:
            return _read(stream, label), ""
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise DataError(
            f"{label} cannot be decompressed ({str(error).rstrip('.')}): it may be damaged or cut "
            "short. Write it again."
        ) from error


def _opened(file: io.BytesIO, packing: str) -> io.BufferedIOBase:
    if packing == ".gz":
        return gzip.GzipFile(fileobj=file)
    return bz2.BZ2File(file) if packing == ".bz2" else lzma.LZMAFile(file)


def _from_archive(data: bytes, label: str) -> tuple[bytes, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = [entry for entry in archive.infolist() if not _is_clutter(entry)]
        if any(entry.filename == "xl/workbook.xml" for entry in files):
            raise DataError(f"{label} holds an Excel workbook: save the sheet as CSV first.")
        tables = _tables(files)
        if len(tables) != 1:
            held = counted(len(tables or files), "table" if tables else "file")
            names = name_list(entry.filename for entry in tables or files)
            reason = f"{held} ({names}): extract one, and give its name" if files else "no file"
            raise DataError(f"{label} holds {reason}.")
        try:
            with archive.open(tables[0]) as stream:
                return _read(stream, label), _suffix(tables[0].filename)
        except (RuntimeError, NotImplementedError) as error:
            # zipfile's words for an encrypted file, and for a method that it does not know.
            raise DataError(
                f"{label} cannot be decompressed ({error}): extract the table first."
            ) from error


def _tables(files: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """What may be the table: by its suffix, other than .txt if there is one, or the only file."""
    named = [entry for entry in files if _suffix(entry.filename) in BY_SUFFIX]
    others = [entry for entry in named if _suffix(entry.filename) != ".txt"]
    alone = [entry for entry in files if len(files) == 1 and not _suffix(entry.filename)]
    return others or named or alone


def _is_clutter(entry: zipfile.ZipInfo) -> bool:
    """Folders, and what macOS adds to the archives that it makes."""
    path = PurePosixPath(entry.filename)
    return entry.is_dir() or path.parts[0] == "__MACOSX" or path.name.startswith(".")


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _read(stream: io.BufferedIOBase | IO[bytes], label: str) -> bytes:
    content = bytearray()
    while chunk := stream.read(_CHUNK):
        content += chunk
        if len(content) > MOST_BYTES:
            raise DataError(
                f"{label} unpacks to more than {MOST_BYTES / 2**30:g} GiB: extract the table first."
            )
    return bytes(content)
