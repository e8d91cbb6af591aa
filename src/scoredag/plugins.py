"""One rule for everything that can be plugged in: a new piece is one new file.

A *shelf* is a package whose modules each define one piece whose name begins with the module's:
``order/criteria/variance.py`` defines ``variance``, ``prune/pruners/cam.py`` defines
``cam_prune``, ``estimators/varsort.py`` defines ``VarSort``. `shelf` lists them by reading the
folder, so the command line's ``--help`` and the benchmarks show a new file without being edited.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import Any


def _spelling(name: str) -> str:
    return name.replace("_", "").lower()


@cache
def shelf(package: str) -> MappingProxyType[str, Any]:
    """Collect the pieces of a package, by module name.

    Parameters
    ----------
    package : str
        Dotted name of a package. Modules that start with an underscore hold helpers and are
        passed over.

    Returns
    -------
    mapping of str to object
        For each module the function or class defined there whose name begins with the module's,
        underscores and capitals aside; the shortest such name.

    Examples
    --------
    >>> sorted(shelf("scoredag.order.criteria"))
    ['scale_free', 'variance']
    """
    pieces = {}
    for module_info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        name = module_info.name
        if name.startswith("_"):
            continue
        module = importlib.import_module(f"{package}.{name}")
        matches = [
            key
            for key, value in vars(module).items()
            if _spelling(key).startswith(_spelling(name))
            and getattr(value, "__module__", None) == module.__name__
        ]
        if not matches:
            raise ImportError(f"{module.__name__} must define {name!r}: see scoredag.plugins")
        pieces[name] = getattr(module, min(matches, key=len))
    return MappingProxyType(pieces)


def pick(package: str, choice: Any, argument: str) -> Any:
    """Resolve an argument that is either the name of a piece on a shelf or the piece itself.

    Parameters
    ----------
    package : str
        Dotted name of the shelf.
    choice : str or callable
        What the user passed.
    argument : str
        The argument's name, for the error message.

    Examples
    --------
    >>> pick("scoredag.order.criteria", "varianse", "criterion")
    Traceback (most recent call last):
        ...
    ValueError: criterion must be one of 'scale_free', 'variance', or a callable; got 'varianse'
    """
    if callable(choice):
        return choice
    pieces = shelf(package)
    if isinstance(choice, str) and choice in pieces:
        return pieces[choice]
    names = ", ".join(repr(name) for name in sorted(pieces))
    raise ValueError(f"{argument} must be one of {names}, or a callable; got {choice!r}")
