"""Natural cubic regression splines, parametrised by their values at the knots."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.basis import RawBasis

Floats = NDArray[np.float64]


def cubic(x: Floats, size: int) -> RawBasis:
    """Natural cubic spline with ``size`` knots at quantiles of the distinct values of x.

    Cheap: every value is a combination of its two neighbouring knots' values and curvatures
    (Green and Silverman, Nonparametric Regression and Generalized Linear Models, 1994, ch. 2).
    Fewer knots where x has fewer distinct values; two leave the straight line.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 1, 30)
    >>> basis = cubic(x, size=4)
    >>> line = basis.evaluate(x) @ np.array([0, 1, 2, 3])  # the values of a straight line
    >>> bool(np.allclose(line, 3 * x))
    True
    """
    distinct = distinct_values(x)
    ranks = np.linspace(0, len(distinct) - 1, min(size, len(distinct)))
    knots = np.interp(ranks, np.arange(len(distinct)), distinct)
    curvature_of_values, penalty = _curvature(knots)
    interpolate = partial(_interpolate, knots=knots, curvature_of_values=curvature_of_values)
    return RawBasis(interpolate, penalty)


def distinct_values(x: Floats) -> Floats:
    """Sorted distinct values of x; values that differ by rounding (0.1 * 3 and 0.3) count once."""
    values = np.unique(x)
    apart = np.diff(values) > 1e-10 * (values[-1] - values[0])
    return values[np.append(True, apart)]


def _curvature(knots: Floats) -> tuple[Floats, Floats]:
    """Second derivatives at the knots as a linear map of the values there, and the penalty.

    With h the gaps, continuity of the first derivative reads B c = D v for values v and
    curvatures c at the inner knots; the integrated squared curvature is v'D'B^-1 D v.
    """
    k, h = len(knots), np.diff(knots)
    inner = np.arange(k - 2)
    D = np.zeros((k - 2, k))
    D[inner, inner] = 1 / h[:-1]
    D[inner, inner + 1] = -1 / h[:-1] - 1 / h[1:]
    D[inner, inner + 2] = 1 / h[1:]
    B = np.zeros((k - 2, k - 2))
    B[inner, inner] = (h[:-1] + h[1:]) / 3
    B[inner[:-1], inner[1:]] = B[inner[1:], inner[:-1]] = h[1:-1] / 6
    curvature_of_values = np.zeros((k, k))
    curvature_of_values[1:-1] = np.linalg.solve(B, D)
    return curvature_of_values, D.T @ curvature_of_values[1:-1]


def _interpolate(x: Floats, knots: Floats, curvature_of_values: Floats) -> Floats:
    """Values at x of the splines that are 1 at one knot and 0 at the others.

    Beyond the outer knots the natural spline goes on as a straight line.
    """
    inside = np.clip(x, knots[0], knots[-1])
    left = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(knots) - 2)
    h = knots[left + 1] - knots[left]
    a, b = (knots[left + 1] - inside) / h, (inside - knots[left]) / h
    values = (a * (a * a - 1) * h * h / 6)[:, None] * curvature_of_values[left]
    values += (b * (b * b - 1) * h * h / 6)[:, None] * curvature_of_values[left + 1]
    rows = np.arange(len(x))
    values[rows, left] += a
    values[rows, left + 1] += b
    outside = np.flatnonzero(x != inside)
    if len(outside):
        slope = _end_slopes(knots, curvature_of_values)[(x[outside] > knots[-1]).astype(int)]
        values[outside] += (x - inside)[outside, None] * slope
    return values


def _end_slopes(knots: Floats, curvature_of_values: Floats) -> Floats:
    """First derivatives at the first and the last knot, 2 x k, as maps of the values."""
    h = np.diff(knots)
    slopes = np.zeros((2, len(knots)))
    slopes[0, :2] = -1 / h[0], 1 / h[0]
    slopes[1, -2:] = -1 / h[-1], 1 / h[-1]
    slopes[0] -= h[0] / 6 * curvature_of_values[1]
    slopes[1] += h[-1] / 6 * curvature_of_values[-2]
    return slopes


PIECE = cubic
