"""Where the lines of a layered drawing run: between the boxes, and apart from each other.

All functions are pure geometry in pixels; x runs across the layers and y from layer to layer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Interval = tuple[float, float]

# Between two lines, and between a line and a box.
LINE_GAP = 7.0
BOX_GAP = 9.0


@dataclass(frozen=True)
class Boxes:
    """The boxes of the nodes: centres, layers, and one size for all."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    layer: NDArray[np.int64]
    width: float
    height: float

    def layer_y(self, layer: int) -> float:
        """Return the height at which a layer's boxes are centred."""
        return float(self.y[self.layer == layer][0])


@dataclass(frozen=True)
class _Passage:
    """An edge that passes a layer: through which gap, and where a straight line would."""

    edge: int
    layer: int
    gap: Interval
    above: float
    below: float

    @property
    def wish(self) -> float:
        return (self.above + self.below) / 2


def route(boxes: Boxes, edges: Sequence[tuple[int, int]]) -> list[list[Point]]:
    """Lead each edge from the bottom of its upper box to the top of its lower box.

    Parameters
    ----------
    boxes : Boxes
    edges : sequence of (int, int)
        Upper and lower node of each edge, in different layers.

    Returns
    -------
    list of list of (float, float)
        For each edge the points it runs through, from top to bottom. Every layer that it passes
        adds two, one above and one below the row of boxes.
    """
    middles: list[list[Point]] = [[] for _ in edges]
    for passage, (above, below) in _placed(_passages(boxes, edges)):
        y = boxes.layer_y(passage.layer)
        middles[passage.edge] += [(above, y - boxes.height / 2), (below, y + boxes.height / 2)]
    for middle in middles:
        middle.sort(key=lambda point: point[1])
    pairs = list(zip(edges, middles, strict=True))
    starts = _ports(boxes, [(u, m[0][0] if m else float(boxes.x[v])) for (u, v), m in pairs])
    ends = _ports(boxes, [(v, m[-1][0] if m else float(boxes.x[u])) for (u, v), m in pairs])
    return [
        [
            (start, float(boxes.y[upper]) + boxes.height / 2),
            *middle,
            (end, float(boxes.y[lower]) - boxes.height / 2),
        ]
        for ((upper, lower), middle), start, end in zip(pairs, starts, ends, strict=True)
    ]


def _passages(boxes: Boxes, edges: Sequence[tuple[int, int]]) -> list[_Passage]:
    gaps = {int(layer): _gaps(boxes, int(layer)) for layer in np.unique(boxes.layer)}
    found = []
    for k, (upper, lower) in enumerate(edges):
        slope = (boxes.x[lower] - boxes.x[upper]) / (boxes.y[lower] - boxes.y[upper])
        for layer in range(int(boxes.layer[upper]) + 1, int(boxes.layer[lower])):
            straight = float(boxes.x[upper] + slope * (boxes.layer_y(layer) - boxes.y[upper]))
            gap = min(gaps[layer], key=lambda interval: _distance(straight, interval))
            lean = float(slope * boxes.height / 2)
            found.append(_Passage(k, layer, gap, straight - lean, straight + lean))
    return found


def _gaps(boxes: Boxes, layer: int) -> list[Interval]:
    """List the free intervals between and beside the boxes of a layer."""
    reach = boxes.width / 2 + BOX_GAP
    centres = np.sort(boxes.x[boxes.layer == layer]).tolist()
    lows = [-np.inf, *(x + reach for x in centres)]
    highs = [*(x - reach for x in centres), np.inf]
    return [(low, high) for low, high in zip(lows, highs, strict=True) if low <= high]


def _distance(x: float, interval: Interval) -> float:
    return max(interval[0] - x, x - interval[1], 0.0)


def _placed(passages: Sequence[_Passage]) -> Iterator[tuple[_Passage, tuple[float, float]]]:
    """Keep the lines that share a gap apart, and let them lean as far as the gap allows."""
    groups: dict[tuple[int, Interval], list[_Passage]] = defaultdict(list)
    for passage in passages:
        groups[passage.layer, passage.gap].append(passage)
    for (_, gap), group in groups.items():
        group.sort(key=lambda passage: passage.wish)
        places = spread([passage.wish for passage in group], gap)
        for passage, place in zip(group, places, strict=True):
            lean = (passage.below - passage.above) / 2
            yield passage, (_clamp(place - lean, gap), _clamp(place + lean, gap))


def _clamp(x: float, interval: Interval) -> float:
    return min(max(x, interval[0]), interval[1])


def spread(wishes: Sequence[float], interval: Interval) -> list[float]:
    """Place points in an interval near where they wish to be, in order and apart.

    Parameters
    ----------
    wishes : sequence of float
        Sorted.
    interval : (float, float)
        May be unbounded on one side.

    Examples
    --------
    >>> spread([0.0, 0.0, 50.0], (0.0, 20.0))
    [0.0, 7.0, 20.0]
    """
    low, high = interval
    apart = min(LINE_GAP, (high - low) / max(len(wishes) - 1, 1))
    places = [_clamp(wish, interval) for wish in wishes]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + apart)
    places[-1] = min(places[-1], high)
    for k in range(len(places) - 2, -1, -1):
        places[k] = min(places[k], places[k + 1] - apart)
    return [float(place) for place in places]


def _ports(boxes: Boxes, towards: Sequence[tuple[int, float]]) -> list[float]:
    """Spread the lines that meet one side of a box along it, in the order they come from."""
    at_node: dict[int, list[int]] = defaultdict(list)
    for k, (node, _) in enumerate(towards):
        at_node[node].append(k)
    ports = [0.0] * len(towards)
    for node, lines in at_node.items():
        lines.sort(key=lambda k: towards[k][1])
        apart = min(2 * LINE_GAP, (boxes.width - 16) / max(len(lines) - 1, 1))
        for place, k in enumerate(lines):
            ports[k] = float(boxes.x[node] + (place - (len(lines) - 1) / 2) * apart)
    return ports


def smooth_path(points: Sequence[Point]) -> str:
    """Write a path through points that only goes down, vertical at both ends.

    The slope at each point is the harmonic mean of those beside it, and 0 at a turn: the curve
    then never swings out beyond its points, and so not into a box (Fritsch and Carlson, 1980).

    Examples
    --------
    >>> smooth_path([(0.0, 0.0), (10.0, 30.0)])
    'M0.0 0.0C0.0 10.0 10.0 20.0 10.0 30.0'
    """
    slopes = _slopes(points)
    (x, y), *rest = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for k, (to_x, to_y) in enumerate(rest):
        third = (to_y - y) / 3
        leave, reach = x + slopes[k] * third, to_x - slopes[k + 1] * third
        parts.append(f"C{leave:.1f} {y + third:.1f} {reach:.1f} {to_y - third:.1f} ")
        parts.append(f"{to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(parts)


def _slopes(points: Sequence[Point]) -> list[float]:
    steps = [(to_x - x) / (to_y - y) for (x, y), (to_x, to_y) in pairwise(points)]
    inner = [2 * a * b / (a + b) if a * b > 0 else 0.0 for a, b in pairwise(steps)]
    return [0.0, *inner, 0.0]
