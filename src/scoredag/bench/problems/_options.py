"""Options that several data sets have, and what they may be."""

from __future__ import annotations

from typing import Annotated

from scoredag.bench.problems._scales import SCALES
from scoredag.bench.ranges import between, one_of, understood_by
from scoredag.data.checks import MIN_ROWS
from scoredag.plugins import names
from scoredag.simulate.paper import parse_graph

# Limits beyond which a table does not fit into memory, whatever the method.
Nodes = Annotated[int, between(2, 10_000)]
Rows = Annotated[int, between(MIN_ROWS, 10_000_000)]
Graph = Annotated[
    str,
    understood_by(parse_graph, "ER or SF and the edges per node, a whole number, such as 'ER4'"),
]
Noise = Annotated[str, one_of(lambda: names("scoredag.simulate.noises"))]
Mechanism = Annotated[str, one_of(lambda: names("scoredag.simulate.mechanisms"))]
Scale = Annotated[str, one_of(SCALES)]
# Of data with negative values, which have no logarithm.
SignedScale = Annotated[str, one_of([scale for scale in SCALES if scale != "log"])]
# Collections hold ten data sets each.
TenSets = Annotated[int, between(0, 9, "there are ten data sets")]
