"""Checks of arguments that the library and the command line share; imports nothing heavy."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    import numpy as np


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


def check_between(value: Any, name: str, low: float, high: float) -> None:
    """Raise ValueError unless an argument is a number strictly between two bounds.

    Examples
    --------
    >>> check_between("x", "alpha", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: alpha must be a number between 0 and 1; got 'x'
    """
    if not (is_number(value) and low < value < high):
        bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        raise ValueError(f"{name} must be a number {bounds}; got {value!r}")


def check_count(value: Any, name: str, least: int = 1) -> None:
    """Raise ValueError unless an argument is a whole number that is large enough.

    Examples
    --------
    >>> check_count(2.5, "size", least=3)
    Traceback (most recent call last):
        ...
    ValueError: size must be a whole number, at least 3; got 2.5
    """
    if not (is_whole_number(value) and value >= least):
        raise ValueError(f"{name} must be a whole number, at least {least}; got {value!r}")


def check_jobs(n_jobs: Any) -> None:
    """Raise ValueError unless joblib takes an argument as a number of jobs."""
    if n_jobs is not None and not (is_whole_number(n_jobs) and n_jobs != 0):
        raise ValueError(
            f"n_jobs must be None, or a whole number other than 0, -1 for all cores; got {n_jobs!r}"
        )


def as_generator(seed: Any, name: str = "rng") -> np.random.Generator:
    """Turn a generator, a seed, scikit-learn's random state or None into a generator.

    Examples
    --------
    >>> as_generator("seed")
    Traceback (most recent call last):
        ...
    ValueError: rng must be None, a whole number from 0, or a generator of NumPy's; got 'seed'
    """
    import numpy as np

    if isinstance(seed, np.random.RandomState):
        return np.random.default_rng(seed.randint(2**31))
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must be None, a whole number from 0, or a generator of NumPy's; got {seed!r}"
        ) from error


def _is_truth_value(value: object) -> bool:
    return type(value).__name__ in ("bool", "bool_")
