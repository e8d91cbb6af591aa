"""What the search asks of a score estimator."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ScoreField(Protocol):
    """The score s = grad log p of a sample, on a set of columns that the search makes smaller.

    The search builds one from the table, asks a leaf criterion for its opinion, and calls
    `remove`. To plug in another estimator (low rank, linear, neural) write a class with these
    members, in a file of its own in ``score/fields``.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are left, in the numbering of the table that the field was built on.
    """

    columns: NDArray[np.intp]

    def score(self) -> NDArray[np.float64]:
        """S at the samples: n x m, one column for each of `columns`."""
        ...

    def jacobian_diagonal(self) -> NDArray[np.float64]:
        """The derivatives d s_j / d x_j at the samples: n x m."""
        ...

    def jacobian_row(self, column: int) -> NDArray[np.float64]:
        """The derivatives d s_l / d x_j at the samples for l = ``column``: n x m."""
        ...

    def diagonal_moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and variance over the samples of `jacobian_diagonal`, each of length m.

        All that the usual leaf criteria need, and all that an estimator which streams over
        rows should have to keep.
        """
        ...

    def remove(self, column: int) -> None:
        """Go on without ``column``: the score is then that of the remaining columns' marginal."""
        ...
