"""How far values are from a normal column: what their density has on a normal one.

The evidence of a Gaussian process takes the noise for normal. Where its shape is another one, the
log-likelihood of a row is larger by the negentropy of the noise, on average over the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

_NORMAL_ENTROPY = 0.5 * float(np.log(2 * np.pi * np.e))


def negentropy(values: NDArray[np.float64]) -> float:
    """Nats a value by which their own density is likelier than the normal one of the same variance.

    From the spacings of the sorted values (Vasicek, 1976). A little too large: of 400 normal values
    it is about 0.036, give or take 0.009, and of 1,000 about 0.02, give or take 0.005. Infinite
    where many are equal.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> [round(negentropy(x), 1) for x in (rng.normal(size=2000), rng.exponential(size=2000))]
    [0.0, 0.4]
    """
    if not np.ptp(values) > 0:
        return np.inf
    with np.errstate(divide="ignore"):  # equal values have no space between them
        spacing = max(1, round(0.5 * len(values) ** 0.5))  # wider ones vary more between samples
        entropy = float(
            stats.differential_entropy(
                values / values.std(), window_length=spacing, method="vasicek"
            )
        )
    return _NORMAL_ENTROPY - entropy
