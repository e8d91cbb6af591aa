"""From the columns of a file, as Arrow parsed them, to a matrix of numbers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scoredag.data.gaps import Where
from scoredag.data.nonnumeric import complaint
from scoredag.data.wording import counted, listing, quoted
from scoredag.exceptions import DataError

if TYPE_CHECKING:
    import pyarrow

COLUMNS_SHOWN = 10


@dataclass(frozen=True)
class Columns:
    """Parsed columns that may still hold text, dates, gaps and repeated names.

    Attributes
    ----------
    names : tuple of str
    arrays : tuple of pyarrow.ChunkedArray
    where : callable
        From positions of rows to how the user finds them in the file.
    unnamed : frozenset of str
        The names that were made up here, for columns that had none.
    decimal : {".", ","}
        The decimal mark that the file was read with.
    """

    names: tuple[str, ...]
    arrays: tuple[pyarrow.ChunkedArray, ...]
    where: Where
    unnamed: frozenset[str] = frozenset()
    decimal: str = "."

    @classmethod
    def named(
        cls,
        names: Sequence[str],
        arrays: Sequence[pyarrow.ChunkedArray],
        where: Where,
        decimal: str = ".",
    ) -> Columns:
        """Strip the names, and make up one for each column that has none."""
        stripped = [name.strip() for name in names]
        made_up = {k: f"unnamed_{k + 1}" for k, name in enumerate(stripped) if not name}
        filled = tuple(made_up.get(k, name) for k, name in enumerate(stripped))
        return cls(filled, tuple(arrays), where, frozenset(made_up.values()), decimal)

    def take(self, positions: list[int]) -> Columns:
        """Keep some columns, in the order given."""
        return replace(
            self,
            names=tuple(self.names[k] for k in positions),
            arrays=tuple(self.arrays[k] for k in positions),
        )


def refuse_repeated_names(names: Sequence[str], kept: Sequence[str] | None = None) -> None:
    """Raise `DataError` if two columns share a name, of all columns or of those that are kept.

    Examples
    --------
    >>> refuse_repeated_names(("dose", "age", "dose"))
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: repeated column names: 'dose' (columns 1 and 3). Rename them.
    """
    places: dict[str, list[str]] = {}
    for position, name in enumerate(names, start=1):
        places.setdefault(name, []).append(str(position))
    repeated = [
        f"{quoted(name)} (columns {listing(where)})"
        for name, where in places.items()
        if len(where) > 1 and (kept is None or name in kept)
    ]
    if repeated:
        raise DataError(f"repeated column names: {listing(repeated)}. Rename them.")


def refuse_unnamed(columns: Columns) -> None:
    """Raise `DataError` if the header has no name for a column, with a guess at what it is."""
    for name, array in zip(columns.names, columns.arrays, strict=True):
        if name in columns.unnamed:
            number = name.removeprefix("unnamed_")
            raise DataError(
                f"column {number} has no name in the header{_guess(array)}. "
                f"Leave it out with --drop {name}, or give it a name."
            )


def _guess(array: pyarrow.ChunkedArray) -> str:
    from pyarrow import types

    if array.null_count == len(array):
        return " and is blank in every row, as when all lines end with a separator"
    if types.is_integer(array.type) and array.null_count == 0:
        first, *rest = array.to_pylist()
        if rest == list(range(first + 1, first + len(array))):
            return " and counts the rows, like the index that pandas writes without index=False"
    return ""


def to_matrix(columns: Columns) -> NDArray[np.float64]:
    """Convert to float64, with NaN for missing cells.

    Raises
    ------
    DataError
        Naming every column that does not hold numbers, with an example and the way out.
    """
    import pyarrow

    complaints = {
        name: found
        for name, array in zip(columns.names, columns.arrays, strict=True)
        if (found := complaint(array, columns.where, columns.decimal)) is not None
    }
    if complaints:
        raise DataError(_not_numbers(complaints, len(columns.names)))
    floats = [array.cast(pyarrow.float64(), safe=False).to_numpy() for array in columns.arrays]
    return np.column_stack(floats)


def _not_numbers(complaints: dict[str, str], total: int) -> str:
    lines = [f"{quoted(name)}: {found}" for name, found in complaints.items()]
    shown = lines[:COLUMNS_SHOWN]
    if len(lines) > COLUMNS_SHOWN:
        shown.append(f"and {len(lines) - COLUMNS_SHOWN:,} more")
    return (
        f"{counted(len(lines), 'column')} cannot be read as numbers:\n  "
        + "\n  ".join(shown)
        + f"\n{_remedy(list(complaints), total)}"
    )


def _remedy(refused: Sequence[str], total: int) -> str:
    them = "it" if len(refused) == 1 else "them"
    if len(refused) == total:
        return f"Turn {them} into numbers first."
    names = shlex.quote(",".join(refused))
    return f"Leave {them} out with --drop {names}, or turn {them} into numbers first."
