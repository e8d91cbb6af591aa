"""Parameters of which `make test` takes the first few, and `make test-all` all."""

from collections.abc import Iterable

import pytest


def some_slow(values: Iterable, quick: int) -> list:
    """Mark all values but the first few as slow."""
    listed = list(values)
    return [*listed[:quick], *(pytest.param(v, marks=pytest.mark.slow) for v in listed[quick:])]
