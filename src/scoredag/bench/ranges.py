"""What an option may be, beyond its type: said beside the option, in its annotation.

.. code-block:: python

    def mine(d: Annotated[int, between(2, 100)], kind: Annotated[str, one_of(["a", "b"])], *, seed):

`scoredag.bench.option_checks` reads these when it reads a spec.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Range:
    """Values that an option may have.

    Attributes
    ----------
    holds : callable
        Whether a value of the right type is one of them.
    words : callable
        Says which they are, to follow "must be".
    """

    holds: Callable[[Any], bool]
    words: Callable[[], str]


def between(low: float, high: float, why: str = "") -> Range:
    """Numbers from `low` to `high`.

    Examples
    --------
    >>> two_or_more = between(2, 100)
    >>> two_or_more.words(), two_or_more.holds(1)
    ('from 2 to 100', False)
    >>> between(0, 0, "there is one data set").words()
    '0 (there is one data set)'
    """
    words = f"from {low:,} to {high:,}" if low < high else f"{low:,}"
    return Range(lambda value: low <= value <= high, lambda: f"{words} ({why})" if why else words)


def one_of(choices: Iterable[str] | Callable[[], Iterable[str]]) -> Range:
    """Some words; a function that lists them is called when they are needed.

    Examples
    --------
    >>> one_of(["raw", "log"]).words()
    "one of 'log', 'raw'"
    """

    def known() -> list[str]:
        return sorted(choices() if callable(choices) else choices)

    return Range(lambda value: value in known(), lambda: f"one of {', '.join(map(repr, known()))}")


def understood_by(parse: Callable[[str], object], words: str) -> Range:
    """Texts that a function takes without a ValueError.

    Examples
    --------
    >>> understood_by(float, "a number").holds("x")
    False
    """

    def holds(value: str) -> bool:
        try:
            parse(value)
        except ValueError:
            return False
        return True

    return Range(holds, lambda: words)
