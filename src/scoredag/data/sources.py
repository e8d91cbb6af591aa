"""From a path, or ``-`` for standard input, to bytes and the format to read them as."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from scoredag.data.formats import BY_SUFFIX, Format, recognise
from scoredag.data.wording import close_match, quoted
from scoredag.exceptions import DataError

STANDARD_INPUT = "-"


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
    if str(source) == STANDARD_INPUT:
        return _from_pipe(_standard_input(), "standard input")
    path = Path(source)
    label = str(path)
    if path.is_fifo() or path.is_char_device():
        return _from_pipe(_bytes_of(path), label)
    claimed = _claimed_format(path)
    data = _bytes_of(path)
    _refuse_empty(data, label)
    content = recognise(data)
    if content.format != claimed:
        raise DataError(
            f"{label} is named like {_claim(claimed)} but holds {content.title}: {content.remedy}."
        )
    return Source(data, label, claimed)


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by whoever started us
        raise DataError("standard input is closed: pipe a table into it, or give a file.")
    return sys.stdin.buffer.read()


def _from_pipe(data: bytes, label: str) -> Source:
    _refuse_empty(data, label)
    content = recognise(data)
    if content.format is None:
        raise DataError(f"{label} holds {content.title}, not a table: {content.remedy}.")
    return Source(data, label, content.format)


def _refuse_empty(data: bytes, label: str) -> None:
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise DataError(f"{label} is empty: it must hold a header line and rows of numbers.")


def _claim(claimed: Format) -> str:
    return {"text": "a text table", "parquet": "a Parquet file", "arrow": "a Feather file"}[claimed]


def _claimed_format(path: Path) -> Format:
    if path.is_dir():
        raise DataError(f"{path} is a directory: give the path of one file.")
    if not path.exists():
        raise DataError(f"{path} does not exist.{_near_miss(path)}")
    suffix = path.suffix.lower()
    if suffix not in BY_SUFFIX:
        known = ", ".join(BY_SUFFIX)
        got = f"ends in {quoted(suffix)}" if suffix else "has no suffix"
        content = recognise(_bytes_of(path))
        raise DataError(
            f"{path} {got}; the suffixes that can be read are {known}. "
            f"It holds {content.title}: {content.remedy}."
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
