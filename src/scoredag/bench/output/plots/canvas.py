"""Figures: one look, no state outside of them, and the same SVG every time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from scoredag.bench.output.document import Picture
from scoredag.bench.output.svg import INK, PAPER, RULE, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# Told apart by most colour-blind readers, on light and on dark ground; markers help the rest.
_COLOURS = (
    "#2f6fd0", "#d9730d", "#2f9e64", "#b04fc4", "#c8393f", "#0f9aa8",
    "#94771f", "#d65a9c", "#7a7fe0", "#6b7280", "#5b9a12", "#a8643c",
)  # fmt: skip
_MARKERS = "os^Dv<>PXph*"
_LONGEST_NAME = 26

_LOOK: Mapping[Any, Any] = MappingProxyType(
    {
        "axes.axisbelow": True,
        "axes.edgecolor": SOFT,
        "axes.facecolor": PAPER,
        "axes.grid": True,
        "axes.labelcolor": SOFT,
        "axes.labelsize": 9,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": INK,
        "axes.titlelocation": "left",
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "figure.facecolor": PAPER,
        "font.family": ["DejaVu Sans"],
        "font.size": 9,
        "grid.color": RULE,
        "grid.linewidth": 0.8,
        "legend.frameon": False,
        "legend.labelcolor": INK,
        "lines.linewidth": 1.6,
        "lines.markersize": 5.5,
        "svg.fonttype": "path",
        "svg.hashsalt": "scoredag",
        # A dollar sign in a name is a dollar sign.
        "text.parse_math": False,
        "xtick.color": SOFT,
        "ytick.color": SOFT,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
    }
)


@dataclass(frozen=True)
class Style:
    """How a method looks, in every plot the same."""

    colour: str
    marker: str


def styles(methods: Sequence[str]) -> dict[str, Style]:
    """Give every method a colour and a marker.

    Examples
    --------
    >>> styles(["SCORE", "CAM"])["CAM"].marker
    's'
    """
    return {
        method: Style(
            _COLOURS[i % len(_COLOURS)], _MARKERS[(i + i // len(_COLOURS)) % len(_MARKERS)]
        )
        for i, method in enumerate(dict.fromkeys(methods))
    }


def shown_name(method: str) -> str:
    """Write a method's name on one line, not too long, and so that legends do not skip it.

    Examples
    --------
    >>> shown_name("causal-learn/PC"), shown_name("_mine")
    ('causal-learn/PC', ' _mine')
    """
    line = " ".join(method.split())
    if len(line) > _LONGEST_NAME:
        line = line[: _LONGEST_NAME - 1] + "…"
    return f" {line}" if line.startswith("_") else line


@contextmanager
def the_look() -> Iterator[None]:
    """Draw with our settings, whatever the user's are; names may have letters without a glyph."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_LOOK)
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def panels(count: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Make a figure with room for some panels of a size in inches, row by row."""
    columns = min(columns, count)
    lines = -(-count // columns)
    figure = Figure(figsize=(columns * size[0], lines * size[1]), layout="constrained")
    FigureCanvasAgg(figure)  # measures text; SVG draws it as the same outlines
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.08, h_pad=0.08)
    axes = list(figure.subplots(lines, columns, squeeze=False).flat)
    for spare in axes[count:]:
        spare.set_axis_off()
    return figure, axes[:count]


def plain_logarithms(axis: Axis) -> None:
    """Write 0.1, 1, 10 along an axis, where powers of ten need mathematics."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def add_legend(
    figure: Figure,
    looks: Mapping[str, Style],
    more: Sequence[Line2D] = (),
    line: Literal["-", ""] = "-",
) -> None:
    """Put a legend for all panels above them."""
    handles = [
        Line2D(
            [], [], color=look.colour, marker=look.marker, linestyle=line, label=shown_name(method)
        )
        for method, look in looks.items()
    ]
    width = figure.get_figwidth()
    figure.legend(
        handles=[*handles, *more],
        loc="outside upper left",
        ncols=max(1, int(width / 1.75)),
        fontsize=8.5,
        handlelength=1.6,
        columnspacing=1.4,
    )


def to_svg(figure: Figure) -> str:
    """Write a figure as SVG, without dates, versions or comments."""
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return re.sub(r"\s*<!--.*?-->", "", text.getvalue(), flags=re.DOTALL)


def picture(
    filename: str, caption: str, draw: Callable[..., Figure], *arguments: object
) -> Picture:
    """Draw a figure with our look, and keep it as SVG."""
    with the_look():
        return Picture(filename, caption, to_svg(draw(*arguments)))


def file_name(*parts: object) -> str:
    """Name the file of a plot after what it shows.

    Examples
    --------
    >>> file_name("accuracy", "paper", None, "a/b c")
    'accuracy-paper-a_b_c.svg'
    """
    words = "-".join(str(part) for part in parts if part is not None)
    return re.sub(r"[^A-Za-z0-9._-]", "_", words) + ".svg"
