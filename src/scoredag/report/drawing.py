"""The graph as SVG: layers from causes to effects, curved edges, heavier where evidence is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoredag.data.wording import counted
from scoredag.report.comparison import Comparison
from scoredag.report.finding import Finding
from scoredag.report.layers import layered_layout
from scoredag.report.markup import Markup, join, shorten, tag
from scoredag.report.numbers import p_phrase
from scoredag.report.routing import Boxes, route, smooth_path

LONGEST_LABEL = 14
PAGE_WIDTH = 1054.0
SMALLEST_SCALE = 0.62
LETTER = 7.7
BOX_HEIGHT = 34.0
BETWEEN_BOXES = 34.0
BETWEEN_LAYERS = 100.0
MARGIN = 14.0
THINNEST, THICKEST = 1.2, 3.2
# A p-value of 1e-20 is as convincing as a line can show.
MOST_DIGITS = 20.0


@dataclass(frozen=True)
class Line:
    """An edge to draw, cause -> effect."""

    cause: int
    effect: int
    kind: str
    width: float
    hint: str
    headed: bool = True


def draw_graph(finding: Finding, comparison: Comparison | None = None) -> Markup:
    """Draw the connected part of the graph; `unconnected` lists the other nodes.

    With a comparison, edges carry the class of their verdict, and missing ones are drawn too.
    """
    lines = _lines(finding, comparison)
    shown = sorted({node for line in lines for node in (line.cause, line.effect)})
    if not shown:
        return tag("p", "No edge was found.", class_="empty")
    place = {node: k for k, node in enumerate(shown)}
    rank = {node: k for k, node in enumerate(finding.order)}
    # Every line spans layers in the direction of the order, also a missing edge against it.
    spans = [tuple(sorted((line.cause, line.effect), key=rank.__getitem__)) for line in lines]
    boxes = _boxes(finding, shown, [(place[upper], place[lower]) for upper, lower in spans])
    routes = route(boxes, [(place[upper], place[lower]) for upper, lower in spans])
    paths = [
        _edge(line, points if line.cause == upper else points[::-1])
        for line, (upper, _), points in zip(lines, spans, routes, strict=True)
    ]
    nodes = [_node(finding.names[node], boxes, k) for k, node in enumerate(shown)]
    return _canvas(boxes, routes, _describe(finding), join(*paths, *nodes))


def unconnected(finding: Finding, comparison: Comparison | None = None) -> list[int]:
    """List the nodes that no drawn edge touches."""
    touched = {node for line in _lines(finding, comparison) for node in (line.cause, line.effect)}
    return [node for node in finding.order if node not in touched]


def line_width(p_value: float | None) -> float:
    """Map evidence to a width: each factor of ten in the p-value adds the same.

    Examples
    --------
    >>> line_width(1.0), line_width(0.0), line_width(None)
    (1.2, 3.2, 2.0)
    """
    if p_value is None:
        return 2.0
    digits = min(-math.log10(p_value), MOST_DIGITS) if p_value > 0 else MOST_DIGITS
    return THINNEST + (THICKEST - THINNEST) * digits / MOST_DIGITS


def _lines(finding: Finding, comparison: Comparison | None) -> list[Line]:
    verdicts = comparison.verdicts if comparison else {}
    names = finding.names
    lines = [
        Line(
            edge.cause,
            edge.effect,
            verdicts.get((edge.cause, edge.effect), "found"),
            line_width(edge.p_value),
            f"{names[edge.cause]} {edge.sign} {names[edge.effect]}"
            + (f", {p_phrase(edge.p_value)}" if edge.p_value is not None else "")
            + (", undirected" if edge.undirected else ""),
            headed=not edge.undirected,
        )
        for edge in finding.edges
    ]
    missing = [
        Line(cause, effect, "missing", 1.4, f"{names[cause]} → {names[effect]}, not found")
        for (cause, effect), verdict in verdicts.items()
        if verdict == "missing"
    ]
    return missing + lines


def _boxes(finding: Finding, shown: Sequence[int], spans: Sequence[tuple[int, int]]) -> Boxes:
    matrix = np.zeros((len(shown), len(shown)), dtype=np.int64)
    for upper, lower in spans:
        matrix[upper, lower] = 1
    layout: NDArray[np.float64] = layered_layout(matrix)
    letters = max(min(len(finding.names[node]), LONGEST_LABEL) for node in shown)
    width = max(64.0, letters * LETTER + 22)
    return Boxes(
        x=layout[:, 1] * (width + BETWEEN_BOXES),
        y=layout[:, 0] * BETWEEN_LAYERS,
        layer=layout[:, 0].astype(np.int64),
        width=width,
        height=BOX_HEIGHT,
    )


def _edge(line: Line, points: Sequence[tuple[float, float]]) -> Markup:
    return tag(
        "path",
        tag("title", line.hint),
        class_=f"edge {line.kind}",
        d=smooth_path(points),
        stroke_width=line.width,
        marker_end=f"url(#arrow-{line.kind})" if line.headed else None,
    )


def _node(name: str, boxes: Boxes, k: int) -> Markup:
    x, y = float(boxes.x[k]), float(boxes.y[k])
    box = tag(
        "rect",
        x=x - boxes.width / 2,
        y=y - boxes.height / 2,
        width=boxes.width,
        height=boxes.height,
        rx=boxes.height / 2,
    )
    label = tag("text", shorten(name, LONGEST_LABEL), x=x, y=y + 4.5)
    return tag("g", tag("title", name), box, label, class_="node")


def _describe(finding: Finding) -> str:
    named = [
        f"{finding.names[edge.cause]} causes {finding.names[edge.effect]}"
        + (" or the other way round" if edge.undirected else "")
        for edge in finding.edges
    ]
    more = f", and {len(named) - 30} more" if len(named) > 30 else ""
    return f"{counted(len(named), 'edge')}: {'; '.join(named[:30])}{more}."


def _canvas(
    boxes: Boxes, routes: Sequence[Sequence[tuple[float, float]]], description: str, body: Markup
) -> Markup:
    across = [x for points in routes for x, _ in points]
    left = min(float(boxes.x.min()) - boxes.width / 2, *across) - MARGIN
    right = max(float(boxes.x.max()) + boxes.width / 2, *across) + MARGIN
    top = -boxes.height / 2 - MARGIN
    height = float(boxes.y.max()) + boxes.height / 2 + MARGIN - top
    # Wide graphs are shrunk to the page as long as names stay legible, then they scroll.
    shrink = min(1.0, max(SMALLEST_SCALE, PAGE_WIDTH / (right - left)))
    return tag(
        "svg",
        tag("title", "The causal graph, causes above their effects", id="graph-title"),
        tag("desc", description, id="graph-desc"),
        tag(
            "defs", *(_arrow(kind) for kind in ("found", "correct", "extra", "reversed", "missing"))
        ),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left:.1f} {top:.1f} {right - left:.1f} {height:.1f}",
        width=shrink * (right - left),
        height=shrink * height,
        role="img",
        aria_labelledby="graph-title graph-desc",
        class_="graph",
    )


def _arrow(kind: str) -> Markup:
    return tag(
        "marker",
        tag("path", d="M0 0L10 4.5L0 9z", class_=f"head {kind}"),
        id=f"arrow-{kind}",
        viewBox="0 0 10 9",
        refX=9.5,
        refY=4.5,
        markerWidth=10,
        markerHeight=9,
        markerUnits="userSpaceOnUse",
        orient="auto",
    )
