"""Checks of constructor parameters, declared beside each estimator by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scoredag.arguments import check_between, check_count, check_jobs, is_number
from scoredag.knowledge import check_knowledge
from scoredag.plugins import pick

Check = Callable[[Any, str], None]  # of a value and the name of its parameter


def optional(check: Check) -> Check:
    """None, or what another check takes."""

    def check_unless_none(value: Any, name: str) -> None:
        if value is not None:
            check(value, name)

    return check_unless_none


def on_shelf(package: str) -> Check:
    """The name of a piece on a shelf, or the piece itself."""

    def check(value: Any, name: str) -> None:
        pick(package, value, name)

    return check


def auto_or(check: Check) -> Check:
    """The word "auto", or what another check takes."""

    def check_unless_auto(value: Any, name: str) -> None:
        if not (isinstance(value, str) and value == "auto"):
            check(value, name)

    return check_unless_auto


def between(low: float, high: float) -> Check:
    """A number strictly between two bounds."""

    def check(value: Any, name: str) -> None:
        check_between(value, name, low, high)

    return check


def one_of(*choices: str) -> Check:
    """One of some words."""

    def check(value: Any, name: str) -> None:
        if not (isinstance(value, str) and value in choices):
            raise ValueError(f"{name} must be one of {choices}; got {value!r}")

    return check


def is_flag(value: Any, name: str) -> None:
    """Raise ValueError unless a parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; got {value!r}")


def is_count(value: Any, name: str) -> None:
    """Raise ValueError unless a parameter is a whole number from 1."""
    check_count(value, name)


def is_positive(value: Any, name: str) -> None:
    """Raise ValueError unless a parameter is a positive number."""
    if not (is_number(value) and 0 < value < np.inf):
        raise ValueError(f"{name} must be a positive number; got {value!r}")


def is_choice_of_neighbours(value: Any, name: str) -> None:
    """Raise ValueError unless a parameter is True, False or 'auto'."""
    if not (isinstance(value, bool | np.bool_) or (isinstance(value, str) and value == "auto")):
        raise ValueError(f"{name} must be True, False or 'auto'; got {value!r}")


def selects_neighbours(choice: Any, many_columns: bool) -> bool:
    """Decide whether candidate parents are selected first; "auto" where there are many columns.

    Examples
    --------
    >>> selects_neighbours("auto", many_columns=True), selects_neighbours(False, many_columns=True)
    (True, False)
    """
    return many_columns if isinstance(choice, str) else bool(choice)


def _is_jobs(value: Any, name: str) -> None:
    check_jobs(value)


def _is_progress(value: Any, name: str) -> None:
    if value is not None and not callable(value):
        raise ValueError(f"{name} must be None or a function; got {value!r}")


def _is_knowledge(value: Any, name: str) -> None:
    check_knowledge(value)


# Parameters that every estimator has, and those of estimators with a choice of pruners.
COMMON: dict[str, Check] = {
    "n_jobs": _is_jobs,
    "progress": _is_progress,
    "knowledge": _is_knowledge,
}
PRUNING: dict[str, Check] = {
    "pruner": on_shelf("scoredag.prune.pruners"),
    "alpha": optional(between(0, 1)),
    "smoothing": on_shelf("scoredag.regression.smoothing"),
}
