"""Checks of arguments that the library and the command line share; imports nothing heavy."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, TypeGuard

# Rows of a search. Fitted to fewer, functions fit by chance, and directions look surer than they
# are.
FEWEST_SEARCH_ROWS = 50


def is_number(value: Any) -> TypeGuard[float]:
    """Whether an argument is a real number; True and False are none.

    Examples
    --------
    >>> is_number(0.5), is_number(True), is_number("0.5")
    (True, False, False)
    """
    return isinstance(value, Real) and not _is_truth_value(value)


def is_whole_number(value: Any) -> TypeGuard[int]:
    """Whether an argument is a whole number; True and False are none.

    Examples
    --------
    >>> is_whole_number(3), is_whole_number(3.0)
    (True, False)
    """
    return isinstance(value, Integral) and not _is_truth_value(value)


def _is_truth_value(value: object) -> bool:
    return type(value).__name__ in ("bool", "bool_")
