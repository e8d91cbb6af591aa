"""Equal values: whether a column with equal values has a density, and which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.settings import SEARCH, SearchSettings

Floats = NDArray[np.float64]


def spread_ties(values: Floats, settings: SearchSettings = SEARCH) -> Floats | None:
    """Sorted values with equal ones spread evenly over one rounding step; None without a density.

    Fewer than ``density_fewest_levels`` distinct values have no density, nor has an atom: a share
    of equal values above ``negentropy_largest_share``, equal values among values that are mostly
    distinct, or, among rounded values, a level that is far more frequent than its neighbours, such
    as the zeros of an amount of rain.

    Examples
    --------
    >>> spread_ties(np.zeros(100)) is None
    True
    """
    # Residuals of rounded values differ by floating-point errors, which have no density either.
    levels, counts = np.unique(values.round(9), return_counts=True)
    if len(levels) == len(values):
        return levels
    n = len(values)
    mostly_distinct = len(levels) > 0.5 * n
    neighbours = np.concatenate([[0], counts, [0]])
    most_beside = np.maximum(neighbours[:-2], neighbours[2:])
    repeated = counts > n**0.5
    if (
        len(levels) < settings.density_fewest_levels
        or counts.max() > settings.negentropy_largest_share * n
        or (mostly_distinct and repeated.any())
        or (repeated & (counts > settings.density_atom_ratio * most_beside)).any()
    ):
        return None
    step = float(np.median(np.diff(levels)))
    number = np.arange(n) - np.repeat(np.cumsum(counts) - counts, counts)
    places = (number + 0.5) / np.repeat(counts, counts) - 0.5
    return np.sort(np.repeat(levels, counts) + step * places)
