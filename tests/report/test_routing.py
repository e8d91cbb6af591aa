"""Lines run down, stay out of boxes, and stay apart."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoredag.report.layers import layered_layout
from scoredag.report.routing import BOX_GAP, Boxes, route, smooth_path, spread


def random_boxes(seed, d=14, share=0.25):
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((d, d)) < share, k=1).astype(int)
    layout = layered_layout(A)
    layer = layout[:, 0].astype(int)
    boxes = Boxes(layout[:, 1] * 120, layout[:, 0] * 100, layer, width=80.0, height=34.0)
    return boxes, [tuple(pair) for pair in np.argwhere(A).tolist()]


def curve_points(path):
    """Points on the Bezier pieces of a path."""
    pieces = path.removeprefix("M").split("C")
    start = np.array(pieces[0].split(), dtype=float)
    t = np.linspace(0, 1, 30)[:, None]
    for piece in pieces[1:]:
        a, b, end = np.array(piece.split(), dtype=float).reshape(3, 2)
        yield from (
            (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t**2 * b + t**3 * end
        )
        start = end


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_curves_run_down_and_never_through_a_box(seed):
    boxes, edges = random_boxes(seed)
    for (upper, lower), points in zip(edges, route(boxes, edges), strict=True):
        heights = [y for _, y in points]
        assert heights == sorted(heights)
        for x, y in curve_points(smooth_path(points)):
            inside = (abs(boxes.x - x) < boxes.width / 2 + BOX_GAP - 1) & (
                abs(boxes.y - y) < boxes.height / 2 - 0.1
            )
            assert not (set(np.flatnonzero(inside)) - {upper, lower})


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_edges_start_and_end_at_their_boxes_in_different_places(seed):
    boxes, edges = random_boxes(seed)
    routes = route(boxes, edges)
    for (upper, lower), points in zip(edges, routes, strict=True):
        assert abs(points[0][0] - boxes.x[upper]) <= boxes.width / 2
        assert abs(points[-1][0] - boxes.x[lower]) <= boxes.width / 2
    ends = [points[-1] for points in routes]
    assert len(set(ends)) == len(ends)


@given(
    st.lists(st.floats(-50, 150), min_size=1, max_size=12).map(sorted),
    st.sampled_from([(0.0, 100.0), (-np.inf, 40.0), (10.0, np.inf), (0.0, 3.0)]),
)
def test_spread_keeps_order_distance_and_bounds(wishes, interval):
    places = spread(wishes, interval)
    apart = min(7.0, (interval[1] - interval[0]) / max(len(wishes) - 1, 1))
    assert all(b - a >= apart - 1e-9 for a, b in itertools.pairwise(places))
    assert interval[0] - 1e-9 <= places[0]
    assert places[-1] <= interval[1] + 1e-9


def test_one_line_goes_where_it_wishes():
    assert spread([12.0], (0.0, 100.0)) == [12.0]
