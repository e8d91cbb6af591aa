"""Means, failures, and whether a number is reproduced."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.bench.output.cells import Cell, Quantity, make_cell, quantity
from scoredag.bench.output.frame import as_frame
from scoredag.bench.reference import Published

SHD, RECALL = quantity("shd"), quantity("recall")


def published(mean, sd):
    return Published("1", {}, "SCORE", "shd", mean, sd, "")


def agrees(mean, number, metric="shd"):
    return Cell(metric, mean, None, 1, 1, 1, published=number).reproduced


def cell_of(rows, *more):
    return make_cell(as_frame(rows), *more)


def done(**metrics):
    return {"status": "done", **metrics}


@pytest.mark.parametrize(
    ("mean", "expected"), [(0.0, True), (1.1, True), (2.0, True), (2.0001, False), (9.0, False)]
)
def test_smaller_is_better_within_a_deviation_or_below(mean, expected):
    assert agrees(mean, published(1.1, 0.9)) is expected


@pytest.mark.parametrize(("mean", "expected"), [(0.69, False), (0.7, True), (0.8, True), (1, True)])
def test_larger_is_better_within_a_deviation_or_above(mean, expected):
    assert agrees(mean, published(0.8, 0.1), "recall") is expected


def test_a_metric_without_a_better_way_is_not_called_reproduced():
    assert agrees(1.0, published(1.0, 0.1), "wrong_doubted") is None


@pytest.mark.parametrize(("mean", "expected"), [(11, True), (12, True), (13, False)])
def test_without_a_deviation_it_must_be_as_good(mean, expected):
    assert agrees(mean, published(12, None)) is expected


@given(st.floats(0, 1e4), st.floats(0, 1e3), st.floats(0, 1e4))
def test_what_is_better_than_a_reproduced_mean_is_reproduced(mean, sd, ours):
    number = published(mean, sd)
    if agrees(ours, number):
        assert agrees(ours / 2, number)
    assert agrees(mean + sd, number)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=12))
def test_mean_and_deviation_divide_by_the_number_of_runs(values):
    cell = cell_of([done(shd=value) for value in values], "shd")
    assert math.isclose(cell.mean, np.mean(values), abs_tol=1e-12)
    assert math.isclose(cell.sd, np.std(values, ddof=0), abs_tol=1e-12)


def test_one_run_has_no_deviation():
    cell = cell_of([done(shd=12)], "shd")
    assert (cell.text, cell.sd) == ("12", None)


def test_a_cell_that_only_timed_out_says_so_with_the_reason():
    cell = cell_of([{"status": "timeout", "reason": "600 s"}] * 10, "shd", published(1, 1))
    assert cell.text == "timeout 10 of 10"
    assert cell.failures[0].text == "timeout: 600 s"
    assert cell.reproduced is None


def test_failures_of_several_kinds_are_told_apart_and_the_usual_reason_is_given():
    errors = [{"status": "error", "reason": reason} for reason in ("rare", "often", "often")]
    cell = cell_of([*errors, {"status": "timeout", "reason": "600 s"}], "shd")
    assert cell.text == "error 3 of 4, timeout 1 of 4"
    assert cell.failures[0].text == "error: often (and other reasons)"


def test_skipped_runs_are_not_run():
    cell = cell_of([{"status": "skipped", "reason": "no R"}] * 2, "shd")
    assert (cell.text, cell.failures[0].text) == ("not run", "not run: no R")


def test_a_cell_without_rows_is_not_run():
    assert cell_of([], "shd").text == "not run"


def test_a_cell_of_which_some_runs_failed_says_how_many_it_is_of():
    runs = [done(shd=1)] * 7 + [{"status": "error", "reason": "x"}] * 3
    cell = cell_of(runs, "shd")
    assert (cell.text, cell.runs_text) == ("1.0 ± 0.0", "7/10")


def test_a_metric_that_is_not_defined_is_a_dash():
    assert cell_of([done(shd=1, d_top=None), done(shd=2)], "d_top").text == "–"


def test_undecided_edges_show_the_best_case_beside_shd_only():
    runs = [done(shd=4, shd_best=2, sid=9), done(shd=6, shd_best=3, sid=9)]
    assert cell_of(runs, "shd").at_best_text == "best 2.5"
    assert cell_of(runs, "sid").at_best_text == ""


def test_long_reasons_are_cut_to_one_line():
    cell = cell_of([{"status": "error", "reason": "line\n" * 500}], "shd")
    assert len(cell.failures[0].text) < 250
    assert "\n" not in cell.failures[0].text


@pytest.mark.parametrize(
    ("measured", "value", "text"),
    [
        (SHD, 0.0, "0.0"),
        (SHD, 999.94, "999.9"),
        (SHD, 1262.4, "1262"),
        (RECALL, 0.666, "0.67"),
        (Quantity("s", decimals=None), 0.0314, "0.031"),
        (Quantity("s", decimals=None), 31.4, "31.4"),
        (Quantity("s", decimals=None), 314.2, "314"),
    ],
)
def test_digits_fit_the_size(measured, value, text):
    assert measured.text(value) == text
