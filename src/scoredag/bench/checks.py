"""What a spec may say, checked against what takes it.

A function says in its annotations which values its options may have, beyond their type:

.. code-block:: python

    def mine(d: Annotated[int, between(2, 100)], kind: Annotated[str, one_of(["a", "b"])], *, seed):
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from scoredag.exceptions import SpecError

# What a TOML file can say, and how to call it.
_WORDS = MappingProxyType(
    {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
)
_KINDS: Mapping[str, tuple[type, str]] = MappingProxyType(
    {
        **dict.fromkeys(("title", "description", "label", "why"), (str, "text")),
        **dict.fromkeys(("options", "only"), (dict, "a table of options")),
        **{key: (list, f"[[{key}]] blocks") for key in ("data", "methods", "tables")},
        "metrics": (list, "a list of names"),
    }
)


@dataclass(frozen=True)
class Range:
    """Values that an option may have: a test for them, and words that follow "must be"."""

    holds: Callable[[Any], bool]
    words: Callable[[], str]


def between(low: float, high: float, why: str = "") -> Range:
    """Numbers from `low` to `high`.

    Examples
    --------
    >>> between(2, 100).words(), between(2, 100).holds(1)
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
    """Texts that a function takes without a ValueError."""

    def holds(value: str) -> bool:
        try:
            parse(value)
        except ValueError:
            return False
        return True

    return Range(holds, lambda: words)


def refuse_unknown(given: Collection[str], known: Collection[str], where: str) -> None:
    """Raise `SpecError` if something is given that is not known."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        listed = ", ".join(sorted(known))
        raise SpecError(f"{where}: {', '.join(unknown)} unknown; known: {listed}.")


def refuse_repeated(values: Iterable[object], where: str) -> None:
    """Raise `SpecError` if a list has a value twice."""
    seen: set[str] = set()
    for value in values:
        if repr(value) in seen:
            raise SpecError(f"{where}: {value!r} is listed twice.")
        seen.add(repr(value))


def check_kinds(block: Mapping[str, Any], where: str) -> None:
    """Refuse values of a block that are of the wrong kind, by their key."""
    for key, (kind, name) in _KINDS.items():
        if key in block and not isinstance(block[key], kind):
            raise SpecError(f"{where}: {key} must be {name}; got {block[key]!r:.80}.")
    for key in ("title", "label"):
        text = block.get(key, key)
        if not text.strip() or not text.isprintable():
            raise SpecError(f"{where}: {key} must be one line of text; got {text!r:.80}.")


def check_types(function: Callable[..., Any], options: Mapping[str, Any], where: str) -> None:
    """Refuse an option of another type, or out of the range, than a function's annotations say.

    Examples
    --------
    >>> def draw(d: Annotated[int, between(2, 9)], scale: float | None = None): ...
    >>> check_types(draw, {"d": 4, "scale": 1}, "data mine")
    >>> check_types(draw, {"d": -1}, "data mine")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: data mine: d must be from 2 to 9; got -1.
    """
    hints = get_type_hints(function, include_extras=True)
    for key, value in options.items():
        hint, extras = hints.get(key), []
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
        allowed = [kind for kind in get_args(hint) or (hint,) if kind in _WORDS]
        # A whole number is a number; true and false are none, whatever Python says.
        fits = type(value) in allowed or (type(value) is int and float in allowed)
        if allowed and not fits:
            words = " or ".join(_WORDS[kind] for kind in allowed)
            raise SpecError(f"{where}: {key} must be {words}; got {value!r:.80}.")
        for known in extras:
            if isinstance(known, Range) and not known.holds(value):
                raise SpecError(f"{where}: {key} must be {known.words()}; got {value!r:.80}.")


def check_grid(function: Callable[..., Any], grid: Mapping[str, Sequence[Any]], where: str) -> None:
    """Refuse lists of values that are empty, repeat one, or have one a function would not take."""
    for key, values in grid.items():
        if not values:
            raise SpecError(f"{where}: {key} must have at least one value; got [].")
        for value in values:
            check_types(function, {key: value}, where)
        refuse_repeated(values, f"{where}: {key}")
