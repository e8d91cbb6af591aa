"""Student's t noise: outliers, and still a finite fourth moment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_DEGREES_OF_FREEDOM = 5


def student_t(n: int, variance: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a scaled t distribution with 5 degrees of freedom, whose own variance is 5 / 3.

    Examples
    --------
    >>> student_t(3, 0.5, np.random.default_rng(0)).shape
    (3,)
    """
    own_variance = _DEGREES_OF_FREEDOM / (_DEGREES_OF_FREEDOM - 2)
    return np.sqrt(variance / own_variance) * rng.standard_t(_DEGREES_OF_FREEDOM, size=n)


PIECE = student_t
