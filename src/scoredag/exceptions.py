"""What scoredag raises and warns with, where a caller would want to tell it apart.

Every message names what is wrong, where it is, and what to do about it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

# scikit-learn is passed over as well: it wraps ``fit``.
_OURS = ("scoredag", "sklearn")


class DataError(ValueError):
    """The table cannot be analysed as it is; the message says which columns and what to do."""


class GraphError(ValueError):
    """A matrix, order or file does not describe the graph that was asked for."""


class KnowledgeError(ValueError):
    """Rules about a graph cannot be read, fit no column, or contradict each other.

    Attributes
    ----------
    problems : tuple of str
        What is wrong, one description a problem; the message lists them all.
    """

    def __init__(self, message: str, problems: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)


class SpecError(ValueError):
    """A benchmark's spec cannot be run as it stands; the message says where and what to do."""


class DataWarning(UserWarning):
    """The table can be analysed, but the result needs the caution that the message describes."""


def warn(message: str) -> None:
    """Emit a `DataWarning` that points at the user's line, not at one of ours."""
    warnings.warn(message, DataWarning, stacklevel=stacklevel_of_user())


def stacklevel_of_user() -> int:
    """Find the ``stacklevel`` for `warnings.warn` that points outside this package.

    To be called by the function that warns.
    """
    frame = sys._getframe(1)
    level = 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        frame = frame.f_back
        level += 1
    return level
