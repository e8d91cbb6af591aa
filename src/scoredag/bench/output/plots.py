"""Plots of a benchmark, as SVG. Only this module needs matplotlib."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from scoredag.bench.output.cells import numbers
from scoredag.bench.output.document import Picture
from scoredag.bench.output.frame import Row, as_frame, data_options, described, grouped, setting
from scoredag.bench.reference import Reference
from scoredag.report.html import SOFT

# Told apart by most colour-blind readers, on light and on dark ground; markers help the rest.
_COLOURS = (
    "#2f6fd0", "#d9730d", "#2f9e64", "#b04fc4", "#c8393f", "#0f9aa8",
    "#94771f", "#d65a9c", "#7a7fe0", "#6b7280", "#5b9a12", "#a8643c",
)  # fmt: skip
# One more than colours, so that no pair of both comes twice soon.
_MARKERS = "os^Dv<>PXph*d"
_LONGEST_NAME = 26
# More panels beside each other are too small to read.
_MOST_IN_A_ROW = 4
# The method whose order is timed alone, too: the paper's "SCORE order".
_ORDERING = "SCORE"
# A figure of accuracy for each of these; what else differs makes its panels.
_FIGURE = ("data", "noise")

_DASHED: Mapping[str, Any] = MappingProxyType(
    {"linestyle": "--", "linewidth": 1.1, "markerfacecolor": "none"}
)
_LOOK = Path(__file__).with_suffix(".mplstyle")

# Colour and marker of a method, the same in every plot.
Looks = Mapping[str, Mapping[str, Any]]


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
        Without those that would be empty. The same rows give the same SVG.

    Examples
    --------
    >>> draw_plots([])
    []
    """
    runs = as_frame(rows)
    looks = looks_of(runs["method"].unique())
    with style.context(_LOOK, after_reset=True), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        return [
            *_accuracy(runs, looks),
            *_divergence(runs, looks, reference),
            *_run_time(runs, looks, reference),
        ]


