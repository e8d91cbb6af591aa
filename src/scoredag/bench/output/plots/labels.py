"""Names beside points and lines, where they cover nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Half the side of the square that a marker covers, and the gap between labels, in points.
_MARKER = 4.0
_LABEL_SIZE = 7.5

# Where a label may stand, in points from its point: to the right, left, above, below and across,
# near first.
_PLACES = tuple(
    (far * dx, far * dy)
    for far in (5.5, 10.0, 15.0)
    for dx, dy in (
        (1, 0), (-1, 0), (0, 1), (0, -1), (0.8, 0.8), (0.8, -0.8), (-0.8, 0.8), (-0.8, -0.8),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Label:
    """A name for the point (x, y) of the data."""

    text: str
    x: float
    y: float
    colour: str


def label_points(
    axes: Axes, labels: Sequence[Label], obstacles: Sequence[tuple[float, float]] = ()
) -> None:
    """Write a name beside each point, and none where every place is taken: the legend has it.

    Parameters
    ----------
    axes : Axes
        Where; no panel of its figure changes its size any more.
    labels : sequence of Label
        The points and their names.
    obstacles : sequence of (x, y)
        Other points that must not be covered.
    """
    pixels, inside = _settled(axes).dpi / 72, axes.get_window_extent()
    points = [*((label.x, label.y) for label in labels), *obstacles]
    centres = axes.transData.transform(points)
    taken = [_square(x, y, _MARKER * pixels) for x, y in centres]
    for label, (x, y) in zip(labels, centres, strict=False):
        width, height = _text_size(axes, label.text)
        for dx, dy in _PLACES:
            box = _beside(x + dx * pixels, y + dy * pixels, _sign(dx), _sign(dy), width, height)
            if _within(box, inside) and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                _write(axes, label, dx, dy)
                break


def _settled(axes: Axes) -> Figure:
    """Give panels their final size: labels that are placed in pixels must not move them again."""
    figure: Any = axes.get_figure(root=True)
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    return figure


def _text_size(axes: Axes, text: str) -> tuple[float, float]:
    """Width and height in pixels, with the gap to the next label."""
    probe = axes.text(0, 0, text, fontsize=_LABEL_SIZE)
    box = probe.get_window_extent()
    probe.remove()
    return box.width + 5, box.height


def _beside(x: float, y: float, side: int, level: int, width: float, height: float) -> Bbox:
    """The box of a text that is anchored at (x, y) on the side that points to it."""
    left = {1: x, 0: x - width / 2, -1: x - width}[side]
    low = {1: y, 0: y - height / 2, -1: y - height}[level]
    return Bbox.from_bounds(left, low, width, height)


def _write(axes: Axes, label: Label, dx: float, dy: float) -> None:
    axes.annotate(
        label.text,
        (label.x, label.y),
        (dx, dy),
        textcoords="offset points",
        ha={1: "left", 0: "center", -1: "right"}[_sign(dx)],
        va={1: "bottom", 0: "center", -1: "top"}[_sign(dy)],
        color=label.colour,
        fontsize=_LABEL_SIZE,
    )


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _square(x: float, y: float, half: float) -> Bbox:
    return Bbox([[x - half, y - half], [x + half, y + half]])


def _within(box: Bbox, frame: Bbox) -> bool:
    return box.x0 >= frame.x0 and box.x1 <= frame.x1 and box.y0 >= frame.y0 and box.y1 <= frame.y1


def label_ends(axes: Axes, labels: Sequence[Label]) -> None:
    """Write names down the right side, in the order of the points, joined to them by thin lines."""
    gap = (_LABEL_SIZE + 3.0) * _settled(axes).dpi / 72
    frame = axes.get_window_extent()
    heights = [axes.transData.transform((label.x, label.y))[1] for label in labels]
    for label, height in zip(labels, spread(heights, gap, frame.y0, frame.y1), strict=True):
        axes.annotate(
            label.text,
            (label.x, label.y),
            (1.03, (height - frame.y0) / frame.height),
            textcoords="axes fraction",
            ha="left",
            va="center",
            color=label.colour,
            fontsize=_LABEL_SIZE + 0.5,
            arrowprops={
                "arrowstyle": "-",
                "color": label.colour,
                "linewidth": 0.6,
                "alpha": 0.6,
                "shrinkA": 2,
                "shrinkB": 5,
                "relpos": (0.0, 0.5),
            },
            annotation_clip=False,
        )


def spread(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move heights apart until neighbours are a gap apart, keeping their order.

    They start at ``low`` or above and go over ``high`` only if there is no room.

    Examples
    --------
    >>> spread([5.0, 4.0, 0.0], 2.0, 0.0, 10.0)
    [6.0, 4.0, 0.0]
    >>> spread([10.0, 10.0], 2.0, 0.0, 10.0)
    [8.0, 10.0]
    """
    ranked = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = dict.fromkeys(ranked, 0.0)
    floor = low
    for i in ranked:
        placed[i] = max(heights[i], floor)
        floor = placed[i] + gap
    ceiling = max(high, low + gap * (len(heights) - 1))
    for i in reversed(ranked):
        placed[i] = min(placed[i], ceiling)
        ceiling = placed[i] - gap
    return [placed[i] for i in range(len(heights))]
