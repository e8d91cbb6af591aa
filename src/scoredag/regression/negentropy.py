"""Negentropy: how far the density of some values is from a normal density.

The evidence of a Gaussian process assumes normal noise. For any other noise, the log-likelihood of
a row is larger by the negentropy of the noise, on average over the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from scoredag.settings import SEARCH

Floats = NDArray[np.float64]

_NORMAL_ENTROPY = 0.5 * float(np.log(2 * np.pi * np.e))


def negentropy(values: Floats) -> float:
    """Estimate the negentropy of a sample, in nats a value.

    From the spacings of the sorted values (Vasicek, 1976). The estimate has a small positive bias:
    of 400 normal values the estimate is about 0.036, give or take 0.009, and of 1,000 about 0.02,
    give or take 0.005. Rounded values are spread evenly over the interval that is rounded to them.
    Infinite where there is no density: many equal values among distinct ones, or too few distinct
    values.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> [round(negentropy(x), 1) for x in (rng.normal(size=2000), rng.exponential(size=2000))]
    [0.0, 0.4]
    """
    spacing = max(1, round(SEARCH.negentropy_spacing * len(values) ** 0.5))
    # Residuals of rounded values differ by floating-point errors, which have no density either.
    rounded = (values / (float(values.std()) or 1.0)).round(9)
    levels, counts = np.unique(rounded, return_counts=True)
    heap = counts.max() > 2 * spacing and len(levels) > 0.5 * len(values)
    atom = counts.max() > SEARCH.negentropy_largest_share * len(values)
    if heap or atom or not np.isfinite(levels).all():
        return np.inf
    spread = _unrounded(levels, counts)
    entropy = stats.differential_entropy(
        spread / spread.std(), window_length=spacing, method="vasicek"
    )
    return _NORMAL_ENTROPY - float(entropy)


def _unrounded(levels: Floats, counts: NDArray[np.intp]) -> Floats:
    """Sorted values, with equal values spread evenly over one rounding step."""
    step = np.median(np.diff(levels))
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places = (number + 0.5) / np.repeat(counts, counts) - 0.5
    return np.asarray(np.repeat(levels, counts) + step * places)
