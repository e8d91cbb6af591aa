"""GraN-DAG's public data sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from scoredag.bench.checks import one_of
from scoredag.bench.problems._options import SignedScale, TenSets, on_scale
from scoredag.datasets import Dataset, grandag_names, load_grandag

Collection = Annotated[str, one_of(grandag_names)]


def grandag(collection: Collection, scale: SignedScale = "raw", *, seed: TenSets) -> Dataset:
    """Load set number ``seed + 1`` of a collection, from the cache."""
    data = load_grandag(collection, seed + 1)
    return replace(data, X=on_scale(data.X, scale))


PIECE = grandag
