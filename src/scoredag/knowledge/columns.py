"""Which columns of a table a rule means."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.arguments import is_whole_number
from scoredag.data.names import about_repeated_names
from scoredag.data.wording import counted, name_list, quoted
from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.parsing import Column, shown

Positions = NDArray[np.intp]

# Looking for similar names takes a while where there are many of both.
_MOST_SUGGESTED_FOR = 50


class Columns:
    """The columns of a table, found by name, by position or by wildcard.

    Parameters
    ----------
    labels : sequence
        One label a column. Names in rules are compared with the labels as text.

    Notes
    -----
    An integer in a rule is a position, counted from 0, unless some label of the table is an integer
    itself, as in data frames without names: then it is a label.
    """

    def __init__(self, labels: Sequence[Hashable]) -> None:
        self.labels = tuple(labels)
        self.names = tuple(map(str, self.labels))
        repeated = about_repeated_names(self.names)
        if repeated:
            raise KnowledgeError(f"knowledge needs columns that can be told apart; {repeated}")
        self._position = {name: k for k, name in enumerate(self.names)}
        self._integers_are_labels = any(map(is_whole_number, self.labels))
        self._found: dict[Column, Positions] = {}

    def __len__(self) -> int:
        return len(self.labels)

    def shown(self, position: int) -> str:
        """Quote the name of a column for a message."""
        return quoted(self.names[position])

    def is_pattern(self, column: Column) -> bool:
        """Whether a name is matched by its wildcards: it has some, and is no column's own name."""
        return (
            isinstance(column, str)
            and column not in self._position
            and ("*" in column or "?" in column)
        )

    def find(self, column: Column) -> Positions:
        """Positions of the columns that a rule means, ascending; none where there is no such."""
        if column not in self._found:
            self._found[column] = np.array(self._find(column), dtype=np.intp)
        return self._found[column]

    def _find(self, column: Column) -> list[int]:
        if isinstance(column, int) and not self._integers_are_labels:
            return [column] if 0 <= column < len(self) else []
        if self.is_pattern(column):
            return [k for k, name in enumerate(self.names) if _matches(str(column), name)]
        position = self._position.get(str(column))
        return [] if position is None else [position]

    def about_missing(self, missing: dict[Column, str]) -> list[str]:
        """Describe columns that are not there: how each is named, where, and what may be meant.

        Parameters
        ----------
        missing : dict
            What names the column, and the rule in which it does.
        """
        suggested = list(missing)[:_MOST_SUGGESTED_FOR]
        return [
            f"{self._complaint(column, column in suggested)}, in {where}"
            for column, where in missing.items()
        ]

    def _complaint(self, column: Column, suggest: bool) -> str:
        if isinstance(column, int):
            if self._integers_are_labels:
                return f"no column has the label {column} (some labels are integers: so is this)"
            last = f"they are 0 to {len(self) - 1}" if len(self) else "there is none"
            return f"no column has the position {column}: {last}"
        if self.is_pattern(column):
            return f"no column matches {shown(column)}"
        near = _nearest(column, self.names) if suggest else []
        hint = f" (near: {name_list(near)})" if near else ""
        if not near and column.strip().isdecimal():
            hint = " (positions are integers, not text: write a pair such as [0, 1])"
        return f"no column is named {shown(column)}{hint}"

    def summary(self) -> str:
        """The columns in a few words, for the end of a message."""
        listed = f": {name_list(self.names)}" if self.names else ""
        return f"the table has {counted(len(self), 'column')}{listed}"


def _matches(pattern: str, name: str) -> bool:
    """Whether a name matches: ``*`` stands for any letters or none, ``?`` for one.

    Only the last star is ever tried again, so that no pattern takes long.
    """
    p = n = 0
    star, resumed = -1, 0
    while n < len(name):
        if p < len(pattern) and pattern[p] == "*":
            star, resumed = p, n
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", name[n]):
            p, n = p + 1, n + 1
        elif star >= 0:
            resumed += 1
            p, n = star + 1, resumed
        else:
            return False
    return all(letter == "*" for letter in pattern[p:])


def _nearest(name: str, known: Sequence[str]) -> list[str]:
    spelled: dict[str, Any] = {}
    for other in known:
        spelled.setdefault(other.casefold(), other)
    return [spelled[near] for near in get_close_matches(name.casefold(), spelled)]
