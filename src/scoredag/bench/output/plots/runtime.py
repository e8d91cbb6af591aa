"""Run time over the number of nodes, on logarithmic axes, beside the published one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from scoredag.bench.output.document import Picture
from scoredag.bench.output.plots.canvas import (
    Style,
    file_name,
    panels,
    picture,
    plain_logarithms,
    shown_name,
)
from scoredag.bench.output.plots.divergence import draw_curve
from scoredag.bench.output.plots.kinds import options_but
from scoredag.bench.output.plots.labels import Label, label_ends, label_points
from scoredag.bench.output.plots.points import Curve, curves, is_followed
from scoredag.bench.output.reference import Reference
from scoredag.bench.output.selection import Row, described, grouped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The method whose order is timed alone, too: the paper's "SCORE order".
_ORDERING = "SCORE"


def runtime_pictures(
    rows: Sequence[Row], looks: Mapping[str, Style], reference: Reference | None
) -> list[Picture]:
    """Draw seconds against d for the data that were timed; nothing for a single d.

    One kind of data a data set: the one whose times were published, and else the first.
    """
    pictures = []
    for (data,), part in grouped(rows, ["data"]).items():
        keys = options_but("d")
        found = {
            described(keys, kind): lines
            for kind, runs in grouped(part, keys).items()
            if is_followed(lines := _lines(runs, looks, reference))
        }
        if found:
            kind = max(found, key=lambda kind: any(line.published for line in found[kind]))
            caption = f"Run time over the number of nodes, {kind}, logarithmic axes."
            short = reference.short if reference else ""
            name = file_name("run_time", data)
            pictures.append(picture(name, caption, _figure, found[kind], looks, short))
    return pictures


def _lines(
    runs: Sequence[Row], looks: Mapping[str, Style], reference: Reference | None
) -> list[Curve]:
    ordering = [
        replace(line, method=f"{line.method} order")
        for line in curves(runs, "order_seconds", reference)
        if line.method == _ORDERING and _ORDERING in looks
    ]
    whole = [line for line in curves(runs, "seconds", reference) if line.method in looks]
    return [
        replace(line, points=positive)
        for line in ordering + whole
        if (positive := tuple(point for point in line.points if point[1] > 0))
    ]


def _figure(lines: Sequence[Curve], looks: Mapping[str, Style], short: str) -> Figure:
    figure, (axis,) = panels(1, 1, (8.2, max(4.6, 0.19 * len(lines))))
    # Room for the names on the right, which the layout does not count.
    engine: Any = figure.get_layout_engine()
    engine.set(rect=(0, 0, 0.76, 1))
    for line in lines:
        draw_curve(axis, line, _look(line, looks))
    _scales(axis, sorted({x for line in lines for x, _ in line.points}))
    last = max(x for line in lines for x, _ in line.points)
    labels = [_label(line, looks, short) for line in lines]
    label_ends(axis, [label for label in labels if label.x == last])
    points = [point for line in lines for point in line.points]
    label_points(axis, [label for label in labels if label.x < last], points)
    return figure


def _look(line: Curve, looks: Mapping[str, Style]) -> Style:
    if line.method in looks:
        return looks[line.method]
    return replace(looks[_ORDERING], marker=".")


def _label(line: Curve, looks: Mapping[str, Style], short: str) -> Label:
    x, y = line.points[-1]
    name = shown_name(line.method) + (f" ({short})" if line.published else "")
    return Label(name, x, y, _look(line, looks).colour)


def _scales(axis: Axes, sizes: Sequence[float]) -> None:
    axis.set_xscale("log")
    axis.set_yscale("log")
    plain_logarithms(axis.yaxis)
    axis.xaxis.set_major_locator(FixedLocator(sizes))
    axis.xaxis.set_major_formatter(FixedFormatter([f"{size:g}" for size in sizes]))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("d")
    axis.set_ylabel("seconds")
