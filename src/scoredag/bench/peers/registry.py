"""Which peers there are (every file in ``libraries``), and a venv for each: they do not mix."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoredag.bench.checks import refuse_unknown
from scoredag.bench.peers.process import PeerMissing, call
from scoredag.plugins import names

LIBRARIES = "scoredag.bench.peers.libraries"
FOLDER_VARIABLE = "SCOREDAG_PEERS"
_HOW = "run `make peers`, or python -m scoredag.bench.peers"
_STAMP = "scoredag-requirements.sha256"


@dataclass(frozen=True)
class Library:
    """A library that others wrote: a file in ``libraries``, and what its venv holds."""

    name: str
    script: Path
    # Functions of (X, options, seed), and the names of their options.
    methods: dict[str, Callable[..., dict[str, Any]]]
    options: dict[str, tuple[str, ...]]
    # None for a library that needs no venv, and runs in our process.
    requirements: Path | None


def libraries() -> dict[str, Library]:
    """Every library, by name."""
    found = {}
    for name in names(LIBRARIES):
        module = importlib.import_module(f"{LIBRARIES}.{name}")
        script = Path(str(module.__file__))
        pinned = script.with_suffix(".txt") if script.with_suffix(".txt").is_file() else None
        library = Library(module.LIBRARY, script, module.METHODS, module.OPTIONS, pinned)
        found[library.name] = library
    return found


def peer_methods() -> list[str]:
    """List the methods of all peers, installed or not."""
    return [
        f"{library.name}/{method}" for library in libraries().values() for method in library.methods
    ]


def find_peer(name: str) -> tuple[Library, str]:
    """Split "library/method" into the library and its method; ValueError if there is none."""
    library, _, method = name.partition("/")
    if name not in peer_methods():
        known = ", ".join(peer_methods())
        raise ValueError(f"name must be a peer, one of {known}; got {name!r}")
    return libraries()[library], method


def check_peer_options(name: str, options: Collection[str]) -> None:
    """Raise `SpecError` if a peer lacks an option."""
    library, method = find_peer(name)
    refuse_unknown(options, library.options[method], f"options of {name}")


def peers_folder() -> Path:
    """Folder of the venvs: environment variable ``SCOREDAG_PEERS``, or ``.peers`` here."""
    return Path(os.environ.get(FOLDER_VARIABLE) or ".peers")


def python_of(library: Library, folder: Path) -> Path:
    """Python of a library's venv; `PeerMissing` if it is not there, or has other versions."""
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
    """Make the venv of a library anew; `PeerFailed` with the last line that venv or pip wrote."""
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
