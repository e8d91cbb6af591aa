"""A leaf criterion that does not change with the columns' units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.score.field import ScoreField


def scale_free(field: ScoreField) -> NDArray[np.float64]:
    """Var d s_j / d x_j over the squared mean, a ratio without units.

    For a leaf d s_j / d x_j = -1 / sigma_j^2 is constant, so this ratio is zero too. The
    kernel still has one bandwidth for all columns: standardise the table as well to be free of
    units altogether. On data whose noise variances are alike, as in the paper's experiments,
    `variance` makes fewer mistakes; prefer it where all columns have one unit.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.score import SteinField
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=300)
    >>> int(np.argmin(scale_free(SteinField(np.column_stack([x, y])))))
    1
    """
    mean, variance = field.diagonal_moments()
    return variance / np.maximum(mean**2, np.finfo(float).tiny)
