"""Test whether residuals depend on a column, also by an oscillating function: von Neumann's ratio.

J. von Neumann, Distribution of the ratio of the mean square successive difference to the variance,
Annals of Mathematical Statistics 12:367, 1941. A fit that starts with smooth functions misses a
function that oscillates within the sample; successive differences along the column detect it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def von_neumann_score(values: Floats, rows: NDArray[np.intp]) -> float:
    """How much smaller successive differences are than those of independent values.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Values that may depend on a column, such as residuals.
    rows : ndarray of int, shape (n,)
        Indices of the values, sorted by that column.

    Returns
    -------
    float
        About standard normal if the values do not depend on the column, and large if they do. NaN
        if the values do not vary.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, e = rng.normal(size=(2, 400))
    >>> rows = np.argsort(x)
    >>> von_neumann_score(np.sin(8 * x) + 0.3 * e, rows) > 10
    True
    >>> abs(von_neumann_score(e, rows)) < 3
    True
    """
    if not np.ptp(values) > 0:
        return np.nan
    steps, centred = np.diff(values[rows]), values - values.mean()
    ratio = float(steps @ steps) / (2 * float(centred @ centred))
    return float((1 - ratio) * np.sqrt(len(values)))
