"""Plots: which are drawn, the same every time, whatever methods are called."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from scoredag.bench.output.frame import as_frame, data_options
from scoredag.bench.reference import load_reference

pytest.importorskip("matplotlib")

from scoredag.bench.output import plots
from scoredag.bench.output.plots import curves, draw_plots, kinds, looks_of

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
    looks = looks_of(["SCORE", "CAM", "VarSort"])
    found = curves(as_frame(few(many_rows)), "d_top", load_reference("score_2022"), looks)
    lines = dict(iter(found.groupby(["published", "method"])))
    assert lines[True, "CAM"][["d", "mean"]].values.tolist() == [[10, 0.4], [20, 0.8]]
    assert lines[True, "VarSort"]["mean"].tolist() == [1.9, 3.7, 8.8]
    ours = {
        method: part["d"].tolist() for (published, method), part in lines.items() if not published
    }
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
    keys = [key for key in data_options() if key not in ("data", "noise")]
    sizes, graphs = (10, 20, 50), ("ER1", "ER4")
    found = kinds(as_frame(many_rows), keys)
    assert list(found) == [f"{graph}, d = {d}" for graph in graphs for d in sizes]
    assert list(kinds(as_frame(many_rows[:1]), keys)) == ["ER1, d = 10"]


def test_more_methods_than_colours_are_told_apart():
    looks = looks_of(f"method {i}" for i in range(40))
    assert len({tuple(look.values()) for look in looks.values()}) == 40


def test_legends_and_panels_stay_inside_the_figure(many_rows, monkeypatch):
    figures = []
    draw = plots._picture
    monkeypatch.setattr(
        plots, "_picture", lambda figure, *more: figures.append(figure) or draw(figure, *more)
    )
    methods = {"SCORE": "SCORE", "CAM": "CAM"} | {
        f"a method, number {i}": "VarSort" for i in range(30)
    }
    rows = [
        {**row, "method": name}
        for name, method in methods.items()
        for row in few(many_rows)
        if row["method"] == method
    ]
    draw_plots(rows, load_reference("score_2022"))
    assert len(figures) == 3
    for figure in figures:
        width, height = figure.bbox.size
        for part in (*figure.axes, *figure.legends):
            box = part.get_tightbbox()
            assert box.x0 > -1
            assert box.y0 > -1
            assert box.x1 < width + 1
            assert box.y1 < height + 1
        assert all(axis.bbox.height > 100 for axis in figure.axes)