def looks_of(methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Give every method a colour and a marker."""
    pairs = zip(methods, cycle(_COLOURS), cycle(_MARKERS), strict=False)
    return {method: {"color": colour, "marker": marker} for method, colour, marker in pairs}


def _accuracy(runs: pd.DataFrame, looks: Looks) -> Iterator[Picture]:
    """Mean SHD over mean CPU seconds; no figure where no method has both."""
    for values, part in grouped(runs, _FIGURE).items():
        keys = _options_but(*_FIGURE)
        found = {title: _costs(kind) for title, kind in kinds(part, keys).items()}
        found = {title: points for title, points in found.items() if len(points)}
        if not found:
            continue
        # Columns of panels mean something: the values of the last option that differs.
        differing = [count for key in keys if (count := part[key].nunique(dropna=False)) > 1]
        columns = differing[-1] if differing and differing[-1] <= _MOST_IN_A_ROW else 3
        figure, axes = _panels(len(found), columns, (3.9 if columns < 4 else 3.3, 3.0))
        for axis, (title, points) in zip(axes, found.items(), strict=True):
            for method, seconds, shd in points.itertuples():
                # Not clipped: a perfect method is a whole marker on the axis.
                axis.plot(seconds, shd, linestyle="", clip_on=False, zorder=3, **looks[method])
            axis.set(title=title, xlabel="CPU seconds", ylabel="mean SHD", xscale="log")
            axis.set_xlim(points["cpu_seconds"].min() / 4, points["cpu_seconds"].max() * 4)
            axis.set_ylim(0, 1.15 * max(points["shd"].max(), 1.0))
            axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))
            axis.xaxis.set_major_formatter("{x:g}")
            axis.xaxis.set_minor_formatter("")
        _legend(figure, looks, (m for points in found.values() for m in points.index), line="")
        caption = (
            f"Accuracy against CPU time, {described(_FIGURE, values)}: further down and to the "
            "left is better."
        )
        yield _picture(figure, caption, "accuracy", *values)


def _costs(runs: pd.DataFrame) -> pd.DataFrame:
    means = pd.DataFrame({metric: _means(runs, metric) for metric in ("cpu_seconds", "shd")})
    return means[means["cpu_seconds"] > 0].dropna()


def _means(runs: pd.DataFrame, metric: str, *keys: str) -> pd.Series:
    """Mean of a metric for each method, over the runs that have a value."""
    values = numbers(runs[runs["status"] == "done"], metric)
    return values.groupby([runs.loc[values.index, key] for key in ("method", *keys)]).mean()


def _divergence(runs: pd.DataFrame, looks: Looks, reference: Reference | None) -> Iterator[Picture]:
    """D_top over d; no figure where no method has it for two values of d."""
    for (data,), part in grouped(runs, ["data"]).items():
        parts = kinds(part, _options_but("data", "d")).items()
        found = {title: curves(kind, "d_top", reference, looks) for title, kind in parts}
        found = {title: lines for title, lines in found.items() if _has_line(lines)}
        if found:
            figure = _over_d(found, looks, reference, "mean D_top", (3.1, 2.7), "linear")
            words = described(["data"], (data,))
            caption = f"Order divergence D_top over the number of nodes, {words}."
            yield _picture(figure, caption, "d_top", data)


def _run_time(runs: pd.DataFrame, looks: Looks, reference: Reference | None) -> Iterator[Picture]:
    """Seconds over d for the data that were timed; no figure for a single d.

    One kind of data a data set: the one whose times were published, and else the first.
    """
    order = f"{_ORDERING} order"
    drawn = {**looks, order: {**looks.get(_ORDERING, {}), "marker": "."}}
    for (data,), part in grouped(runs, ["data"]).items():
        found = {}
        for values, those in grouped(part, keys := _options_but("d")).items():
            ordering = curves(those, "order_seconds", reference, looks)
            ordering = ordering[ordering["method"] == _ORDERING].assign(method=order)
            lines = pd.concat([curves(those, "seconds", reference, looks), ordering])
            if _has_line(lines := lines[lines["mean"] > 0]):
                found[described(keys, values)] = lines
        if found:
            kind = max(found, key=lambda kind: found[kind]["published"].any())
            figure = _over_d({"": found[kind]}, drawn, reference, "seconds", (8.2, 4.6), "log")
            caption = f"Run time over the number of nodes, {kind}, logarithmic axes."
            yield _picture(figure, caption, "run_time", data)


def _over_d(
    found: Mapping[str, pd.DataFrame],
    looks: Looks,
    reference: Reference | None,
    label: str,
    size: tuple[float, float],
    scale: Literal["linear", "log"],
) -> Figure:
    """Draw a line for each method: dashed with hollow markers if it is published."""
    figure, axes = _panels(len(found), _MOST_IN_A_ROW, size)
    for axis, (title, lines) in zip(axes, found.items(), strict=True):
        for (published, method), line in lines.groupby(["published", "method"], sort=False):
            look = {**looks[method], **(_DASHED if published else {})}
            axis.plot(line["d"], line["mean"], clip_on=False, zorder=3, **look)
        axis.set(title=title, xlabel="d", ylabel=label, xscale=scale, yscale=scale)
        axis.set_xticks(sizes := lines["d"].unique(), [f"{size:g}" for size in sizes])
        axis.minorticks_off()
        if scale == "log":
            axis.yaxis.set_major_formatter("{x:g}")
        else:
            axis.set_ylim(bottom=0)
    every = pd.concat(found.values())
    _legend(figure, looks, every["method"], reference if every["published"].any() else None)
    return figure


def curves(
    runs: pd.DataFrame, metric: str, reference: Reference | None, looks: Looks
) -> pd.DataFrame:
    """Follow a metric over d, for each method that has runs: ours, and what was published."""
    points = [(*key, mean, False) for key, mean in _means(runs, metric, "d").items()]
    for d, part in runs.groupby("d"):
        known = reference.lookup(setting(part, data_options())) if reference else {}
        points += [
            (method, d, number.mean, True)
            for (method, measured), number in known.items()
            if measured == metric and method in looks
        ]
    ranks = {method: rank for rank, method in enumerate(looks)}
    points.sort(key=lambda point: (point[3], ranks[point[0]], point[1]))
    frame = pd.DataFrame(points, columns=["method", "d", "mean", "published"])
    # The types of an empty frame too, so that frames can be put together.
    return frame.astype({"method": object, "d": float, "mean": float, "published": bool})


def _has_line(lines: pd.DataFrame) -> bool:
    """Whether a line of ours has two points."""
    return lines.loc[~lines["published"], "method"].duplicated().any()


def _options_but(*left_out: str) -> tuple[str, ...]:
    return tuple(key for key in data_options() if key not in left_out)


def kinds(runs: pd.DataFrame, keys: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Group runs by options, each group named by what differs between them."""
    differing = [key for key in keys if runs[key].nunique(dropna=False) > 1] or list(keys)
    return {described(differing, kind): part for kind, part in grouped(runs, differing).items()}


def _panels(count: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Make a figure with room for some panels of a size in inches, row by row."""
    columns = min(columns, count)
    lines = -(-count // columns)
    figure = Figure(figsize=(columns * size[0], lines * size[1]))
    axes = list(figure.subplots(lines, columns, squeeze=False).flat)
    for spare in axes[count:]:
        spare.set_axis_off()
    return figure, axes[:count]


def _legend(
    figure: Figure,
    looks: Looks,
    methods: Iterable[str],
    reference: Reference | None = None,
    line: Literal["-", ""] = "-",
) -> None:
    """Put a legend for all panels above them, in room of its own."""
    present = set(methods)
    handles = [
        Line2D([], [], linestyle=line, label=_shown_name(method), **look)
        for method, look in looks.items()
        if method in present
    ]
    if reference:
        label = f"dashed: {reference.short}"
        handles.append(Line2D([], [], color=SOFT, marker="o", label=label, **_DASHED))
    columns = max(1, int(figure.get_figwidth() / 1.75))
    figure.legend(handles=handles, loc="outside upper left", ncols=columns)
    figure.set_figheight(figure.get_figheight() + 0.2 * -(-len(handles) // columns))


def _shown_name(method: str) -> str:
    """A method's name on one line, not too long, and so that legends do not skip it."""
    line = " ".join(method.split())
    if len(line) > _LONGEST_NAME:
        line = line[: _LONGEST_NAME - 1] + "…"
    return f" {line}" if line.startswith("_") else line


def _picture(figure: Figure, caption: str, *name: object) -> Picture:
    """Write a figure as SVG, without dates, versions or comments, named after what it shows."""
    words = "-".join(str(part) for part in name if part is not None)
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = re.sub(r"\s*<!--.*?-->", "", text.getvalue(), flags=re.DOTALL)
    return Picture(re.sub(r"[^A-Za-z0-9._-]", "_", words) + ".svg", caption, svg)
