"""Whether sorting the columns by their variance already explains a fitted graph.

The direction of an edge should not depend on units. Where nearly all edges point towards the larger
variance, as in many simulated benchmarks, directions may come from units alone (Reisach, Seiler and
Weichwald, "Beware of the simulated DAG!", NeurIPS 2021).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from scoredag.data.blocks import Floats, RowBlocks
from scoredag.data.profile import variances_of
from scoredag.data.wording import quoted
from scoredag.metrics.varsortability import rises

MIN_EDGES = 5
TELLING_SHARE = 0.95


def about_variance_order(
    X: Floats | RowBlocks, adjacency: ArrayLike, names: Sequence[str]
) -> str | None:
    """Message if at least 95% of five or more edges follow the order of variances.

    Parameters
    ----------
    X : ndarray of float, shape (n, d), or RowBlocks
        The table that was fitted.
    adjacency : array_like, shape (d, d)
        The result; ``A[i, j] != 0`` means i -> j.
    names : sequence of str
        The d column names.

    Returns
    -------
    str or None
        The message; None where fewer edges do.

    Notes
    -----
    Not a test: with few edges the agreement may be chance, and a true order can follow the
    variances. To distinguish the cases, refit on standardised columns.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 4)) * [1, 2, 3, 4]
    >>> about_variance_order(X, np.triu(np.ones((4, 4)), 1), "abcd")[:45]
    '6 of 6 edges point from a column to one of hi'
    >>> about_variance_order(X / X.std(axis=0), np.triu(np.ones((4, 4)), 1), "abcd")
    """
    variance = variances_of(X)
    rising = rises(variance)[np.asarray(adjacency) != 0]
    if len(rising) < MIN_EDGES or 1 - TELLING_SHARE < rising.mean() < TELLING_SHARE:
        return None
    towards, agree = ("higher", rising) if rising.mean() > 0.5 else ("lower", 1 - rising)
    by_variance = np.argsort(variance)
    first, last = quoted(names[by_variance[0]]), quoted(names[by_variance[-1]])
    return (
        f"{round(float(agree.sum()))} of {len(rising)} edges point from a column to one of "
        f"{towards} variance (lowest {first}, highest {last}): sorting by variance already "
        "explains this graph. If the units are arbitrary, so are the directions: standardise the "
        "columns and fit again, or compare with VarSort."
    )
