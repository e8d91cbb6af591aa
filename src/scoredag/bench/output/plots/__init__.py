"""Plots of a benchmark, as SVG. This package is the only one that needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable

from scoredag.bench.output.document import Picture
from scoredag.bench.output.plots.accuracy import accuracy_pictures
from scoredag.bench.output.plots.canvas import styles
from scoredag.bench.output.plots.divergence import divergence_pictures
from scoredag.bench.output.plots.points import methods_of
from scoredag.bench.output.plots.runtime import runtime_pictures
from scoredag.bench.output.reference import Reference
from scoredag.bench.output.selection import Row, cleaned


def draw_plots(rows: Iterable[Row], reference: Reference | None = None) -> list[Picture]:
    """Draw accuracy against CPU time, D_top against d, and run time against d.

    Parameters
    ----------
    rows : iterable of mapping
        One a run.
    reference : Reference, optional
        Published numbers, drawn dashed beside ours.

    Returns
    -------
    list of Picture
        Without those that would be empty.

    Examples
    --------
    >>> draw_plots([])
    []
    """
    runs = cleaned(rows)
    looks = styles(methods_of(runs))
    return [
        *accuracy_pictures(runs, looks),
        *divergence_pictures(runs, looks, reference),
        *runtime_pictures(runs, looks, reference),
    ]


__all__ = ["draw_plots"]
