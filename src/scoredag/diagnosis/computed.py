"""Columns that are computed from others: exact sums and exact products of powers.

A total, a difference or a balance is a linear function of other columns; a revenue (price times
count), a rate or an area is a product of powers, which is linear in the logarithms. Such columns
have no noise of their own, and any of them can be written as a function of the others: nothing in
the table tells which is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
        The table. Logarithms are those of absolute values, in the rows where no column is 0.
        Columns with zeros, those with few of them first, take part while enough rows are left.
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
    known = {relation.columns for relation in sums}
    products = list[Relation]()
    for columns in _with_logarithms(X):
        rows = (X[:, columns] != 0).all(axis=1)
        logs = np.log(np.abs(X[np.ix_(rows, columns)]))
        for found in _linear_relations(logs, share):
            related_columns = frozenset(columns[sorted(found)].tolist())
            if not any(related_columns <= each for each in known):
                known.add(related_columns)
                products.append(Relation(related_columns, True))
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


def _with_logarithms(X: Floats) -> Iterator[NDArray[np.intp]]:
    """Sets of columns to be related by their logarithms: those without zeros, and a larger set.

    A row with a zero has no logarithm for any column, so columns with many zeros can leave too few
    rows for all others.
    """
    zeros = (X == 0).sum(axis=0)
    by_zeros = np.argsort(zeros, kind="stable")
    rows_left = np.logical_and.accumulate(X[:, by_zeros] != 0, axis=1).sum(axis=0)
    enough = rows_left >= _ROWS_PER_COLUMN * np.arange(1, len(zeros) + 1)
    largest = len(zeros) if enough.all() else int(np.argmin(enough))
    without = int((zeros == 0).sum())
    for size in sorted({min(without, largest), largest}):
        if size > 1:
            yield np.sort(by_zeros[:size])


def _linear_relations(X: Floats, share: float) -> list[frozenset[int]]:
    """Sets of columns that are linear functions of each other.

    Directions in which the standardised columns have no variance span a space. Columns are related
    where the projection to that space joins them, which does not depend on their order.
    """
    n, d = X.shape
    if n < _ROWS_PER_COLUMN * max(d, 2):
        return []
    # A column that differs from its most common value in a few rows only is related by chance.
    differing = np.array([n - np.unique(x, return_counts=True)[1].max() for x in X.T])
    varying = np.flatnonzero(differing >= _ROWS_PER_COLUMN)
    Z = unit_columns(X[:, varying])
    variances, axes = np.linalg.eigh(Z.T @ Z)
    exact = axes[:, variances < share]
    joined = np.abs(exact @ exact.T) > _SMALLEST_PART
    count, groups = connected_components(joined, directed=False)
    sets = (frozenset(varying[groups == group].tolist()) for group in range(count))
    return [columns for columns in sets if len(columns) > 1]
