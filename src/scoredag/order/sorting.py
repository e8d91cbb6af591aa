"""Baseline orders, sorted by variance or by R^2, which take no search."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.arrays import as_finite_matrix
from scoredag.data.correlation import unexplained_share


def sort_by_variance(X: ArrayLike, *, reverse: bool = False) -> NDArray[np.intp]:
    """Order columns by increasing variance (decreasing if ``reverse``).

    A baseline, not a method: it works on simulated data in which noise accumulates along the
    graph, and changes with the units (Reisach et al., NeurIPS 2021).

    Examples
    --------
    >>> sort_by_variance([[0.0, 3.0], [1.0, 9.0]])
    array([0, 1])
    >>> sort_by_variance([[0.0, 3.0], [1.0, 9.0]], reverse=True)
    array([1, 0])
    """
    return _sort(np.var(as_finite_matrix(X), axis=0), reverse)


def sort_by_r2(X: ArrayLike, *, reverse: bool = False) -> NDArray[np.intp]:
    """Order columns by increasing R^2 of a linear regression on all others.

    A baseline that does not depend on units: on many simulated graphs children have a larger R^2
    than their parents (Reisach et al., NeurIPS 2023); on others, such as SynTReN, the reverse
    holds.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 200))
    >>> sort_by_r2(np.column_stack([a + b, a, b + 0.5 * rng.normal(size=200)]))
    array([1, 2, 0])
    """
    return _sort(-unexplained_share(as_finite_matrix(X)), reverse)


def _sort(values: NDArray[np.floating], reverse: bool) -> NDArray[np.intp]:
    return np.argsort(-values if reverse else values, kind="stable")
