"""One rule for everything that can be plugged in: a new piece is one new file.

A *shelf* is a package whose modules each hold one piece and name it: the last line of
``prune/pruners/cam.py`` is ``PIECE = cam_prune``. `names` lists the modules by reading the folder,
so the command line's ``--help`` shows a new file without being edited, and so does
``scoredag bench`` with a new estimator.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any


def names(package: str) -> list[str]:
    """List the pieces of a shelf without importing any of them, nor the shelf.

    A shelf that is already imported is read wherever its ``__path__`` leads.

    Examples
    --------
    >>> names("scoredag.order.criteria")
    ['nogam', 'scale_free', 'variance']
    """
    shelf = sys.modules.get(package)
    if shelf is None:  # its path is then that of its folder
        path = [str(Path(__file__).parent.joinpath(*package.split(".")[1:]))]
    else:
        path = list(shelf.__path__)
    modules = pkgutil.iter_modules(path)
    return sorted(module.name for module in modules if not module.name.startswith("_"))


def piece(package: str, name: str) -> Any:
    """Import one piece of a shelf.

    Parameters
    ----------
    package : str
        Dotted name of a package of scoredag.
    name : str
        A module of it.

    Returns
    -------
    object
        What the module names as its ``PIECE``.

    Examples
    --------
    >>> piece("scoredag.prune.pruners", "cam").__name__
    'cam_prune'
    """
    module = importlib.import_module(f"{package}.{name}")
    try:
        return module.PIECE
    except AttributeError:
        raise ImportError(
            f"{module.__name__} must name its piece, PIECE = ...: see scoredag.plugins"
        ) from None


def shelf(package: str) -> dict[str, Any]:
    """Import all pieces of a shelf, by name.

    Examples
    --------
    >>> sorted(shelf("scoredag.estimators"))
    ['cam', 'grandag', 'listen', 'r2sort', 'score', 'scoregp', 'varsort']
    """
    return {name: piece(package, name) for name in names(package)}


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
    ValueError: criterion must be one of 'nogam', 'scale_free', 'variance', or a callable; got \
'varianse'
    """
    if callable(choice):
        return choice
    known = names(package)
    if isinstance(choice, str) and choice in known:
        return piece(package, choice)
    listed = ", ".join(map(repr, known))
    raise ValueError(f"{argument} must be one of {listed}, or a callable; got {choice!r}")


def accepted(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some options that a function takes and that no `functools.partial` has set.

    Examples
    --------
    >>> from functools import partial
    >>> def prune(X, alpha=0.1, eta=1.0): ...
    >>> accepted(partial(prune, alpha=0.5), {"alpha": 0.01, "eta": 2.0, "n_jobs": 1})
    {'eta': 2.0}
    """
    parameters = inspect.signature(function).parameters
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    bound = function.keywords if isinstance(function, partial) else {}
    return {
        name: value
        for name, value in options.items()
        if (takes_all or name in parameters) and name not in bound
    }
