"""Refuse a matrix that no method here could analyse, naming the columns and the way out.

Every estimator calls `check_columns` at the start of ``fit``, thousands of times in a bootstrap:
all tests are vectorised, and the costliest is one d x d matrix of correlations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.correlation import unit_columns
from scoredag.data.gaps import about_gaps, in_array
from scoredag.data.names import about_repeated_names
from scoredag.data.wording import counted, listing, name_list, quoted
from scoredag.exceptions import DataError

# Below this, neither a median distance nor a smooth regression means anything.
MIN_ROWS = 10
# Fourth powers (the Hessian side of the score) must neither overflow nor vanish.
SMALLEST_RANGE, LARGEST_VALUE = 1e-70, 1e70
# A range this small against the values is rounding: such a column is constant.
ROUNDING = 16 * np.finfo(np.float64).eps
# Columns that agree to this, once standardised, are copies of each other.
COPY_TOLERANCE = 1e-9


def check_columns(X: NDArray[np.float64], names: Sequence[str]) -> None:
    """Raise `DataError` unless the table can be analysed; it lists all that is wrong.

    Refused are: repeated names, one column, fewer than ``MIN_ROWS`` rows, NaN or infinity,
    constant columns, values whose powers overflow or vanish, and columns that are copies of each
    other, be it after a shift or a change of units: a copy is a deterministic function, and the
    additive-noise model has noise in every variable.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        The table, one row an observation.
    names : sequence of str
        The d column names.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(20, 3))
    >>> check_columns(X, ["a", "b", "c"])
    >>> X[:, 1] = 32 + 1.8 * X[:, 0]
    >>> check_columns(X, ["celsius", "fahrenheit", "c"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: copied columns: 'celsius' and 'fahrenheit' (after a shift or \
change of units). Keep one of each.
    """
    refuse(
        [
            about_repeated_names(names),
            about_size(*X.shape),
            about_gaps(X, names, in_array),
            *about_values(X, names),
        ]
    )


def refuse(problems: Iterable[str | None], label: str | None = None) -> None:
    """Raise one `DataError` that lists all problems that were found.

    Parameters
    ----------
    problems : iterable of str or None
        A description each; None stands for a check that found nothing.
    label : str, optional
        What the table is called, such as the name of its file.

    Examples
    --------
    >>> refuse([None, None])
    >>> refuse(["one column is empty.", None, "there are 3 rows."], "doses.csv")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: doses.csv: 2 problems:
    - one column is empty.
    - there are 3 rows.
    """
    found = [problem for problem in problems if problem]
    if not found:
        return
    prefix = "" if label is None else f"{label}: "
    if len(found) == 1:
        raise DataError(prefix + found[0])
    items = ["- " + problem.replace("\n", "\n  ") for problem in found]
    raise DataError("\n".join([f"{prefix}{counted(len(found), 'problem')}:", *items]))


def about_size(n: int, d: int) -> str | None:
    """Describe a table with too few columns or rows.

    Examples
    --------
    >>> about_size(100, 1)
    'the table has too few columns: n_features = 1, and a graph needs at least 2.'
    """
    if d < 2:
        return f"the table has too few columns: n_features = {d}, and a graph needs at least 2."
    if n < MIN_ROWS:
        return (
            f"the table has too few rows: n_samples = {n}, and at least {MIN_ROWS} are needed "
            "(some hundreds for a result worth reading)."
        )
    return None


def about_values(X: NDArray[np.float64], names: Sequence[str]) -> list[str]:
    """Describe constant columns, values that cannot be squared, and copies, each in a sentence.

    Columns with gaps are passed over, and so is a column that an earlier check has named.
    """
    if not len(X):
        return []
    complete = np.asarray(np.isfinite(X).all(axis=0))
    return about_extent(Extent.of(X), names, complete, lambda left: _copies(X[:, left]))


class Extent(NamedTuple):
    """Smallest, largest and first value of each column; those of two stretches of rows merge."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    first: NDArray[np.float64]

    @classmethod
    def of(cls, X: NDArray[np.float64]) -> Extent:
        """The extent of a table's columns; NaN where a column has NaN."""
        return cls(X.min(axis=0), X.max(axis=0), X[0].copy())

    def __or__(self, other: Extent) -> Extent:
        """The extent together with that of rows behind these."""
        return Extent(
            np.minimum(self.low, other.low), np.maximum(self.high, other.high), self.first
        )

    def take(self, positions: Sequence[int]) -> Extent:
        """The extent of some columns."""
        return Extent(*(values[list(positions)] for values in self))

    @property
    def farthest(self) -> NDArray[np.float64]:
        """Largest absolute value."""
        return np.maximum(abs(self.low), abs(self.high))

    @property
    def half_range(self) -> NDArray[np.float64]:
        """Halve first: the difference of two huge numbers may overflow."""
        return self.high / 2 - self.low / 2


# Two columns that are copies of each other, and whether after a shift or a change of units.
Copy = tuple[int, int, bool]


def about_extent(
    extent: Extent,
    names: Sequence[str],
    complete: NDArray[np.bool_],
    copies: Callable[[list[int]], Sequence[Copy]],
) -> list[str]:
    """Describe the same as `about_values`, from the extent of the columns.

    Parameters
    ----------
    extent : Extent
    names : sequence of str
        The column names.
    complete : ndarray of bool
        For each column whether it has no gap.
    copies : callable
        From positions of columns to copies among them, in positions among these.
    """
    left = np.flatnonzero(complete).tolist()
    found = []
    for check in (_constant, _extreme):
        refused, description = check(extent.take(left), [names[j] for j in left])
        left = [j for k, j in enumerate(left) if k not in refused]
        found.append(description)
    found.append(_about_copies(copies(left), [names[j] for j in left]))
    return [description for description in found if description]


def check_table(X: ArrayLike) -> NDArray[np.float64]:
    """Return a table of numbers, or raise `DataError`: what every function on arrays needs.

    Refused are: other than two dimensions, fewer than ``MIN_ROWS`` rows, NaN or infinity, and
    values whose powers overflow or vanish. Constant columns and copies are not.

    Examples
    --------
    >>> check_table(np.ones((20, 2))).shape
    (20, 2)
    """
    table = as_finite_matrix(X)
    if len(table) < MIN_ROWS:
        raise DataError(f"X must have at least {MIN_ROWS} rows; got {len(table)}")
    extent = Extent.of(table)
    varying = np.flatnonzero(extent.half_range > 0).tolist()
    refuse([_extreme(extent.take(varying), [f"column {j}" for j in varying])[1]])
    return table


def refuse_constant(X: NDArray[np.float64]) -> None:
    """Raise `DataError` if a column of a table without names is constant."""
    constant = np.flatnonzero(np.ptp(X, axis=0) == 0)
    if len(constant):
        raise DataError(f"X must vary in every column; column {constant[0]} is constant")


def _constant(extent: Extent, names: Sequence[str]) -> tuple[list[int], str]:
    half_range, (low, high, first) = extent.half_range, extent
    constant = np.flatnonzero(half_range <= ROUNDING * extent.farthest).tolist()
    same = [j for j in constant if half_range[j] == 0]
    rounded = [j for j in constant if half_range[j] > 0]
    sentences = []
    if same:
        # Whole numbers beyond 2^53 lose digits, so that different ones may look equal.
        kept = [" to the 16 digits that are kept" * bool(abs(first[j]) >= 2.0**53) for j in same]
        shown = [
            f"{quoted(names[j])} (always {first[j]:.6g}{digits})"
            for j, digits in zip(same, kept, strict=True)
        ]
        sentences.append(
            f"constant columns: {listing(shown)}. They carry no information: leave them out."
        )
    if rounded:
        shown = [f"{quoted(names[j])} (from {low[j]:.17g} to {high[j]:.17g})" for j in rounded]
        sentences.append(
            f"constant columns: {listing(shown)}, but for the rounding of 64-bit numbers. Leave "
            "them out, or subtract what all values have in common before they are stored."
        )
    return constant, "\n".join(sentences)


def _extreme(extent: Extent, names: Sequence[str]) -> tuple[list[int], str]:
    too_large = extent.farthest > LARGEST_VALUE
    extreme = np.flatnonzero(too_large | (extent.half_range < SMALLEST_RANGE)).tolist()
    if not extreme:
        return [], ""
    return extreme, (
        f"values too large or too small to be squared: {name_list(names[j] for j in extreme)}. "
        "Change the units of these columns."
    )


def _about_copies(copies: Sequence[Copy], names: Sequence[str]) -> str:
    if not copies:
        return ""
    shown = [
        f"{quoted(names[i])} and {quoted(names[j])}"
        + " (after a shift or change of units)" * rescaled
        for i, j, rescaled in copies
    ]
    return f"copied columns: {listing(shown)}. Keep one of each."


def _copies(X: NDArray[np.float64]) -> list[Copy]:
    Z = unit_columns(X)
    nearly_one = np.triu(abs(Z.T @ Z) > 1 - COPY_TOLERANCE, k=1)
    return [
        (i, j, not np.array_equal(X[:, i], X[:, j]))
        for i, j in np.argwhere(nearly_one).tolist()
        if _same_up_to_sign(Z, i, j)
    ]


def _same_up_to_sign(Z: NDArray[np.float64], i: int, j: int) -> bool:
    # A correlation of 1 - 1e-9 still leaves room for real noise of 3e-5; compare cell by cell.
    sign = np.sign(Z[:, i] @ Z[:, j])
    return bool(abs(Z[:, i] - sign * Z[:, j]).max() <= COPY_TOLERANCE)
