"""The leaf criterion of NoGAM, for noise of any density.

In an additive-noise model x_l = f(parents) + noise, the score of a leaf l is the derivative of the
log density of its noise at the noise: s_l is a function of the residual r_l = x_l - E[x_l | others]
alone, whatever that density. The score of any other column also depends on its children. So the
criterion is the error of predicting s_j from r_j by leave-one-out cross-validation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from scoredag.data.standardise import standardise
from scoredag.order.criteria._units import scales_with_unit
from scoredag.regression.kernel_ridge import leave_one_out_residuals
from scoredag.score.field import ScoreField

Floats = NDArray[np.float64]

# Ridge of the regression of a column on the others, against a kernel that is 1 on its diagonal. One
# for all columns: chosen for each column by cross-validation it is huge where the others predict
# little, and residuals of different kinds are compared. Leaves found on the paper's data (d=10,
# five noises, seeds 120 to 125, 180 steps, 250 centres): 96% with 0.3, 95% with 0.1, 92%
# cross-validated.
_RIDGE = 0.3
# Rows at which the kernel functions of that regression stand: bounds the time of a column by that
# of a 500 x 500 eigendecomposition. All 1,000 rows as centres found no more leaves (60 steps,
# seeds 100 to 102).
_MOST_CENTRES = 500
# Ridges of the regression of the score on the residual, one variable, by cross-validation; its
# bandwidth in standard deviations of the residual (0.1 to 1 gave the same order); its centres.
_RIDGES_OF_CURVE = (0.01, 0.1, 1.0, 10.0)
_BANDWIDTH_OF_CURVE = 0.3
_CENTRES_OF_CURVE = 50


@scales_with_unit(-2.0)
def nogam(field: ScoreField, *, relative: bool = False) -> Floats:
    """E (s_j - E[s_j | r_j])^2, zero for a leaf of an additive-noise model with any noise.

    Parameters
    ----------
    field : ScoreField
        The score, and the samples in the columns that are left.
    relative : bool, default=False
        Whether to divide by the variance of s_j, which makes a number without units. Pass
        ``functools.partial(nogam, relative=True)`` as the criterion, and standardise the table,
        since the kernel of the score has one bandwidth for all columns.

    Returns
    -------
    ndarray of float, shape (m,)
        One for each of ``field.columns``.

    Notes
    -----
    The absolute error is the default, as in the paper: the terms by which children enter s_j
    raise its variance as well as the error, and dividing takes out what tells the two apart. On 180
    steps of the paper's setting (d=10, five noises, seeds 120 to 125) the absolute error finds a
    leaf in 96%, the relative one in 86% and `variance` in 92%. Of ten pairs y = sin 2x + e / 2 with
    exponential e and 300 rows, `variance` directs one rightly, `nogam` nine. The absolute error
    scales with the square of a column's unit: columns should have one unit or be standardised.

    A regression for each column: about 20 times the CPU of `variance` for 10 columns and 1,000
    rows (5 seconds), and O(d^2) of them in a search. Not for normal noise and many columns, where
    `variance` is as good and much quicker; nor for noise whose scale depends on the parents, nor
    for discrete columns.

    References
    ----------
    F. Montagna, N. Noceti, L. Rosasco, K. Zhang and F. Locatello. Causal discovery with score
    matching on additive models with arbitrary noise. CLeaR 2023. Leave-one-out errors in place of
    five folds, and the ridge, are ours.

    Examples
    --------
    >>> import numpy as np
    >>> from scoredag.score import SteinField
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> y = np.sin(2 * x) + 0.5 * rng.gumbel(size=300)
    >>> int(np.argmin(nogam(SteinField(np.column_stack([x, y])))))
    1
    """
    X, S = field.X, field.score()
    Z = standardise(X)
    residuals = (_residual(np.delete(Z, j, axis=1), x) for j, x in enumerate(X.T))
    errors = np.array([_error_of_curve(r, s) for r, s in zip(residuals, S.T, strict=True)])
    return errors / np.maximum(S.var(axis=0), np.finfo(float).tiny) if relative else errors


def _residual(others: Floats, x: Floats) -> Floats:
    """Leave-one-out residuals of a column on the others; the bandwidth is the median distance."""
    rows = np.linspace(0, len(x) - 1, min(len(x), _MOST_CENTRES)).astype(int)
    centres = others[rows]
    bandwidth = float(np.median(pdist(centres))) or 1.0  # 1 where most rows are equal
    return leave_one_out_residuals(others, x, centres=centres, bandwidth=bandwidth, ridges=[_RIDGE])


def _error_of_curve(residual: Floats, score: Floats) -> float:
    """Mean squared leave-one-out error of the score predicted from the residual."""
    r = standardise(residual[:, None])
    shares = (np.arange(_CENTRES_OF_CURVE) + 0.5) / _CENTRES_OF_CURVE
    errors = leave_one_out_residuals(
        r,
        score,
        centres=np.quantile(r, shares, axis=0),
        bandwidth=_BANDWIDTH_OF_CURVE,
        ridges=_RIDGES_OF_CURVE,
    )
    return float((errors**2).mean())


PIECE = nogam
