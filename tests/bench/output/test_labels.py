"""Labels keep their distance."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib")

from scoredag.bench.output.plots.canvas import panels, the_look
from scoredag.bench.output.plots.labels import Label, label_points, spread


@given(st.lists(st.floats(0, 100), max_size=12), st.floats(0.5, 5))
def test_spread_heights_are_a_gap_apart_and_in_order(heights, gap):
    placed = spread(heights, gap, 0.0, 100.0)
    ranked = sorted(range(len(heights)), key=lambda i: heights[i])
    steps = [placed[b] - placed[a] for a, b in pairwise(ranked)]
    assert all(step >= gap - 1e-9 for step in steps)
    assert all(-1e-9 <= height <= 100 + 1e-9 for height in placed)


@given(st.lists(st.integers(0, 9), max_size=6, unique=True))
def test_heights_that_are_apart_stay(heights):
    assert spread([10.0 * h for h in heights], 5.0, 0.0, 100.0) == [10.0 * h for h in heights]


def test_labels_cover_neither_each_other_nor_points():
    points = [(i % 4 / 4 + 0.1, i // 4 / 4 + 0.1) for i in range(12)] + [(0.1, 0.12)]
    with the_look():
        _, (axis,) = panels(1, 1, (3, 3))
        axis.set(xlim=(0, 1), ylim=(0, 1))
        label_points(axis, [Label(f"method {i}", x, y, "k") for i, (x, y) in enumerate(points)])
        boxes = [text.get_window_extent() for text in axis.texts]
    centres = axis.transData.transform(points)
    assert boxes
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert not any(box.contains(x, y) for box in boxes for x, y in centres)
