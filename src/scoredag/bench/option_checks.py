"""Options in a spec, checked against what takes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from scoredag.bench.ranges import Range
from scoredag.exceptions import SpecError

# What a TOML file can say, and how to call it.
_WORDS = MappingProxyType(
    {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
)


def refuse_unknown(given: Collection[str], known: Collection[str], where: str) -> None:
    """Raise `SpecError` if something is given that is not known.

    Examples
    --------
    >>> refuse_unknown(["alfa"], ["eta", "alpha"], "options of SCORE")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: options of SCORE: alfa unknown; known: alpha, eta.
    """
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise SpecError(
            f"{where}: {', '.join(unknown)} unknown; known: {', '.join(sorted(known))}."
        )


def refuse_repeated(values: Iterable[object], where: str) -> None:
    """Raise `SpecError` if a list has a value twice.

    Examples
    --------
    >>> refuse_repeated([0, 1, 0], "seeds of paper")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: seeds of paper: 0 is listed twice.
    """
    seen: set[str] = set()
    for value in values:
        if repr(value) in seen:
            raise SpecError(f"{where}: {value!r} is listed twice.")
        seen.add(repr(value))


def check_types(function: Callable[..., Any], options: Mapping[str, Any], where: str) -> None:
    """Refuse an option of another type, or out of the range, that a function says it takes.

    Parameters
    ----------
    function : callable
        Its annotations count, as far as they name what a TOML file can say; those with a `Range`
        (``Annotated[int, between(2, 9)]``) say which values there are.
    options : mapping
        Some of its arguments.
    where : str
        What to call it in the message.

    Examples
    --------
    >>> from scoredag.bench.ranges import between
    >>> def draw(d: Annotated[int, between(2, 9)], scale: float | None = None): ...
    >>> check_types(draw, {"d": 4, "scale": 1}, "data mine")
    >>> check_types(draw, {"d": 4.0}, "data mine")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: data mine: d must be a whole number; got 4.0.
    >>> check_types(draw, {"d": -1}, "data mine")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: data mine: d must be from 2 to 9; got -1.
    """
    hints = get_type_hints(function, include_extras=True)
    for key, value in options.items():
        hint, ranges = _parted(hints.get(key))
        allowed = [kind for kind in get_args(hint) or (hint,) if kind in _WORDS]
        # A whole number is a number; true and false are none, whatever Python says.
        fits = type(value) in allowed or (type(value) is int and float in allowed)
        if allowed and not fits:
            words = " or ".join(_WORDS[kind] for kind in allowed)
            raise SpecError(f"{where}: {key} must be {words}; got {value!r:.80}.")
        for known in ranges:
            if not known.holds(value):
                raise SpecError(f"{where}: {key} must be {known.words()}; got {value!r:.80}.")


def _parted(hint: Any) -> tuple[Any, list[Range]]:
    """Part a type from the ranges that it is annotated with."""
    if get_origin(hint) is not Annotated:
        return hint, []
    kind, *extras = get_args(hint)
    return kind, [extra for extra in extras if isinstance(extra, Range)]


def check_grid(function: Callable[..., Any], grid: Mapping[str, Sequence[Any]], where: str) -> None:
    """Refuse lists of values that are empty, repeat one, or have one a function would not take."""
    for key, values in grid.items():
        if not values:
            raise SpecError(f"{where}: {key} must have at least one value; got [].")
        for value in values:
            check_types(function, {key: value}, where)
        refuse_repeated(values, f"{where}: {key}")
