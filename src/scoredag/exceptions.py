"""What scoredag raises and warns with, where a caller would want to tell it apart.

Every message names what is wrong, where it is, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable


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
