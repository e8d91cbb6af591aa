"""GraN-DAG's public data sets."""

from __future__ import annotations

from dataclasses import replace

from scoredag.bench.problems._scales import on_scale
from scoredag.datasets import Dataset, load_grandag


def grandag(collection: str, scale: str = "raw", *, seed: int) -> Dataset:
    """Load set number ``seed + 1`` of a collection, from the cache."""
    data = load_grandag(collection, seed + 1)
    return replace(data, X=on_scale(data.X, scale))
