"""The straight line: with it an additive regression is ordinary least squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoredag.regression.basis import RawBasis

Floats = NDArray[np.float64]


def line(x: Floats, size: int) -> RawBasis:
    """One unpenalised column, x itself; ``size`` is ignored.

    The test of such a term is the t test of its coefficient.

    Examples
    --------
    >>> import numpy as np
    >>> line(np.arange(3.0), size=10).evaluate(np.array([5.0, 7.0]))
    array([[5.],
           [7.]])
    """
    return RawBasis(_as_column, np.zeros((1, 1)))


def _as_column(x: Floats) -> Floats:
    return x[:, None]


PIECE = line
