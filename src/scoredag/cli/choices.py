"""Names that an option takes, read from the folders of the shelves without importing them.

A new method, criterion, pruner, mechanism or noise shows up in ``--help`` because its file is
there; `scoredag.plugins` imports it only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

import typer

from scoredag.plugins import names

METHODS = "scoredag.estimators"
CRITERIA = "scoredag.order.criteria"
PRUNERS = "scoredag.prune.pruners"
SMOOTHINGS = "scoredag.regression.smoothing"
GRAPH_FORMATS = "scoredag.graph.formats"
GRAPHS = "scoredag.simulate.graphs"
MECHANISMS = "scoredag.simulate.mechanisms"
NOISES = "scoredag.simulate.noises"


def listed(shelf: str) -> str:
    """Write the names on a shelf for a help text.

    Examples
    --------
    >>> listed("scoredag.order.criteria")
    'scale_free or variance'
    """
    *others, last = names(shelf)
    return f"{', '.join(others)} or {last}" if others else last


def one_of(shelf: str) -> Callable[[str | None], str | None]:
    """Make the check of an option that takes a name on a shelf."""
    return lambda name: _checked(name, names(shelf))


def one_of_words(*known: str) -> Callable[[str | None], str | None]:
    """Make the check of an option that takes one of a few words.

    Examples
    --------
    >>> one_of_words("auto", "raw")("raw")
    'raw'
    """
    return lambda name: _checked(name, known)


def _checked(name: str | None, known: Sequence[str]) -> str | None:
    if name is None or name in known:
        return name
    guess = get_close_matches(name.lower(), known, n=1)
    hint = f" Did you mean {guess[0]!r}?" if guess else ""
    raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, known))}.{hint}")
