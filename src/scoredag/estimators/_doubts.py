"""Warnings about what a fitted graph leaves in doubt; the messages are `scoredag.diagnosis`'s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoredag import diagnosis
from scoredag.diagnosis import undirected_edges as open_directions
from scoredag.exceptions import warn

__all__ = ["open_directions"]


def warn_about_open_directions(undirected: Any, edges: Any, names: Sequence[str]) -> None:
    """Name the edges whose direction is not identified."""
    _warn(diagnosis.about_undirected_edges(undirected, edges, names))


def warn_about_dependent_noise(p_values: Any, names: Sequence[str]) -> None:
    """Name the edges whose noise depends on the cause."""
    _warn(diagnosis.about_dependent_noise(p_values, names))


def warn_about_units(by_units: Any, edges: Any, names: Sequence[str]) -> None:
    """Name the edges that other units would reverse."""
    _warn(diagnosis.about_edges_by_units(by_units, edges, names))


def warn_about_missing_noise(share: Any, edges: Any, names: Sequence[str]) -> None:
    """Name the columns that are computed from others."""
    _warn(*diagnosis.about_missing_noise(share, edges, names))


def warn_if_sorted_by_variance(X: Any, adjacency: Any, names: Sequence[str]) -> None:
    """Say so if the order of variances explains the graph."""
    _warn(diagnosis.about_variance_order(X, adjacency, names))


def _warn(*messages: str | None) -> None:
    for message in filter(None, messages):
        warn(message)
