"""Missing and infinite cells: where they are, codes for them, and rows that are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoredag.data.nonnumeric import is_number
from scoredag.data.wording import Where, counted, listing, name_list, quoted
from scoredag.exceptions import warn

COLUMNS_SHOWN = 10
ROWS_SHOWN = 3

Rows = tuple[tuple[int, ...], ...]  # positions of rows, for each column


@dataclass(frozen=True)
class Gaps:
    """The cells of a table that are NaN or infinite, counted; those of two stretches of rows merge.

    Attributes
    ----------
    n_rows : int
    broken_rows : int
        Rows with a gap.
    missing, infinite : ndarray of int, shape (d,)
    first_missing, first_infinite : tuple of tuple of int
        For each column the first few rows with such a cell.
    """

    n_rows: int
    broken_rows: int
    missing: NDArray[np.intp]
    infinite: NDArray[np.intp]
    first_missing: tuple[tuple[int, ...], ...]
    first_infinite: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Gaps:
        """Count the gaps of a table.

        Examples
        --------
        >>> found = Gaps.of(np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, np.inf]]))
        >>> found.broken_rows, found.missing.tolist(), found.first_infinite
        (2, [1, 0], ((), (2,)))
        """
        broken = ~np.isfinite(values)
        if not broken.any():
            none, nowhere = np.zeros(values.shape[1], dtype=np.intp), ((),) * values.shape[1]
            return cls(len(values), 0, none, none, nowhere, nowhere)
        missing, infinite = np.isnan(values), np.isinf(values)
        return cls(
            len(values),
            int(broken.any(axis=1).sum()),
            missing.sum(axis=0),
            infinite.sum(axis=0),
            tuple(map(_first_rows, missing.T)),
            tuple(map(_first_rows, infinite.T)),
        )

    def __add__(self, other: Gaps) -> Gaps:
        """Put the rows of another stretch behind these."""

        def first(mine: Rows, theirs: Rows) -> Rows:
            return tuple(
                (*rows, *(row + self.n_rows for row in more))[:ROWS_SHOWN]
                for rows, more in zip(mine, theirs, strict=True)
            )

        return Gaps(
            self.n_rows + other.n_rows,
            self.broken_rows + other.broken_rows,
            self.missing + other.missing,
            self.infinite + other.infinite,
            first(self.first_missing, other.first_missing),
            first(self.first_infinite, other.first_infinite),
        )

    @property
    def complete(self) -> NDArray[np.bool_]:
        """For each column whether it has no gap."""
        return np.asarray(self.missing + self.infinite == 0)

    def of_columns(self, positions: Sequence[int]) -> Gaps:
        """Some columns only; the rows are counted as before."""
        return replace(
            self,
            missing=self.missing[list(positions)],
            infinite=self.infinite[list(positions)],
            first_missing=tuple(self.first_missing[k] for k in positions),
            first_infinite=tuple(self.first_infinite[k] for k in positions),
        )

    def describe(self, names: Sequence[str], where: Where) -> str | None:
        """Say where the gaps are, as `about_gaps` does; None if there are none."""
        columns = np.flatnonzero(~self.complete).tolist()
        if not columns:
            return None
        lines = [self._column(j, names[j], where) for j in columns[:COLUMNS_SHOWN]]
        if len(columns) > COLUMNS_SHOWN:
            lines.append(f"and {counted(len(columns) - COLUMNS_SHOWN, 'more column')}")
        return (
            f"{_totals(int(self.missing.sum()), int(self.infinite.sum()))} "
            f"in {len(columns)} of {counted(len(names), 'column')}:\n  "
            + "\n  ".join(lines)
            + "\n"
            + _remedy(self.broken_rows, self.n_rows)
        )

    def _column(self, j: int, name: str, where: Where) -> str:
        parts = []
        for label, count, rows in (
            ("missing", int(self.missing[j]), self.first_missing[j]),
            ("infinite", int(self.infinite[j]), self.first_infinite[j]),
        ):
            if count == self.n_rows:
                parts.append(f"all {label}")
            elif count:
                first = "first: " if count > ROWS_SHOWN else ""
                parts.append(f"{count:,} {label} ({first}{where(rows)})")
        return f"{quoted(name)}: {', '.join(parts)}"


def about_gaps(values: NDArray[np.float64], names: Sequence[str], where: Where) -> str | None:
    """Describe the cells that are NaN or infinite; None if there are none.

    Parameters
    ----------
    values : ndarray of float, shape (n, d)
    names : sequence of str
        The d column names.
    where : callable
        From positions of rows to how the user finds them, such as ``"lines 4 and 9"``.

    Examples
    --------
    >>> values = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, np.inf]])
    >>> print(about_gaps(values, ["a", "b"], in_array))
    1 missing (NaN) and 1 infinite cell in 2 of 2 columns:
      'a': 1 missing (row 1, counted from 0)
      'b': 1 infinite (row 2, counted from 0)
    Every row must be complete: remove the 2 rows concerned, fill the gaps, or leave the columns \
