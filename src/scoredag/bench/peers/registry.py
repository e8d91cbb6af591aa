"""Which peers there are: every file in ``libraries``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoredag.bench.option_checks import refuse_unknown
from scoredag.plugins import names

LIBRARIES = "scoredag.bench.peers.libraries"


@dataclass(frozen=True)
class Library:
    """A library that others wrote.

    Attributes
    ----------
    name : str
        As its users spell it; also the folder of its venv.
    script : Path
        The file that runs its methods.
    methods : dict
        Its methods by name: functions of (X, options, seed).
    options : dict
        The names of each method's options.
    requirements : Path or None
        What its venv holds; None for a library that needs none, and runs in our process.
    """

    name: str
    script: Path
    methods: dict[str, Callable[..., dict[str, Any]]]
    options: dict[str, tuple[str, ...]]
    requirements: Path | None


def libraries() -> dict[str, Library]:
    """Every library, by name.

    Examples
    --------
    >>> sorted(libraries())
    ['causal-learn', 'gcastle', 'lingam', 'mgcv']
    """
    found = (_library(name) for name in names(LIBRARIES))
    return {library.name: library for library in found}


def peer_methods() -> list[str]:
    """List the methods of all peers, installed or not.

    Examples
    --------
    >>> [name for name in peer_methods() if name.startswith("causal-learn")]
    ['causal-learn/PC', 'causal-learn/FCI', 'causal-learn/GES']
    """
    return [
        f"{library.name}/{method}" for library in libraries().values() for method in library.methods
    ]


def find_peer(name: str) -> tuple[Library, str]:
    """Split "library/method" into the library and its method.

    Examples
    --------
    >>> find_peer("causal-learn/LiNGAM")
    Traceback (most recent call last):
        ...
    ValueError: name must be a peer, one of causal-learn/PC, causal-learn/FCI, causal-learn/GES, \
gcastle/NOTEARS, gcastle/NOTEARS-MLP, gcastle/RL, gcastle/CORL, gcastle/GraN-DAG, lingam/RESIT, \
mgcv/SCORE; got 'causal-learn/LiNGAM'
    """
    library, _, method = name.partition("/")
    if name not in peer_methods():
        known = ", ".join(peer_methods())
        raise ValueError(f"name must be a peer, one of {known}; got {name!r}")
    return libraries()[library], method


def check_peer_options(name: str, options: Collection[str]) -> None:
    """Raise `SpecError` if a peer lacks an option.

    Examples
    --------
    >>> check_peer_options("lingam/RESIT", ["alhpa"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: options of lingam/RESIT: alhpa unknown; known: alpha, forest, \
prior_knowledge, random_state.
    """
    library, method = find_peer(name)
    refuse_unknown(options, library.options[method], f"options of {name}")


def _library(module_name: str) -> Library:
    module = importlib.import_module(f"{LIBRARIES}.{module_name}")
    script = Path(str(module.__file__))
    requirements = script.with_suffix(".txt")
    return Library(
        name=module.LIBRARY,
        script=script,
        methods=module.METHODS,
        options=module.OPTIONS,
        requirements=requirements if requirements.is_file() else None,
    )
