"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Write to a path beside a file; it takes the file's place when all is written.

    Parameters
    ----------
    path : Path
        The file; its folder is made if it is not there.

    Yields
    ------
    Path
        Where to write instead: hidden, in the same folder, with the same suffix. It is removed
        if the block fails, and the old file stays.

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
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
