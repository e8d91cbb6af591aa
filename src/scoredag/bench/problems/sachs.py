"""The Sachs data."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from scoredag.bench.checks import between
from scoredag.bench.problems._options import Scale, on_scale
from scoredag.datasets import Dataset, load_sachs


def sachs(
    scale: Scale = "raw",
    *,
    seed: Annotated[int, between(0, 0, "there is one Sachs data set")] = 0,
) -> Dataset:
    """Load the one Sachs data set: any other seed than 0 is an error."""
    if seed != 0:
        raise ValueError(
            f"there is one Sachs data set: seeds must be 1 in the spec; got seed {seed}"
        )
    data = load_sachs()
    return replace(data, X=on_scale(data.X, scale))


PIECE = sachs
