"""Which peers there are: every file in ``libraries``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoredag.bench.checks import refuse_unknown
from scoredag.plugins import names

LIBRARIES = "scoredag.bench.peers.libraries"


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
    """Every library, by name.

    Examples
    --------
    >>> sorted(libraries())
    ['causal-learn', 'gcastle', 'lingam', 'mgcv']
    """
    found = {}
    for name in names(LIBRARIES):
        module = importlib.import_module(f"{LIBRARIES}.{name}")
        script = Path(str(module.__file__))
        requirements = script.with_suffix(".txt")
        found[module.LIBRARY] = Library(
            module.LIBRARY,
            script,
            module.METHODS,
            module.OPTIONS,
            requirements if requirements.is_file() else None,
        )
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
