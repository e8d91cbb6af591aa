"""From the columns of a file, as Arrow parsed them, to a matrix of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scoredag.data.nonnumeric import complaint
from scoredag.data.wording import Where, counted, quoted

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
    reread : callable or None
        For a text table, from positions of columns to the different cells of each, as text.
    """

    names: tuple[str, ...]
    arrays: tuple[pyarrow.ChunkedArray, ...]
    where: Where
    unnamed: frozenset[str] = frozenset()
    decimal: str = "."
    reread: Callable[[Sequence[int]], list[set[str]]] | None = None

    @classmethod
    def named(
        cls,
        names: Sequence[str],
        arrays: Sequence[pyarrow.ChunkedArray],
        where: Where,
        decimal: str = ".",
        reread: Callable[[Sequence[int]], list[set[str]]] | None = None,
    ) -> Columns:
        """Strip the names, and make up one for each column that has none."""
        stripped = [name.strip() for name in names]
        made_up = {
            k: _free_name(f"unnamed_{k + 1}", stripped)
            for k, name in enumerate(stripped)
            if not name
        }
        filled = tuple(made_up.get(k, name) for k, name in enumerate(stripped))
        return cls(filled, tuple(arrays), where, frozenset(made_up.values()), decimal, reread)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.arrays[0]) if self.arrays else 0

    def texts(self, names: Sequence[str]) -> dict[str, set[str]]:
        """The different cells of some columns, as they are written in a text table; else nothing.

        For all columns of a file, with different names: not after `take`.
        """
        if self.reread is None or not names:
            return {}
        return dict(zip(names, self.reread([self.names.index(n) for n in names]), strict=True))

    def take(self, positions: list[int]) -> Columns:
        """Keep some columns, in the order given."""
        return replace(
            self,
            names=tuple(self.names[k] for k in positions),
            arrays=tuple(self.arrays[k] for k in positions),
        )


def stored_whole(columns: Columns, kept: Sequence[str]) -> tuple[bool, ...]:
    """Tell for each of some columns whether the file holds it as whole numbers.

    Arrow reads whole numbers of 20 digits and more as floats: there the text decides.
    """
    from pyarrow import types

    arrays = dict(zip(columns.names, columns.arrays, strict=True))
    huge = [name for name in kept if _is_huge(arrays[name])]
    written = {
        name: all(cell.lstrip("+-").isdigit() for cell in cells if cell)
        for name, cells in columns.texts(huge).items()
    }
    return tuple(written.get(name, types.is_integer(arrays[name].type)) for name in kept)


def _is_huge(array: pyarrow.ChunkedArray) -> bool:
    from pyarrow import types

    return types.is_floating(array.type) and bool((abs(array.to_numpy()) >= 2.0**63).any())


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    """Add underscores until no column of the file has this name."""
    return wanted if wanted not in taken else _free_name(f"{wanted}_", taken)


def about_unnamed(columns: Columns) -> str | None:
    """Describe the columns without a name in the header, with a guess at what each is."""
    found = [
        f"column {name.removeprefix('unnamed_').rstrip('_')} has no name in the header"
        f"{_guess(array)}. Leave it out with drop={[name]}, or give it a name."
        for name, array in zip(columns.names, columns.arrays, strict=True)
        if name in columns.unnamed
    ]
    return "\n".join(found) or None


def _guess(array: pyarrow.ChunkedArray) -> str:
    if array.null_count == len(array):
        return " and is blank in every row, as when all lines end with a separator"
    if array.null_count == 0 and _counts_rows(array):
        return " and counts the rows, like the index that pandas writes without index=False"
    return ""


def _counts_rows(array: pyarrow.ChunkedArray) -> bool:
    from pyarrow import types

    if not types.is_integer(array.type):
        return False
    cells = (cell for chunk in array.chunks for cell in chunk.to_pylist())
    first = next(cells)
    return all(cell == first + k for k, cell in enumerate(cells, start=1))


def complaints(columns: Columns) -> dict[str, str]:
    """Say for each column that does not hold numbers what it holds instead."""
    return {
        name: found
        for name, array in zip(columns.names, columns.arrays, strict=True)
        if (found := complaint(array, columns.where, columns.decimal, columns.reread is not None))
        is not None
    }


def about_text(found: Mapping[str, str], total: int) -> str | None:
    """Describe the columns that do not hold numbers, with examples and the way out.

    Parameters
    ----------
    found : mapping of str to str
        What `complaints` returns.
    total : int
        The number of columns of the table.
    """
    return _not_numbers(found, total) if found else None


def to_matrix(columns: Columns, n_rows: int) -> NDArray[np.float64]:
    """Convert columns of numbers to float64, with NaN for missing cells; true is 1, false 0."""
    import pyarrow

    matrix = np.empty((n_rows, len(columns.arrays)))
    for k, array in enumerate(columns.arrays):
        matrix[:, k] = array.cast(pyarrow.float64(), safe=False).to_numpy()
    return matrix


def _not_numbers(found: Mapping[str, str], total: int) -> str:
    lines = [f"{quoted(name)}: {held}" for name, held in found.items()]
    shown = lines[:COLUMNS_SHOWN]
    if len(lines) > COLUMNS_SHOWN:
        shown.append(f"and {len(lines) - COLUMNS_SHOWN:,} more")
    return (
        f"{counted(len(lines), 'column')} cannot be read as numbers:\n  "
        + "\n  ".join(shown)
        + f"\n{_remedy(list(found), total)}"
    )


def _remedy(refused: Sequence[str], total: int) -> str:
    them = "it" if len(refused) == 1 else "them"
    if len(refused) == total:
        return f"Turn {them} into numbers first."
    return f"Leave {them} out with drop={list(refused)}, or turn {them} into numbers first."
