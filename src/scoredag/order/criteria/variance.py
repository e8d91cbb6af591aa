"""The paper's leaf criterion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.order.criteria._units import scales_with_unit
from scoredag.score.field import ScoreField, moments_of


@scales_with_unit(-4.0)
def variance(field: ScoreField, columns: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
    """Var d s_j / d x_j, zero for a leaf of a nonlinear Gaussian model (Lemma 1 (i)).

    Scales with the fourth power of a column's unit: not for columns on different scales unless
    they are standardised first, which itself changes the comparison.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.score import SteinField
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=300)
    >>> int(np.argmin(variance(SteinField(np.column_stack([x, y])))))
    1
    """
    return moments_of(field, columns)[1]


PIECE = variance
