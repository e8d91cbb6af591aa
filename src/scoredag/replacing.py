"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

# Of a file's name in that of its replacement: file systems limit names, mostly to 255 bytes.
_KEPT_CHARACTERS = 40


@contextmanager
def replacing(path: Path, *, make_folder: bool = True) -> Iterator[Path]:
    """Write to a path beside a file; it takes the file's place when all is written.

    Parameters
    ----------
    path : Path
        The file. A symbolic link is followed: what it leads to is replaced, not the link. An
        existing file keeps its permissions.
    make_folder : bool, default=True
        Whether to make a folder that is not there. False for paths that a user typed.

    Yields
    ------
    Path
        Where to write instead: hidden, in the same folder, with the same suffix. It is removed
        if the block fails, and the old file stays. What cannot be replaced (a pipe, a device, the
        file that standard output goes to, a file in a folder that takes no new ones) is yielded
        itself and written through.

    Raises
    ------
    OSError
        Before anything is written: if the path is a directory, a link that leads in a circle or a
        file without permission to write, or if its folder is not there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "table.md")
    ...     with replacing(file) as partial:
    ...         _ = partial.write_text("all of it")
    ...     [path.name for path in Path(folder).iterdir()], file.read_text()
    (['table.md'], 'all of it')
    """
    known = _status(path)
    target = Path(os.path.realpath(path))
    if make_folder:
        target.parent.mkdir(parents=True, exist_ok=True)
    _refuse_unwritable(path, target, known)
    if known is not None and not _is_replaceable(target, known):
        yield path
        return
    partial = target.with_name(f".{target.stem[:_KEPT_CHARACTERS]}.{uuid4().hex}{target.suffix}")
    try:
        yield partial
        if known is not None:
            _make_alike(partial, known)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _status(path: Path) -> os.stat_result | None:
    """What is known of a file; None where there is none. Links in a circle are an error."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _refuse_unwritable(path: Path, target: Path, known: os.stat_result | None) -> None:
    if not target.parent.is_dir():
        words = "the folder does not exist, create it first"
        raise FileNotFoundError(errno.ENOENT, words, str(path.parent))
    if known is not None and stat.S_ISDIR(known.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if known is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _is_replaceable(target: Path, known: os.stat_result) -> bool:
    return (
        stat.S_ISREG(known.st_mode)
        and not any(_is_stream(known, stream) for stream in (1, 2))
        and os.access(target.parent, os.W_OK)
    )


def _is_stream(known: os.stat_result, stream: int) -> bool:
    """Whether a file is where standard output (1) or standard error (2) goes."""
    with suppress(OSError):  # closed
        return os.path.samestat(known, os.fstat(stream))
    return False


def _make_alike(partial: Path, known: os.stat_result) -> None:
    """Give a file the owner, if we may, and the permissions of the one that it replaces."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(partial, known.st_uid, known.st_gid)
    partial.chmod(stat.S_IMODE(known.st_mode))
