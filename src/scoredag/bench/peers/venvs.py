"""The venvs of the peers: one each, since no single one can hold them all."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from scoredag.bench.peers.process import PeerMissing, call
from scoredag.bench.peers.registry import Library

FOLDER_VARIABLE = "SCOREDAG_PEERS"
_HOW = "run `make peers`, or python -m scoredag.bench.peers"
_STAMP = "scoredag-requirements.sha256"


def peers_folder() -> Path:
    """Folder of the venvs: environment variable ``SCOREDAG_PEERS``, or ``.peers`` here."""
    return Path(os.environ.get(FOLDER_VARIABLE) or ".peers")


def python_of(library: Library, folder: Path) -> Path:
    """Python of a library's venv.

    Raises
    ------
    PeerMissing
        If the venv is not there, half built, or built for other versions.
    """
    venv = folder / library.name
    if not venv.is_dir():
        raise PeerMissing(f"{library.name} is not installed in {folder}: {_HOW}")
    if not is_built(library, folder):
        raise PeerMissing(f"{venv} is unfinished or holds other versions: {_HOW}")
    # Not resolved: the path of the link is what tells Python which venv it is in.
    return (venv / "bin" / "python").absolute()


def is_built(library: Library, folder: Path) -> bool:
    """Whether a venv holds what the requirements of today say."""
    stamp = folder / library.name / _STAMP
    return stamp.is_file() and stamp.read_text() == _fingerprint(library)


def build(library: Library, folder: Path) -> None:
    """Make the venv of a library anew.

    Raises
    ------
    PeerFailed
        With the last line that venv or pip wrote.
    """
    venv = folder / library.name
    if not folder.is_dir():  # a folder of our own is no part of any repository
        folder.mkdir(parents=True)
        (folder / ".gitignore").write_text("*\n")
    pip = [str(venv / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    call([sys.executable, "-m", "venv", "--clear", venv])
    call([*pip, "install", "--requirement", str(library.requirements)])
    mark_built(library, folder)


def mark_built(library: Library, folder: Path) -> None:
    """Write down that a venv is complete; only then is it used."""
    (folder / library.name / _STAMP).write_text(_fingerprint(library))


def distributions(library: Library) -> list[str]:
    """Names that a library's requirements pin, without their versions."""
    lines = library.requirements.read_text().splitlines() if library.requirements else []
    return [line.partition("==")[0] for line in lines if line and not line.startswith("#")]


def _fingerprint(library: Library) -> str:
    if library.requirements is None:
        raise ValueError(f"{library.name} has no requirements file, and so no venv")
    return hashlib.sha256(library.requirements.read_bytes()).hexdigest()
