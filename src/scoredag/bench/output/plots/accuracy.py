"""Accuracy against cost: mean SHD over CPU time, a panel for each kind of data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from scoredag.bench.output.document import Picture
from scoredag.bench.output.plots.canvas import (
    Style,
    add_legend,
    file_name,
    panels,
    picture,
    plain_logarithms,
    shown_name,
)
from scoredag.bench.output.plots.kinds import kinds, options_but, panels_in_a_row
from scoredag.bench.output.plots.labels import Label, label_points
from scoredag.bench.output.plots.points import mean_of
from scoredag.bench.output.selection import Row, described, grouped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A figure for each of these; what else differs makes its panels.
_FIGURE = ("data", "noise")

Point = tuple[str, float, float]


def accuracy_pictures(rows: Sequence[Row], looks: Mapping[str, Style]) -> list[Picture]:
    """Draw mean SHD against mean CPU seconds; no figure where no method has both."""
    pictures = []
    for values, part in grouped(rows, _FIGURE).items():
        keys = options_but(*_FIGURE)
        cells = {kind.title: points for kind in kinds(part, keys) if (points := _points(kind.runs))}
        if cells:
            name, caption = file_name("accuracy", *values), _caption(described(_FIGURE, values))
            columns = panels_in_a_row(part, keys)
            pictures.append(picture(name, caption, _figure, cells, looks, columns))
    return pictures


def _caption(kind: str) -> str:
    return f"Accuracy against CPU time, {kind}: further down and to the left is better."


def _points(runs: Sequence[Row]) -> list[Point]:
    found = []
    for (method,), part in grouped(runs, ["method"]).items():
        seconds, shd = mean_of(part, "cpu_seconds"), mean_of(part, "shd")
        if seconds and shd is not None:
            found.append((method, seconds, shd))
    return found


def _figure(
    cells: Mapping[str, Sequence[Point]], looks: Mapping[str, Style], columns: int
) -> Figure:
    figure, axes = panels(len(cells), columns, (3.9 if columns < 4 else 3.3, 3.0))
    methods = {method for points in cells.values() for method, _, _ in points}
    add_legend(figure, {m: look for m, look in looks.items() if m in methods}, line="")
    for axis, (title, points) in zip(axes, cells.items(), strict=True):
        _panel(axis, title, points, looks)
    for axis, points in zip(axes, cells.values(), strict=True):
        label_points(axis, [Label(shown_name(m), x, y, looks[m].colour) for m, x, y in points])
    return figure


def _panel(axis: Axes, title: str, points: Sequence[Point], looks: Mapping[str, Style]) -> None:
    for method, seconds, shd in points:
        look = looks[method]
        # Not clipped: a perfect method is a whole marker on the axis.
        axis.plot([seconds], [shd], look.marker, color=look.colour, clip_on=False, zorder=3)
    axis.set_xscale("log")
    plain_logarithms(axis.xaxis)
    fastest, slowest = min(x for _, x, _ in points), max(x for _, x, _ in points)
    axis.set_xlim(fastest / 4, slowest * 4)
    axis.set_ylim(0, 1.15 * max(*(y for _, _, y in points), 1.0))
    axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axis.set_title(title)
    axis.set_xlabel("CPU seconds")
    axis.set_ylabel("mean SHD")
