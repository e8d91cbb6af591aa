"""Plots: which are drawn, the same every time, whatever methods are called."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import product

import pytest

from scoredag.bench.output import load_reference
from scoredag.bench.output.selection import cleaned

pytest.importorskip("matplotlib")

from scoredag.bench.output.plots import draw_plots
from scoredag.bench.output.plots.kinds import kinds, options_but, panels_in_a_row
from scoredag.bench.output.plots.points import curves

SVG = "{http://www.w3.org/2000/svg}"


def names(pictures):
    return [picture.filename for picture in pictures]


def few(rows):
    return [row for row in rows if row["graph"] == "ER1"]


def test_all_plots_are_drawn_and_are_xml_without_a_date(many_rows):
    pictures = draw_plots(few(many_rows), load_reference("score_2022"))
    assert names(pictures) == [
        "accuracy-paper-gaussian.svg",
        "d_top-paper.svg",
        "run_time-paper.svg",
    ]
    for picture in pictures:
        assert ElementTree.fromstring(picture.svg).tag == f"{SVG}svg"
        assert "<!--" not in picture.svg
        assert not re.search(r"dc:date|20\d\d-\d\d", picture.svg)


def test_the_same_rows_give_the_same_svg(many_rows):
    rows = few(many_rows)
    reference = load_reference("score_2022")
    assert draw_plots(rows, reference) == draw_plots(rows, reference)


def test_with_one_d_there_is_nothing_to_follow(many_rows):
    rows = [row for row in few(many_rows) if row["d"] == 10]
    assert names(draw_plots(rows, load_reference("score_2022"))) == ["accuracy-paper-gaussian.svg"]


def test_runs_without_a_result_make_no_plot(make_run):
    rows = [make_run("SCORE", d=d, status="timeout") for d in (10, 20)]
    assert draw_plots(rows) == []


def test_published_curves_alone_are_not_drawn(make_run):
    rows = [make_run("SCORE", d=d, shd=1, cpu_seconds=0.0) for d in (10, 20)]
    assert draw_plots(rows, load_reference("score_2022")) == []


def test_published_times_of_a_method_that_did_not_run(many_rows):
    """The paper timed SCORE's order, which has no place beside a benchmark without SCORE."""
    rows = [row for row in few(many_rows) if row["method"] == "CAM"]
    assert "run_time-paper.svg" in names(draw_plots(rows, load_reference("score_2022")))


def test_curves_have_ours_and_the_papers(many_rows):
    found = curves(few(many_rows), "d_top", load_reference("score_2022"))
    published = {curve.method: curve.points for curve in found if curve.published}
    assert published["CAM"] == ((10, 0.4), (20, 0.8))
    assert published["VarSort"] == ((10, 1.9), (20, 3.7), (50, 8.8))
    ours = {curve.method: [x for x, _ in curve.points] for curve in found if not curve.published}
    assert ours == {"SCORE": [10, 20, 50], "CAM": [10, 20], "VarSort": [10, 20, 50]}


def test_methods_may_have_any_name(make_run):
    methods = ["_hidden", "a$b$c", "<script>", "漢字", "x" * 99, "two\nlines", "--!>"]
    rows = [
        make_run(method, d=d, shd=i, d_top=i, cpu_seconds=1.0 + i, seconds=1.0 + i)
        for i, method in enumerate(methods)
        for d in (10, 20)
    ]
    pictures = draw_plots(rows)
    assert len(pictures) == 3
    assert all("<script" not in picture.svg for picture in pictures)


def test_files_are_named_safely(make_run):
    (picture,) = draw_plots([make_run("SCORE", data="../x y", shd=1, cpu_seconds=1.0)])
    assert picture.filename == "accuracy-.._x_y-gaussian.svg"


def test_panels_are_named_by_what_differs(many_rows):
    found = kinds(cleaned(many_rows), options_but("data", "noise"))
    sizes, graphs = (10, 20, 50), ("ER1", "ER4")
    assert [kind.title for kind in found] == [f"{g}, d = {d}" for g in graphs for d in sizes]
    (alone,) = kinds(cleaned(many_rows[:1]), options_but("data", "noise"))
    assert alone.title == "ER1, d = 10"


@pytest.mark.parametrize(
    ("counts", "expected"), [((4, 3), 3), ((2, 2), 4), ((5, 2, 2), 4), ((4, 2), 2), ((7,), 3)]
)
def test_columns_of_panels_mean_something(counts, expected):
    keys = [f"key {i}" for i in range(len(counts))]
    rows = [dict(zip(keys, values, strict=True)) for values in product(*map(range, counts))]
    assert panels_in_a_row(rows, keys) == expected


def test_more_methods_than_colours_are_told_apart():
    from scoredag.bench.output.plots.canvas import styles

    looks = styles([f"method {i}" for i in range(40)])
    assert len({(look.colour, look.marker) for look in looks.values()}) == 40
