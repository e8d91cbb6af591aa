"""Options that several data sets have: what they may be, and the scales of a table."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from scoredag.bench.checks import between, one_of, understood_by
from scoredag.data.checks import MIN_ROWS
from scoredag.plugins import names
from scoredag.simulate.dags import graph_words, parse_graph

_SCALES = ("raw", "standardised", "log")

# Limits beyond which a table does not fit into memory, whatever the method.
Nodes = Annotated[int, between(2, 10_000)]
Rows = Annotated[int, between(MIN_ROWS, 10_000_000)]
Graph = Annotated[str, understood_by(parse_graph, graph_words())]
Noise = Annotated[str, one_of(lambda: names("scoredag.simulate.noises"))]
Mechanism = Annotated[str, one_of(lambda: names("scoredag.simulate.mechanisms"))]
Scale = Annotated[str, one_of(_SCALES)]
# Of data with negative values, which have no logarithm.
SignedScale = Annotated[str, one_of(_SCALES[:2])]
# Collections hold ten data sets each.
TenSets = Annotated[int, between(0, 9, "there are ten data sets")]


def on_scale(X: NDArray[np.float64], scale: str) -> NDArray[np.float64]:
    """Bring a table to a scale: raw, standardised, or the standardised logarithm.

    Examples
    --------
    >>> on_scale(np.array([[1.0], [3.0]]), "standardised")
    array([[-1.],
           [ 1.]])
    """
    if scale not in _SCALES:
        raise ValueError(f"scale must be one of {', '.join(map(repr, _SCALES))}; got {scale!r}")
    if scale == "raw":
        return np.asarray(X)
    values = np.log(X) if scale == "log" else X
    centred = values - values.mean(axis=0)
    return centred / centred.std(axis=0)
