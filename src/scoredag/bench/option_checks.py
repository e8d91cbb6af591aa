"""Options in a spec, checked against what takes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

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


def check_types(function: Callable[..., Any], options: Mapping[str, Any], where: str) -> None:
    """Refuse an option of another type than a function says that it takes.

    Parameters
    ----------
    function : callable
        Its annotations count, as far as they name what a TOML file can say.
    options : mapping
        Some of its arguments.
    where : str
        What to call it in the message.

    Examples
    --------
    >>> def draw(d: int, scale: float | None = None): ...
    >>> check_types(draw, {"d": 4, "scale": 1}, "data mine")
    >>> check_types(draw, {"d": 4.0}, "data mine")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.SpecError: data mine: d must be a whole number; got 4.0.
    """
    hints = get_type_hints(function)
    for key, value in options.items():
        hint = hints.get(key)
        allowed = [kind for kind in get_args(hint) or (hint,) if kind in _WORDS]
        # A whole number is a number; true and false are none, whatever Python says.
        fits = type(value) in allowed or (type(value) is int and float in allowed)
        if allowed and not fits:
            words = " or ".join(_WORDS[kind] for kind in allowed)
            raise SpecError(f"{where}: {key} must be {words}; got {value!r}.")


def check_grid(function: Callable[..., Any], grid: Mapping[str, Sequence[Any]], where: str) -> None:
    """Refuse lists of values that are empty, or have one that a function would not take."""
    for key, values in grid.items():
        if not values:
            raise SpecError(f"{where}: {key} must have at least one value; got [].")
        for value in values:
            check_types(function, {key: value}, where)
