"""An amortised score: networks that know the score of every marginal after one training.

The Stein estimators solve a new system after every leaf. Here networks learn, once, to denoise rows
of which random columns are hidden; what they learn is the score of the marginal of any set of
columns (`scoredag.score.denoising`), so that no removal trains anything again. Outlined in the
conclusion of the SCORE paper as future work.

PyTorch, which is optional, is imported when a field is built.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.arguments import as_generator, check_between, check_count
from scoredag.data.arrays import as_finite_matrix
from scoredag.exceptions import DataError
from scoredag.pytorch import require_torch

Floats = NDArray[np.float64]

_FEWEST_ROWS = 20
# Rows of which moments are taken: the variance of 10,000 values is off by a few per cent.
_MOMENT_ROWS = 10_000
_LARGEST_SIGMA = 1.0  # of training, in standard deviations of the columns


def default_members(n_rows: int) -> int:
    """Networks by default: 3 up to 10,000 rows, where one network depends much on its start.

    Examples
    --------
    >>> default_members(1000), default_members(50_000)
    (3, 1)
    """
    return 3 if n_rows <= 10_000 else 1


def default_sigma(n_rows: int) -> float:
    """Noise by default: 0.3 up to 1,000 rows, falling as n^(-1/6) beyond. Decision 10.

    Examples
    --------
    >>> default_sigma(200), round(default_sigma(64_000), 3)
    (0.3, 0.15)
    """
    return 0.3 * min(1.0, (1000 / n_rows) ** (1 / 6))


def default_steps(n_rows: int) -> int:
    """Steps of a network at most by default: 1,000, growing as sqrt(n) from 1,000 to 16,000 rows.

    Examples
    --------
    >>> default_steps(200), default_steps(4000), default_steps(50_000)
    (1000, 2000, 4000)
    """
    return min(max(1000, int(1000 * math.sqrt(n_rows / 1000))), 4000)


class AmortisedField:
    """Score of every marginal from networks that are trained once; a `scoredag.score.ScoreField`.

    Needs PyTorch: ``pip install 'scoredag[torch]'``. Trains on a GPU if PyTorch finds one.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The samples. A table in blocks is refused: give a sample of its rows.
    sigma : float, optional
        Normal noise that blurs the density before its score is taken, in standard deviations of
        each column: more of it lowers the variance of the estimates, and adds bias. By default
        `default_sigma`.
    members : int, optional
        Networks whose mean is taken; by default `default_members`.
    width : int, default=128
        Hidden units of each layer.
    max_steps : int, optional
        Steps of each network at most; by default `default_steps`. Training stops early when the
        loss on held-out rows no longer falls.
    rng : numpy.random.Generator or int, optional
        Draws all of training; a fixed seed by default. The same seed gives the same bits on a CPU.
    progress : callable, optional
        Called with the steps of training done and their number.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are left.

    Notes
    -----
    Training is not repeated when columns are removed. A step takes the same time for any number of
    rows, and time grows with n no faster than linearly. Columns are standardised; score and
    Jacobian come back in the units of the table. Moments are those of 10,000 rows at most.

    The score is that of the density blurred by ``sigma``: for a normal column with variance v
    it is -x / (1 + sigma^2) / v. Not for small tables, where `scoredag.score.SteinField` is quicker
    by far and makes fewer mistakes: see decision 10.

    References
    ----------
    P. Rolland et al. Score matching enables causal discovery of nonlinear additive noise models.
    ICML 2022, section 6. P. Vincent. A connection between score matching and denoising
    autoencoders. Neural Computation 2011. P. Sanchez et al. Diffusion models for causal discovery
    via topological ordering. ICLR 2023.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(300, 3))
    >>> field = AmortisedField(X, members=1, max_steps=100)
    >>> field.remove(1)
    >>> field.columns
    array([0, 2])
    >>> bool(np.corrcoef(field.score()[:, 1], -X[:, 2])[0, 1] > 0.95)
    True
    """

    def __init__(
        self,
        X: Any,
        *,
        sigma: float | None = None,
        members: int | None = None,
        width: int = 128,
        max_steps: int | None = None,
        rng: np.random.Generator | int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        require_torch("AmortisedField")
        from scoredag.score.denoising import train

        generator = as_generator(0 if rng is None else rng)
        rows = as_finite_matrix(X)
        n, d = rows.shape
        if n < _FEWEST_ROWS or d < 1:
            raise DataError(
                f"X must be a table of at least {_FEWEST_ROWS} rows, a part of which is held out "
                f"in training; got shape {(n, d)}"
            )
        sigma = default_sigma(n) if sigma is None else sigma
        members = default_members(n) if members is None else members
        max_steps = default_steps(n) if max_steps is None else max_steps
        check_between(sigma, "sigma", 0, _LARGEST_SIGMA)
        check_count(width, "width")
        check_count(members, "members")
        check_count(max_steps, "max_steps")
        self.columns = np.arange(d)
        self._n_rows = n
        # In two steps: far from zero, sums lose digits.
        self._centre = np.median(rows, axis=0)
        self._rows = rows - self._centre  # in all columns
        self._mean, self._scale = self._rows.mean(axis=0), self._rows.std(axis=0)
        constant = np.flatnonzero(np.ptp(rows, axis=0) == 0).tolist()
        if constant:
            raise DataError(f"columns {constant} are constant: leave them out")
        Z = self._standardised(self._rows)
        self._moment_rows = np.sort(generator.choice(n, min(n, _MOMENT_ROWS), replace=False))
        self._denoiser = train(
            Z,
            rng=generator,
            sigma=float(sigma),
            largest_sigma=_LARGEST_SIGMA,
            width=width,
            max_steps=max_steps,
            members=members,
            progress=progress,
        )

    @property
    def description(self) -> str:
        """The estimates in a few words, for results."""
        members, steps = len(self._denoiser.networks), self._denoiser.steps
        moments = len(self._moment_rows)
        used = f"{self._n_rows:,} rows"
        if moments < self._n_rows:
            used += f", moments of {moments:,}"
        networks = "network" if members == 1 else "networks"
        return f"amortised score: {members} {networks}, {steps:,} steps, {used}"

    @property
    def X(self) -> Floats:
        """The samples in the columns that are left, less their medians: n x m."""
        return self._rows[:, self.columns]

    def score(self) -> Floats:
        """Score at the samples, n x m."""
        return self._score(self._rows)

    def score_at(self, points: ArrayLike) -> Floats:
        """Score at other points, in the columns that are left."""
        array = as_finite_matrix(points, "points")
        if array.shape[1] != len(self.columns):
            raise ValueError(
                f"points must have the {len(self.columns)} columns that are left; got shape "
                f"{array.shape}"
            )
        rows = np.tile(self._mean, (len(array), 1))
        rows[:, self.columns] = array - self._centre[self.columns]
        return self._score(rows)

    def jacobian_diagonal(self) -> Floats:
        """The derivatives d s_j / d x_j at the samples: n x m."""
        return self._diagonal(self._rows)

    def jacobian_row(self, column: int) -> Floats:
        """The derivatives d s_l / d x_j at the samples for l = ``column``: n x m."""
        self._check_left(column)
        Z = self._standardised(self._rows)
        row = self._denoiser.jacobian_row(Z, self.columns, int(column))
        return row / (self._scale[column] * self._scale[self.columns])

    def diagonal_moments(self) -> tuple[Floats, Floats]:
        """Mean and variance of `jacobian_diagonal` over at most 10,000 of the samples."""
        J = self._diagonal(self._rows[self._moment_rows])
        return J.mean(axis=0), J.var(axis=0)

    def remove(self, column: int) -> None:
        """Go on with the marginal of the other columns; nothing is trained."""
        self._check_left(column)
        if len(self.columns) == 1:
            raise ValueError(f"column {column} is the last one: there is no score without columns")
        self.columns = self.columns[self.columns != column]

    def _check_left(self, column: int) -> None:
        if column not in self.columns:
            raise ValueError(f"column {column} is not among the columns left, {self.columns}")

    def _standardised(self, rows: Floats) -> Floats:
        return np.asarray((rows - self._mean) / self._scale)

    def _score(self, rows: Floats) -> Floats:
        score = self._denoiser.score(self._standardised(rows), self.columns)
        return score / self._scale[self.columns]

    def _diagonal(self, rows: Floats) -> Floats:
        J = self._denoiser.jacobian_diagonal(self._standardised(rows), self.columns)
        return J / self._scale[self.columns] ** 2


PIECE = AmortisedField
