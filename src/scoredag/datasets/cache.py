"""Data sets that cannot be bundled: a folder on disk, filled from a local copy and checked.

Nothing here ever reaches for the network. The files are published with GraN-DAG; put them into
one folder as listed in `CHECKSUMS`, and call `fill_cache` on it once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from types import MappingProxyType

from scoredag.exceptions import DataError
from scoredag.replacing import replacing

FOLDER_VARIABLE = "SCOREDAG_DATA"

# SHA-256 of every file that a loader may ask for.
CHECKSUMS = MappingProxyType(
    {
        "grandag/er_p10_e10.npz": (
            "0be0555ee81d00a2a13500202335da838a0750f8b2409f019672723e6c78805f"
        ),
        "grandag/er_p10_e40.npz": (
            "4d59d71b8664f60c3e3451ab1f4da49a62c03761798e4d56ddad48648a19d80b"
        ),
        "grandag/er_p20_e20.npz": (
            "9ad6ead3ddbf4e32caf316404e35c486d60a86dd558111a88d3321edded182ba"
        ),
        "grandag/er_p20_e80_standin.npz": (
            "ff2b656ce2954e4e5591a53abc00ff72ec25c3f9c9dec7f5f018a8dab601789b"
        ),
        "syntren/syntren.npz": ("369cbecae8ad064c9d2fe553691e1e42207890f25081e0af95736472f7c79074"),
    }
)


class DatasetMissing(FileNotFoundError):
    """A data set that is not bundled is not in the cache; the message says how to put it there."""


def cache_folder() -> Path:
    """Folder of the data sets that are not bundled.

    The environment variable ``SCOREDAG_DATA``, or ``scoredag`` in the user's cache folder.

    Examples
    --------
    >>> cache_folder().name  # doctest: +SKIP
    'scoredag'
    """
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scoredag"


def cached_file(name: str) -> Path:
    """Path of a file of the cache, after a look at its checksum.

    Parameters
    ----------
    name : str
        One of `CHECKSUMS`.

    Raises
    ------
    DatasetMissing
        If it is not there.
    DataError
        If it is there but is another file than the one that results are quoted for.
    """
    path = cache_folder() / name
    if not path.is_file():
        raise DatasetMissing(
            f"{name} is not in {cache_folder()}. It cannot be bundled: put a local copy there "
            f"with scoredag.datasets.fill_cache(folder), or set "
            f"{FOLDER_VARIABLE} to the folder that has it."
        )
    _refuse_other(path, name)
    return path


def fill_cache(folder: str | Path) -> list[str]:
    """Copy the known data files of a local folder into the cache.

    Parameters
    ----------
    folder : path
        A folder laid out like the names in `CHECKSUMS`; files it lacks are left out.

    Returns
    -------
    list of str
        The names that are in the cache now.

    Raises
    ------
    DataError
        If the folder is not there, has none of the files, or one with another content.
    """
    source = Path(folder)
    if not source.is_dir():
        raise DataError(f"{source}: no such folder; name the one that has the data sets.")
    found = [name for name in CHECKSUMS if (source / name).is_file()]
    if not found:
        raise DataError(
            f"{source}: no data set that scoredag knows; it looks for {', '.join(CHECKSUMS)}."
        )
    for name in found:
        _refuse_other(source / name, name)
        _copy(source / name, cache_folder() / name)
    return [name for name in CHECKSUMS if (cache_folder() / name).is_file()]


def _copy(source: Path, target: Path) -> None:
    """Copy a file so that nobody ever sees half of it."""
    if target.exists() and source.samefile(target):
        return
    with replacing(target) as partial:
        shutil.copyfile(source, partial)


def _refuse_other(path: Path, name: str) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != CHECKSUMS[name]:
        raise DataError(
            f"{path}: not the {name} that results are quoted for (its SHA-256 begins with "
            f"{digest[:12]} instead of {CHECKSUMS[name][:12]}). Get the file anew."
        )
