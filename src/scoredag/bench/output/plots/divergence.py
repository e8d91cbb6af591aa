"""D_top over the number of nodes, a panel for each kind of graph and noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from scoredag.bench.output.document import Picture
from scoredag.bench.output.plots.canvas import Style, add_legend, file_name, panels, picture
from scoredag.bench.output.plots.kinds import kinds, options_but
from scoredag.bench.output.plots.points import Curve, curves, is_followed
from scoredag.bench.output.reference import Reference
from scoredag.bench.output.selection import Row, described, grouped
from scoredag.bench.output.svg import SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4


def divergence_pictures(
    rows: Sequence[Row], looks: Mapping[str, Style], reference: Reference | None
) -> list[Picture]:
    """Draw D_top against d; nothing where no method has it for two values of d."""
    pictures = []
    for (data,), part in grouped(rows, ["data"]).items():
        found = {
            kind.title: lines
            for kind in kinds(part, options_but("data", "d"))
            if is_followed(lines := _known(kind.runs, looks, reference))
        }
        if found:
            caption = (
                f"Order divergence D_top over the number of nodes, {described(['data'], (data,))}."
            )
            name = file_name("d_top", data)
            pictures.append(picture(name, caption, _figure, found, looks, reference))
    return pictures


def _known(
    runs: Sequence[Row], looks: Mapping[str, Style], reference: Reference | None
) -> list[Curve]:
    return [line for line in curves(runs, "d_top", reference) if line.method in looks]


def _figure(
    found: Mapping[str, Sequence[Curve]], looks: Mapping[str, Style], reference: Reference | None
) -> Figure:
    figure, axes = panels(len(found), _COLUMNS, (3.1, 2.7))
    methods = {line.method for lines in found.values() for line in lines}
    dashed = any(line.published for lines in found.values() for line in lines)
    more = [published_handle(reference)] if dashed and reference else []
    add_legend(figure, {m: look for m, look in looks.items() if m in methods}, more)
    for axis, (title, lines) in zip(axes, found.items(), strict=True):
        _panel(axis, title, lines, looks)
    return figure


def published_handle(reference: Reference) -> Line2D:
    """Explain dashed lines in a legend."""
    return Line2D(
        [], [], color=SOFT, linestyle="--", marker="o", markerfacecolor="none",
        label=f"dashed: {reference.short}",
    )  # fmt: skip


def draw_curve(axis: Axes, line: Curve, look: Style) -> None:
    """Draw a method's line: dashed with hollow markers if it is published."""
    axis.plot(
        [x for x, _ in line.points],
        [y for _, y in line.points],
        color=look.colour,
        marker=look.marker,
        linestyle="--" if line.published else "-",
        linewidth=1.1 if line.published else 1.6,
        markerfacecolor="none" if line.published else look.colour,
        clip_on=False,
        zorder=3,
    )


def _panel(axis: Axes, title: str, lines: Sequence[Curve], looks: Mapping[str, Style]) -> None:
    for line in lines:
        draw_curve(axis, line, looks[line.method])
    axis.set_xticks(sorted({x for line in lines for x, _ in line.points}))
    axis.set_ylim(bottom=0)
    axis.margins(x=0.08)
    axis.set_title(title)
    axis.set_xlabel("d")
    axis.set_ylabel("mean D_top")
