"""A leaf criterion that is a number without units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.score.field import ScoreField, moments_of


def scale_free(field: ScoreField, columns: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
    """Var d s_j / d x_j over the squared mean, a ratio without units.

    For a leaf d s_j / d x_j = -1 / sigma_j^2 is constant, so this ratio is zero too. Not enough
    by itself where units are arbitrary: the kernel still has one bandwidth for all columns, so
    standardise the table as well. On data whose noise variances are alike, as in the paper's
    experiments, `variance` makes fewer mistakes; prefer it where all columns have one unit.

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
    mean, variance = moments_of(field, columns)
    return variance / np.maximum(mean**2, np.finfo(float).tiny)


PIECE = scale_free
