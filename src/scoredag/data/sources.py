"""From a path, or ``-`` for standard input, to bytes and the format to read them as."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from scoredag.data.compressed import PACKED, packing_of, unpack
from scoredag.data.formats import BY_SUFFIX, Format, recognise
from scoredag.data.wording import close_match, quoted
from scoredag.exceptions import DataError

STANDARD_INPUT = "-"
# What the name of a file says that it is.
_CLAIMS = {"text": "a text table", "parquet": "a Parquet file", "arrow": "a Feather file"}


@dataclass(frozen=True)
class Source:
    """The bytes of a table, what to call them, and the format to read them as."""

    data: bytes
    label: str
    format: Format


def load(source: str | os.PathLike[str]) -> Source:
    """Read a file or standard input, and decide on its format.

    A suffix decides for files; the content decides for pipes, which have none. A file whose
    content contradicts its suffix is refused.
    """
    if not isinstance(source, str | os.PathLike):
        raise DataError(f"the source of a table must be a path or '-'; got {source!r}.")
    if str(source) == STANDARD_INPUT:
        return _from_pipe(_standard_input(), "standard input")
    path = Path(source)
    label = str(path)
    if path.is_fifo() or path.is_char_device():
        return _from_pipe(_bytes_of(path), label)
    refuse_absent(path)
    if path.is_dir():
        raise DataError(f"{path} is a directory: give the path of one file.")
    suffix = path.suffix.lower()
    data, claimed = _packed(path) if suffix in PACKED else (_bytes_of(path), _claimed_format(path))
    refuse_other_content(data, claimed, label)
    return Source(data, label, claimed)


def refuse_other_content(data: bytes, claimed: Format, label: str) -> None:
    """Raise `DataError` where a file, by its beginning, is not what its name says."""
    _refuse_empty(data, label)
    content = recognise(data)
    if content.format != claimed:
        raise DataError(
            f"{label} is named like {_CLAIMS[claimed]} but holds {content.title}: {content.remedy}."
        )


def refuse_broken_link(path: Path) -> None:
    """Raise `DataError` for a symbolic link that leads nowhere, or in a circle."""
    if not path.is_symlink() or path.exists():
        return
    try:
        path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        circle = isinstance(error, RuntimeError) or error.errno == errno.ELOOP
        ends = "leads in a circle" if circle else f"leads to {path.readlink()}, which is not there"
        raise DataError(f"{path} is a symbolic link that {ends}: give the file itself.") from None


def _packed(path: Path) -> tuple[bytes, Format]:
    """Decompress a file, which must be packed as its suffix says; an archive names its table."""
    packing = path.suffix.lower()
    claimed = None if packing == ".zip" else _claimed_format(path.with_suffix(""), path)
    data = _bytes_of(path)
    _refuse_empty(data, str(path))
    if packing_of(data) != packing:
        raise DataError(
            f"{path} is named like a compressed file but holds {recognise(data).title}: give it "
            "the name that fits."
        )
    content, suffix = unpack(data, packing, str(path))
    return content, claimed or BY_SUFFIX.get(suffix) or _from_pipe(content, str(path)).format


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by whoever started us
        raise DataError("standard input is closed: pipe a table into it, or give a file.")
    return sys.stdin.buffer.read()


def _from_pipe(data: bytes, label: str) -> Source:
    packing = packing_of(data)
    if packing is not None:
        data, _ = unpack(data, packing, label)
    _refuse_empty(data, label)
    content = recognise(data)
    if content.format is None:
        raise DataError(f"{label} holds {content.title}, not a table: {content.remedy}.")
    return Source(data, label, content.format)


def _refuse_empty(data: bytes, label: str) -> None:
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise DataError(f"{label} is empty: it must hold a header line and rows of numbers.")


def refuse_absent(path: Path) -> None:
    """Raise `DataError` unless a path leads to something; a similar name nearby is suggested."""
    refuse_broken_link(path)
    if not path.exists():
        raise DataError(f"{path} does not exist.{_near_miss(path)}")


def _claimed_format(name: Path, path: Path | None = None) -> Format:
    """The format that a name claims; ``path`` is the file where that has a longer name."""
    path = path or name
    suffix = name.suffix.lower()
    if suffix not in BY_SUFFIX:
        known = ", ".join(BY_SUFFIX)
        got = (
            f"ends in {quoted(suffix + path.name[len(name.name) :])}" if suffix else "has no suffix"
        )
        content = recognise(_bytes_of(path))
        raise DataError(
            f"{path} {got}; the suffixes that can be read are {known}, each also with "
            f"{', '.join(PACKED)} behind it. It holds {content.title}: {content.remedy}."
        )
    return BY_SUFFIX[suffix]


def _near_miss(path: Path) -> str:
    """Suggest a file of the same folder whose name is close."""
    try:
        neighbours = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    # Most neighbours share the suffix, so that alone must not make a likeness.
    guess = close_match(path.name, neighbours, likeness=0.8)
    return f" Did you mean {path.parent / guess}?" if guess else ""


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from error
