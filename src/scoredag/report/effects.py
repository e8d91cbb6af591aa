"""One small picture for each edge: the fitted effect of the cause, with a 95% band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoredag.report.finding import Curve
from scoredag.report.markup import Markup, shorten, tag
from scoredag.report.numbers import tick_text, ticks

WIDTH, HEIGHT = 268.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 10.0, 24.0, 40.0
LABEL_LENGTH = 26
# Half-width of a 95% band, in standard errors.
BAND = 1.96


@dataclass(frozen=True)
class Scale:
    """A linear map from data to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Map values."""
        share = (np.asarray(value) - self.low) / ((self.high - self.low) or 1.0)
        mapped: NDArray[np.float64] = self.start + share * (self.end - self.start)
        return mapped


def draw_effect(
    curve: Curve, cause: str, effect: str, key: str, *, by_rank: tuple[bool, bool] = (False, False)
) -> Markup:
    """Draw one effect.

    Parameters
    ----------
    curve : Curve
    cause, effect : str
        Column names.
    key : str
        Unique on the page; links the picture to its title.
    by_rank : tuple of bool
        Whether the cause, and the effect, are drawn by the normal quantiles of their ranks.
    """
    beside, above = ((" (by rank)" if ranked else "") for ranked in by_rank)
    lower, upper = curve.y - BAND * curve.standard_error, curve.y + BAND * curve.standard_error
    limits = [line for line in (curve.low, curve.high) if line is not None]
    drawn = np.concatenate([lower, upper, *limits])
    across = Scale(float(curve.x.min()), float(curve.x.max()), LEFT, WIDTH - RIGHT)
    up = Scale(float(drawn.min()), float(drawn.max()), HEIGHT - BOTTOM, TOP)
    middle = (LEFT + WIDTH - RIGHT) / 2
    return tag(
        "svg",
        tag("title", f"Fitted effect of {cause} on {effect}, with a 95% band", id=key),
        *_axes(across, up),
        tag("path", d=_band(across(curve.x), up(lower), up(upper)), class_="band"),
        *(tag("path", d=_line(across(curve.x), up(line)), class_="limit") for line in limits),
        tag("path", d=_line(across(curve.x), up(curve.y)), class_="curve"),
        tag("path", d=_rug(across, curve.rug), class_="rug"),
        tag("text", f"{shorten(cause, LABEL_LENGTH)}{beside}", x=middle, y=HEIGHT - 5),
        tag("text", f"change in {shorten(effect, LABEL_LENGTH)}{above}", x=4, y=13, class_="side"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        role="img",
        aria_labelledby=key,
        class_="effect",
    )


def _axes(across: Scale, up: Scale) -> list[Markup]:
    bottom = HEIGHT - BOTTOM
    marks = [tag("path", d=f"M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}", class_="axis")]
    for value in ticks(up.low, up.high):
        y = float(up(value))
        grid = "zero" if value == 0 else "grid"
        marks.append(tag("path", d=f"M{LEFT} {y:.1f}H{WIDTH - RIGHT}", class_=grid))
        marks.append(tag("text", tick_text(value), x=LEFT - 6, y=y + 3.5, class_="tick left"))
    for value in ticks(across.low, across.high):
        x = float(across(value))
        marks.append(tag("path", d=f"M{x:.1f} {bottom}v4", class_="axis"))
        marks.append(tag("text", tick_text(value), x=x, y=bottom + 16, class_="tick"))
    return marks


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def _band(x: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> str:
    there = _line(x, upper)
    back = _line(x[::-1], lower[::-1]).replace("M", "L", 1)
    return f"{there}{back}Z"


def _rug(across: Scale, values: NDArray[np.float64]) -> str:
    bottom = HEIGHT - BOTTOM
    inside = values[(values >= across.low) & (values <= across.high)]
    return "".join(f"M{x:.1f} {bottom}v-5" for x in across(inside))
