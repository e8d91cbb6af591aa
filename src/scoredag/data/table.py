"""A table that can be analysed: finite numbers and one name for each column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray


@dataclass(frozen=True)
class Table:
    """What `read_table` returns; estimators take it as it is.

    Attributes
    ----------
    values : ndarray of float64, shape (n, d)
        Finite numbers, one row an observation.
    names : tuple of str
        The d column names, all different.
    source : str
        Where the table comes from, as messages should call it.
    whole : tuple of bool
        For each column whether the file holds it as whole numbers; empty if that is not known.

    Examples
    --------
    >>> table = Table(np.zeros((3, 2)), ("a", "b"), "example.csv")
    >>> table.values.shape, table.names
    ((3, 2), ('a', 'b'))
    """

    values: NDArray[np.float64]
    names: tuple[str, ...]
    source: str
    whole: tuple[bool, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, where a data frame has them: an estimator fitted to the table knows them."""
        return self.names

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def column(self, position: int) -> NDArray[np.float64]:
        """One column by its position."""
        return self.values[:, position]

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> NDArray[np.float64]:
        return np.array(self.values, dtype=dtype, copy=copy)
