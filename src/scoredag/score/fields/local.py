"""Stein estimates of each component of the score from the columns near it.

Given its Markov blanket a column does not depend on any other, so that

    s_j(x) = d/dx_j log p(x) = d/dx_j log p(x_j, x_N)        for N that contains the blanket of j

and s_j is a function of these few columns. One kernel over all columns spreads its resolution over
columns that have no influence on s_j: with 200 columns all rows are about equally far apart. Here
every column has its own kernel, over itself and its neighbourhood, which a screen finds.

If a neighbourhood has all parents of a leaf, but not all of the blanket of another column, the
criterion of the leaf is still constant, and that of the other column still varies as long as it has
one of its children: what is estimated is the score of the marginal of these columns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import check_count
from scoredag.costs import LOCAL_FIELDS
from scoredag.data.arrays import as_finite_matrix
from scoredag.plugins import pick
from scoredag.progress import Report
from scoredag.score.fields.stein import SteinField
from scoredag.screening.neighbourhoods import neighbourhood, symmetric_strength

Floats = NDArray[np.float64]
Screen = Callable[[Floats], ArrayLike]


class LocalField:
    """Stein estimates with a kernel for each column; a `scoredag.score.ScoreField`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples.
    eta : float, default=1e-3
        Ridge of all regressions; the paper's constant.
    screen : {"forward", "dependence"} or callable, default="forward"
        Finds the neighbours: a function of the table that returns a d x d matrix of strengths, 0
        for no neighbours; names are files in ``screening/screens``.
    most : int, default=8
        Largest number of columns in a neighbourhood: neighbours first, then their neighbours.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are left.

    Notes
    -----
    Time O(n^3 / 3) for each column, and again for each column whose neighbourhood contained a
    column that is removed: an order takes about 3 d factorisations on sparse graphs and up to
    ``most`` d on dense ones, where the plain field takes d. Memory is two n x n matrices.

    For many columns and sparse graphs. Not for graphs on which columns have more parents than
    ``most``, nor for few columns, where one kernel sees enough and nothing can be screened out by
    mistake: see `scoredag.score.SteinField`.

    References
    ----------
    P. Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022. The neighbourhoods are ours.

    Examples
    --------
    >>> import numpy as np
    >>> field = LocalField(np.random.default_rng(0).normal(size=(50, 3)))
    >>> field.remove(1)
    >>> field.columns
    array([0, 2])
    >>> field.score().shape
    (50, 2)
    """

    def __init__(
        self,
        X: ArrayLike,
        eta: float = 1e-3,
        *,
        screen: str | Screen = "forward",
        most: int = 8,
    ) -> None:
        self._table = as_finite_matrix(X)
        check_count(most, "most")
        d = self._table.shape[1]
        SteinField(self._table[:, :1], eta, quiet=True)  # refuses a wrong table or eta
        find = pick("scoredag.screening.screens", screen, "screen")
        self.eta, self.most = eta, most
        self.columns = np.arange(d)
        self._strength = symmetric_strength(find(self._table), d)
        # Of a column, for as long as its neighbourhood stays what it was.
        self._near: dict[int, tuple[int, ...]] = {}
        self._moments: dict[int, tuple[float, float]] = {}
        self._has_warned = False
        self._progress: Report | None = None

    @property
    def description(self) -> str:
        """The estimates in a few words, for results."""
        return f"Stein estimates in neighbourhoods: {len(self._table):,} rows"

    @property
    def X(self) -> Floats:
        """The samples in the columns that are left: n x m."""
        return self._table[:, self.columns]

    def neighbourhood(self, column: int) -> tuple[int, ...]:
        """The columns, besides itself, over which the kernel of a column is built."""
        if column not in self._near:
            self._check_left(column)
            near = neighbourhood(self._strength, column, self.columns, self.most)
            self._near[column] = tuple(near.tolist())
        return self._near[column]

    def score(self) -> Floats:
        """The score at the samples: n x m."""
        return np.column_stack([self._field_of(j).score()[:, 0] for j in self.columns.tolist()])

    def jacobian_diagonal(self) -> Floats:
        """The derivatives d s_j / d x_j at the samples: n x m."""
        fields = (self._field_of(j) for j in self.columns.tolist())
        return np.hstack([field.jacobian_diagonal([0]) for field in fields])

    def jacobian_row(self, column: int) -> Floats:
        """The derivatives d s_l / d x_j for l = ``column``: n x m, 0 outside its neighbourhood."""
        row = np.zeros((len(self._table), len(self.columns)))
        near = [column, *self.neighbourhood(column)]
        row[:, np.searchsorted(self.columns, near)] = self._field_of(column).jacobian_row(0)
        return row

    def diagonal_moments(self) -> tuple[Floats, Floats]:
        """Mean and variance over the samples of `jacobian_diagonal`.

        Only columns whose neighbourhood has changed since the last call are computed.
        """
        missing = [j for j in self.columns.tolist() if j not in self._moments]
        for done, j in enumerate(missing, start=1):
            mean, variance = self._field_of(j).diagonal_moments([0])
            self._moments[j] = float(mean[0]), float(variance[0])
            if self._progress is not None:
                self._progress(done, len(missing))
        means, variances = np.array([self._moments[j] for j in self.columns.tolist()]).T
        return means, variances

    def leaf_work(self, left: int, asked: int) -> float:
        """Estimated number of columns to compute: first all, then those beside the last leaf.

        Of its neighbours the fewer are left the later it is removed.
        """
        d = self._table.shape[1]
        return left if left == d else 2 * (LOCAL_FIELDS - 1) * left / d

    def report_to(self, progress: Report | None) -> None:
        """Report the columns that `diagonal_moments` has computed to a function."""
        self._progress = progress

    def remove(self, column: int) -> None:
        """Go on with the marginal of the other columns."""
        self._check_left(column)
        if len(self.columns) == 1:
            raise ValueError(f"column {column} is the last one: there is no score without columns")
        self.columns = self.columns[self.columns != column]
        # A neighbourhood without the column stays what it was: it holds the nearest columns.
        kept = {j: near for j, near in self._near.items() if j != column and column not in near}
        self._near = kept
        self._moments = {j: values for j, values in self._moments.items() if j in kept}

    def _field_of(self, column: int) -> SteinField:
        """The field of a column, which comes first, and of its neighbourhood."""
        near = [column, *self.neighbourhood(column)]
        field = SteinField(self._table[:, near], self.eta, quiet=self._has_warned)
        self._has_warned = self._has_warned or field.ridge_problem is not None
        return field

    def _check_left(self, column: int) -> None:
        if column not in self.columns:
            raise ValueError(f"column {column} is not among the columns left, {self.columns}")


PIECE = LocalField