out.
    """
    return Gaps.of(values).describe(names, where)


def in_array(rows: Sequence[int]) -> str:
    """Say where rows of an array are.

    Examples
    --------
    >>> in_array([3, 8])
    'rows 3 and 8, counted from 0'
    """
    return f"row{'s' * (len(rows) > 1)} {listing([f'{row}' for row in rows])}, counted from 0"


def _first_rows(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask)[:ROWS_SHOWN].tolist())


def _totals(missing: int, infinite: int) -> str:
    kinds = ((missing, "missing (NaN)"), (infinite, "infinite"))
    parts = [f"{number:,} {kind}" for number, kind in kinds if number]
    return listing(parts) + (" cell" if (infinite or missing) == 1 else " cells")


def _remedy(rows: int, total: int) -> str:
    ways = ["fill the gaps", "or leave the columns out"]
    if rows < total:
        ways.insert(0, f"remove the {counted(rows, 'row')} concerned")
    return f"Every row must be complete: {', '.join(ways)}."


def without_codes(values: NDArray[np.float64], na: Sequence[str]) -> NDArray[np.float64]:
    """Replace the numbers that stand for a missing value by NaN.

    Examples
    --------
    >>> without_codes(np.array([[1.0, -999.0]]), ["-999", "unknown"])
    array([[ 1., nan]])
    """
    codes = codes_of(na)
    return np.where(np.isin(values, codes), np.nan, values) if codes else values


def about_no_rows(gaps: Gaps, names: Sequence[str]) -> str | None:
    """Say that no row is left once those with a gap are dropped, and which columns are to blame."""
    if gaps.broken_rows < gaps.n_rows:
        return None
    cells = gaps.missing + gaps.infinite
    most = [names[k] for k in np.argsort(-cells, kind="stable")[:3] if cells[k]]
    return (
        "every row has a missing or an infinite cell, so none is left. Most are in "
        f"{name_list(most)}: leave out columns, or fill the gaps."
    )


def warn_about_dropped_rows(gaps: Gaps, label: str) -> None:
    """Say how many rows were left out because a cell is missing or infinite."""
    warn(
        f"{gaps.broken_rows:,} of {counted(gaps.n_rows, 'row')} of {label} were left out, because "
        "a cell is missing or infinite. If cells are missing for a reason that has to do with "
        "their values, the rows that are left are no fair sample."
    )


def warn_about_unused_spellings(
    na: Sequence[str], numbers: NDArray[np.float64], written: Set[str], label: str
) -> None:
    """Name the spellings of a missing value that no cell has: a typing error, most likely.

    Parameters
    ----------
    na : sequence of str
        The spellings.
    numbers : ndarray of float
        The cells as numbers.
    written : set of str
        The cells of a text table as they are written; empty for others.
    label : str
        What messages call the file.
    """
    occurs = {code: bool((numbers == code).any()) for code in codes_of(na)}
    warn_about_unused(na, occurs, written, label)


def warn_about_unused(
    na: Sequence[str], occurs: Mapping[float, bool], written: Set[str], label: str
) -> None:
    """Like `warn_about_unused_spellings`, where it is known which numbers occur."""
    unused = [
        spelling
        for spelling in na
        if spelling.strip() not in written and not _occurs(spelling, occurs)
    ]
    if unused:
        warn(
            f"no cell of {label} is {listing([quoted(spelling) for spelling in unused])}, which "
            "should stand for a missing value: look for another spelling."
        )


def _occurs(spelling: str, occurs: Mapping[float, bool]) -> bool:
    code = _number(spelling)
    return code is not None and occurs[code]


def codes_of(na: Sequence[str]) -> list[float]:
    """The numbers among the spellings of a missing value.

    Examples
    --------
    >>> codes_of(["-999", "unknown"])
    [-999.0]
    """
    return [code for code in map(_number, na) if code is not None]


def _number(text: str) -> float | None:
    return float(text) if is_number(text.strip()) else None
