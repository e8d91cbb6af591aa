"""The SynTReN data sets."""

from __future__ import annotations

from dataclasses import replace

from scoredag.bench.problems._options import Scale, TenSets, on_scale
from scoredag.datasets import Dataset, load_syntren


def syntren(scale: Scale = "standardised", *, seed: TenSets) -> Dataset:
    """Load SynTReN set number ``seed + 1``, from the cache."""
    data = load_syntren(seed + 1)
    return replace(data, X=on_scale(data.X, scale))


PIECE = syntren
