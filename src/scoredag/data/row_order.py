"""Say that the rows look like a time series, or are sorted by a column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoredag.data.serial import dependent_given, evenly_spaced, serially_dependent, sort_keys
from scoredag.data.wording import name_list

Floats = NDArray[np.float64]


def about_row_order(X: Floats, names: Sequence[str]) -> list[str]:
    """Describe what the order of the rows tells: an index, a sort key, a time series.

    A single column that depends on the order of the rows is not named: the sampling variance of a
    correlation between two columns grows with the product of their autocorrelations (Bartlett's
    formula), so that it takes two of them to make an edge out of nothing.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        The table in its order, without constant columns.
    names : sequence of str
        The d column names.

    Returns
    -------
    list of str
        Sentences for users; empty for rows in no order.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> about_row_order(X, ["a", "b", "c"])
    []
    >>> X[:, 1:] = X[:, 1:].cumsum(axis=0)
    >>> about_row_order(X, ["a", "b", "c"])[0][:67]
    "rows that are close to each other are alike in 'b' and 'c', as in a"
    """
    keys = sort_keys(X)
    stamps = [j for j in keys if evenly_spaced(X[:, j])]
    alike = dependent_given(X, keys) if keys else serially_dependent(X)
    messages = []
    if stamps:
        messages.append(_about_stamps([names[j] for j in stamps]))
    if alike.sum() + len(keys) >= 2 and alike.any():
        messages.append(_about_series([names[j] for j in np.flatnonzero(alike).tolist()]))
    elif len(stamps) < len(keys):
        messages.append(_about_sorting([names[j] for j in keys if j not in stamps]))
    return messages


def _about_stamps(names: Sequence[str]) -> str:
    verb = "changes" if len(names) == 1 else "change"
    return (
        f"{name_list(names)} {verb} by the same step from row to row, as a row number or a time "
        "stamp does. Whatever drifts from the first row to the last seems to depend on it: leave "
        "it out, unless it was set in an experiment."
    )


def _about_series(names: Sequence[str]) -> str:
    return (
        f"rows that are close to each other are alike in {name_list(names)}, as in a time series "
        "or a table that is sorted by something. Rows are taken for independent draws: a time "
        "series holds far fewer of those than rows, so the evidence for an edge is far too large, "
        "edges can be artefacts, and causes may act with a delay. Analyse differences between "
        "rows, keep one row for each unit or rows that are far apart, or use a method for time "
        "series. If the rows are independent units that were merely sorted, their order does no "
        "harm."
    )


def _about_sorting(names: Sequence[str]) -> str:
    return (
        f"the rows are sorted by {name_list(names)}. That does no harm if they are independent "
        "units. If it is a time, leave it out: whatever changes in time seems to depend on it."
    )
