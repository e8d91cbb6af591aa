"""Thin-plate regression splines of one variable.

Wood (2003, JRSS B 65:95): among all functions of the penalised regression problem keep the
span of the leading eigenvectors of the matrix E_ij = |x_i - x_j|^3 / 12, which needs no choice
of knots. A product with E costs O(n) for sorted x, by running sums, so the eigenvectors come
from a Lanczos iteration that never forms E.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from scoredag.regression.bases.cubic import cubic, distinct_values
from scoredag.regression.basis import RawBasis

Floats = NDArray[np.float64]

# More knots than this do not change a term of about ten coefficients.
_MOST_KNOTS = 2000


def thin_plate(x: Floats, size: int) -> RawBasis:
    """Thin-plate regression spline with ``size`` coefficients, the constant among them.

    Closest to the default of R's mgcv, and about ten times slower than `cubic`. Returns `cubic`
    where there are hardly more distinct values than coefficients.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 1, 30)
    >>> thin_plate(x, size=6).evaluate(x).shape
    (30, 5)
    """
    knots = distinct_values(x)
    if len(knots) > _MOST_KNOTS:
        knots = np.quantile(knots, np.linspace(0, 1, _MOST_KNOTS))
    if len(knots) <= size + 2 or size < 3:
        return cubic(x, size)
    centre, scale = knots.mean(), knots.std()
    knots = (knots - centre) / scale
    eigenvalues, eigenvectors = _leading_eigenpairs(knots, size)
    # Bending functions are orthogonal to straight lines: T'U delta = 0 (Wood 2003, sec. 3).
    lines = np.column_stack([np.ones_like(knots), knots])
    allowed = np.linalg.qr(eigenvectors.T @ lines, mode="complete")[0][:, 2:]
    weights = eigenvectors @ allowed
    penalty = np.zeros((size - 1, size - 1))
    penalty[:-1, :-1] = allowed.T @ (eigenvalues[:, None] * allowed)
    evaluate = partial(_evaluate, centre=centre, scale=scale, weights=weights, knots=knots)
    return RawBasis(evaluate, penalty)


def _evaluate(x: Floats, centre: float, scale: float, weights: Floats, knots: Floats) -> Floats:
    z = (x - centre) / scale
    return np.column_stack([_CubedDistances(z, knots).times(weights), z])


def _leading_eigenpairs(knots: Floats, count: int) -> tuple[Floats, Floats]:
    n = len(knots)
    E = _CubedDistances(knots, knots)

    def times(v: Floats) -> Floats:
        return E.times(v.reshape(n, -1)).reshape(v.shape)

    operator = LinearOperator((n, n), matvec=times, matmat=times, dtype=np.float64)
    # A fixed start makes the result a function of the data alone.
    start = 1.0 + knots + knots**2
    return eigsh(operator, k=count, which="LM", v0=start)


class _CubedDistances:
    """The matrix |x_i - knot_j|^3 / 12 for sorted knots, which is never formed.

    With sums S_m of weight * knot^m over the knots below x minus those above it, the cube
    multiplied out is x^3 S_0 - 3 x^2 S_1 + 3 x S_2 - S_3.
    """

    def __init__(self, x: Floats, knots: Floats) -> None:
        self.x = x[:, None]
        self.powers = np.vander(knots, 4, increasing=True)[:, :, None]
        self.count_below = np.searchsorted(knots, x, side="right")

    def times(self, weights: Floats) -> Floats:
        """Multiply by each column of ``weights``."""
        below = np.zeros((len(weights) + 1, 4, weights.shape[1]))
        np.cumsum(self.powers * weights[:, None, :], axis=0, out=below[1:])
        S = (2 * below - below[-1])[self.count_below]
        x = self.x
        return (((x * S[:, 0] - 3 * S[:, 1]) * x + 3 * S[:, 2]) * x - S[:, 3]) / 12


PIECE = thin_plate
