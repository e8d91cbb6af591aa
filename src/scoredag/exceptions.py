"""What scoredag raises and warns with, where a caller would want to tell it apart.

Every message names what is wrong, where it is, and what to do about it.
"""

from __future__ import annotations


class DataError(ValueError):
    """The table cannot be analysed as it is; the message says which columns and what to do."""


class GraphError(ValueError):
    """A matrix, order or file does not describe the graph that was asked for."""


class SpecError(ValueError):
    """A benchmark's spec cannot be run as it stands; the message says where and what to do."""


class DataWarning(UserWarning):
    """The table can be analysed, but the result needs the caution that the message describes."""
