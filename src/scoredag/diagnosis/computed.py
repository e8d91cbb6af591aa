"""Columns that are computed from others: exact sums and exact products of powers.

A total, a difference or a balance is a linear function of other columns; a revenue (price times
count), a rate or an area is a product of powers, which is linear in the logarithms. Such columns
have no noise of their own, and any of them can be written as a function of the others: nothing in
the table tells which is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from scoredag.data.correlation import unit_columns
from scoredag.data.wording import name_list
from scoredag.settings import EDGE_TEST, EdgeTestSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_ROWS_PER_COLUMN = 5  # with fewer, columns are functions of each other by chance
_SMALLEST_PART = 1e-3  # of a pair of columns in a relation, of at most 1; rounding leaves 1e-4
_LARGEST_ZERO_SHARE = 0.5  # of the rows of a column whose logarithm is taken where it has one


class Relation(NamedTuple):
    """Columns of which some can be computed from the others.

    Attributes
    ----------
    columns : frozenset of int
        Positions of the columns. Relations that share a column are one.
    is_product : bool
        Whether the logarithms are related, and not the columns themselves.
    """

    columns: frozenset[int]
    is_product: bool


def exact_relations(X: Floats, settings: EdgeTestSettings = EDGE_TEST) -> tuple[Relation, ...]:
    """Find sets of columns with an exact linear relation, or one between logarithms.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The table. Logarithms are those of absolute values, in the rows where no column is 0;
        columns that are 0 in more than half of the rows have none.
    settings : EdgeTestSettings
        Largest share of the variance of a column that others leave unexplained.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> price, count, other = rng.uniform(1, 2, size=(3, 200))
    >>> exact_relations(np.column_stack([price, other, count, price * count]))
    (Relation(columns=frozenset({0, 2, 3}), is_product=True),)
    """
    share = settings.no_noise_share
    sums = [Relation(columns, False) for columns in _linear_relations(X, share)]
    has_log = np.flatnonzero((X == 0).mean(axis=0) <= _LARGEST_ZERO_SHARE)
    rows = (X[:, has_log] != 0).all(axis=1)
    logs = np.log(np.abs(X[np.ix_(rows, has_log)]))
    known = {relation.columns for relation in sums}
    products = [
        Relation(columns, True)
        for found in _linear_relations(logs, share)
        if (columns := frozenset(has_log[sorted(found)].tolist())) not in known
    ]
    return (*sums, *products)


def related(relations: Iterable[Relation], d: int) -> Bools:
    """Pairs of columns, at [i, j] and [j, i], that stand in one relation."""
    pairs = np.zeros((d, d), dtype=bool)
    for relation in relations:
        pairs[np.ix_(sorted(relation.columns), sorted(relation.columns))] = True
    return pairs


def about_products(relations: Iterable[Relation], names: Sequence[str]) -> list[str]:
    """Name the columns of each product; linear relations are named before the fit.

    Examples
    --------
    >>> about_products([Relation(frozenset({0, 1}), True)], ["side", "area"])[0][:50]
    "'side' and 'area' are tied by a product of powers:"
    """
    return [
        f"{name_list(names[k] for k in sorted(relation.columns))} are tied by a product of powers: "
        "one can be computed from the others, up to its sign. Which of these columns is computed "
        "cannot be told from the table: take the edges between these columns as undirected, and "
        "leave out what is computed."
        for relation in relations
        if relation.is_product
    ]


def _linear_relations(X: Floats, share: float) -> list[frozenset[int]]:
    """Sets of columns that are linear functions of each other.

    Directions in which the standardised columns have no variance span a space. Columns are related
    where the projection to that space joins them, which does not depend on their order.
    """
    n, d = X.shape
    if n < _ROWS_PER_COLUMN * max(d, 2):
        return []
    varying = np.flatnonzero(np.ptp(X, axis=0) > 0)
    Z = unit_columns(X[:, varying])
    variances, axes = np.linalg.eigh(Z.T @ Z)
    exact = axes[:, variances < share]
    joined = np.abs(exact @ exact.T) > _SMALLEST_PART
    count, groups = connected_components(joined, directed=False)
    sets = (frozenset(varying[groups == group].tolist()) for group in range(count))
    return [columns for columns in sets if len(columns) > 1]
