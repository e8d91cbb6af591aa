"""What options take: names and numbers, with checks that say what is wrong.

Names are read from the folders of the shelves without importing them. A new method, criterion,
pruner, model, mechanism or noise shows up in ``--help`` because its file is there;
`scoredag.plugins` imports it only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Annotated

import typer

from scoredag.plugins import names

METHODS = "scoredag.estimators"
CRITERIA = "scoredag.order.criteria"
PRUNERS = "scoredag.prune.pruners"
SCORE_ESTIMATORS = "scoredag.score.fields"
SCREENS = "scoredag.screening.screens"
SMOOTHINGS = "scoredag.regression.smoothing"
GRAPH_FORMATS = "scoredag.graph.formats"
GRAPHS = "scoredag.simulate.graphs"
MECHANISMS = "scoredag.simulate.mechanisms"
NOISES = "scoredag.simulate.noises"
MODELS = "scoredag.simulate.models"

# The word for leaving something out that a method would do by default.
NONE = "none"
# Beyond this, systems refuse to start threads at all.
MOST_THREADS = 1000

JSON_HELP = "Print one JSON document, and nothing else, on standard output."
AsJson = Annotated[bool, typer.Option("--json", help=JSON_HELP)]


def listed(shelf: str) -> str:
    """Write the names on a shelf for a help text.

    Examples
    --------
    >>> listed("scoredag.order.criteria")
    'nogam, scale_free or variance'
    """
    *others, last = names(shelf)
    return f"{', '.join(others)} or {last}" if others else last


def one_of(shelf: str, *further: str) -> Callable[[str | None], str | None]:
    """Make the check of an option that takes a name on a shelf, or one of further words.

    Examples
    --------
    >>> one_of(SCREENS, NONE)("none")
    'none'
    """
    return lambda name: _checked(name, [*names(shelf), *further])


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


def between(low: float, high: float) -> Callable[[float | None], float | None]:
    """Make the check of a number strictly between two bounds.

    Examples
    --------
    >>> between(0, 1)(0.5)
    0.5
    """

    def check(value: float | None) -> float | None:
        if value is None or low < value < high:
            return value
        bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        raise typer.BadParameter(f"{value:g} is not a number {bounds}.")

    return check


def threads(value: int | None) -> int | None:
    """Check a number of threads; negative ones count down from all.

    Examples
    --------
    >>> threads(-1)
    -1
    """
    if value == 0:
        raise typer.BadParameter("must not be 0.")
    if value is not None and value > MOST_THREADS:
        raise typer.BadParameter(f"{value:,} is more than {MOST_THREADS:,}; -1 takes all.")
    return value
