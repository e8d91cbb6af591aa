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

from scoredag.data.correlation import unexplained_share, unit_columns
from scoredag.data.wording import name_list
from scoredag.settings import EDGE_TEST, EdgeTestSettings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_ROWS_PER_COLUMN = 5  # with fewer, columns are functions of each other by chance
_LARGEST_ZERO_SHARE = 0.5  # of the rows of a column whose logarithm is taken where it has one


class Relation(NamedTuple):
    """Columns of which each can be computed from the others.

    Attributes
    ----------
    columns : frozenset of int
        Positions of the columns, the fewest that are related.
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
    >>> about_products([Relation(frozenset({0, 1}), True)], ["side", "area"])[0][:53]
    "'side' and 'area' are tied by a product of powers: ea"
    """
    return [
        f"{name_list(names[k] for k in sorted(relation.columns))} are tied by a product of powers: "
        "each can be computed from the others. Which of these columns is computed cannot be told "
        "from the table: take the edges between these columns as undirected, and leave out what is "
        "computed."
        for relation in relations
        if relation.is_product
    ]


def _linear_relations(X: Floats, share: float) -> list[frozenset[int]]:
    """The smallest sets of columns that are linear functions of each other."""
    n, d = X.shape
    if n < _ROWS_PER_COLUMN * max(d, 2):
        return []
    varying = np.flatnonzero(np.ptp(X, axis=0) > 0)
    if len(varying) < 2:
        return []
    exact = varying[unexplained_share(X[:, varying]) < share]
    found = list[frozenset[int]]()
    for column in exact.tolist():
        if not any(column in columns for columns in found):
            found.append(_smallest(X, column, [k for k in exact.tolist() if k != column], share))
    return found


def _smallest(X: Floats, column: int, others: list[int], share: float) -> frozenset[int]:
    """Backward elimination: the fewest of the others of which a column is a linear function."""
    y = unit_columns(X[:, [column]])[:, 0]

    def slopes(kept: list[int]) -> tuple[Floats, float]:
        Z = unit_columns(X[:, kept])
        b = np.asarray(np.linalg.lstsq(Z, y, rcond=None)[0], dtype=np.float64)
        return b, float(np.sum((y - Z @ b) ** 2))

    kept = list(others)
    for _ in range(len(others) - 1):
        b, _ = slopes(kept)
        rest = [k for k in kept if k != kept[int(np.argmin(np.abs(b)))]]
        if not slopes(rest)[1] < share:
            break
        kept = rest
    return frozenset([column, *kept])
