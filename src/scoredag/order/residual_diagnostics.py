"""Diagnostics of the residuals of a local fit: negentropy, variance, dependence on parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoredag.order.local_score import HasNoise, HasResiduals, LocalFit
from scoredag.regression.independence import independence_p_values
from scoredag.regression.negentropy import negentropy

Floats = NDArray[np.float64]


class ResidualDiagnostics:
    """Diagnostics of the residuals of local fits; negentropies are remembered.

    Parameters
    ----------
    score : HasResiduals
        Gives the table and the residuals.
    """

    def __init__(self, score: HasResiduals) -> None:
        self._score = score
        self.n_rows = len(score.table)
        self._negentropies: dict[tuple[int, Any, int], float] = {}

    def negentropy(self, node: int, fit: LocalFit, rows: int | None = None) -> float:
        """Negentropy of the residuals of a fit, in nats, summed over all rows.

        Parameters
        ----------
        node : int
            The column that was fitted.
        fit : LocalFit
            A fit of this column.
        rows : int, optional
            Number of rows, from the first, that the estimate uses; by default all.
        """
        rows = min(rows or self.n_rows, self.n_rows)
        key = node, fit, rows
        if key not in self._negentropies:
            residuals = self._score.residuals(node, fit, rows)
            self._negentropies[key] = self.n_rows * negentropy(residuals)
        return self._negentropies[key]

    def independence(
        self, node: int, fit: LocalFit, parents: Sequence[int], rows: int | None = None
    ) -> list[float]:
        """p-values of the hypotheses that the residuals do not depend on each of these columns."""
        residuals = self._score.residuals(node, fit, rows)
        return independence_p_values(self._score.table[:rows, parents], residuals)

    def noise_share(self, node: int, fit: LocalFit, rows: int | None = None) -> float:
        """Variance of the residuals over that of the column.

        Where the scale of the noise varies, the geometric mean of the variance: of a column that is
        computed from its parents, a few residuals are rounding errors of the function and dominate
        any sum of squares.
        """
        if isinstance(self._score, HasNoise):
            return float(self._score.noise(node, fit).variance)
        return float(self._score.residuals(node, fit, rows).var())
