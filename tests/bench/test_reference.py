"""The paper's numbers are those of the paper."""

import csv
from collections import Counter
from importlib.resources import files

import pytest

from scoredag.bench.reference import load_reference, reference_names

SYNTHETIC = {"data": "paper", "noise": "gaussian"}


@pytest.mark.parametrize(
    ("setting", "key", "text"),
    [
        ({**SYNTHETIC, "d": 10, "graph": "ER1"}, ("SCORE", "shd"), "1.1 ± 0.9"),
        ({**SYNTHETIC, "d": 50, "graph": "ER4"}, ("SCORE", "sid"), "1262 ± 110"),
        ({**SYNTHETIC, "d": 20, "graph": "ER1"}, ("CAM", "seconds"), "313 ± 80"),
        ({**SYNTHETIC, "d": 50, "graph": "ER1"}, ("CAM", "seconds"), "1143 ± 79"),
        ({**SYNTHETIC, "d": 20, "graph": "ER1"}, ("SCORE", "order_seconds"), "8.5 ± 0.8"),
        ({**SYNTHETIC, "d": 50, "graph": "SF4"}, ("VarSort", "d_top"), "73.0 ± 10.6"),
        ({"data": "syntren"}, ("SCORE", "sid"), "193.4 ± 60.2"),
        ({"data": "sachs"}, ("CAM", "sid"), "55"),
    ],
)
def test_a_few_cells_are_those_of_the_paper(setting, key, text):
    assert load_reference("score_2022").lookup(setting)[key].text == text


def test_every_table_has_all_of_its_numbers():
    lines = (files("scoredag.bench") / "references/score_2022.csv").read_text().splitlines()
    rows = list(csv.DictReader(lines))
    # At d = 50 the paper has no D_top of CAM.
    large = dict.fromkeys(["3", "6", "10", "13"], 16)
    small = dict.fromkeys(["1", "2", "4", "5", "8", "9", "11", "12"], 18)
    assert Counter(row["table"] for row in rows) == {**large, **small, "time": 12, "7": 12}
    assert {row["method"] for row in rows} == {"SCORE", "CAM", "GraN-DAG", "VarSort"}
    keys = [tuple(row[k] for k in row if k not in ("table", "mean", "sd")) for row in rows]
    assert len(set(keys)) == len(rows)


def test_the_24_cells_of_synthetic_data_are_complete():
    numbers = load_reference("score_2022").numbers
    cells = Counter(
        (number.method, number.metric)
        for number in numbers
        if number.setting["data"] == "paper" and "seconds" not in number.metric
    )
    assert cells == {
        ("SCORE", "shd"): 24, ("SCORE", "sid"): 24, ("SCORE", "d_top"): 24,
        ("CAM", "shd"): 24, ("CAM", "sid"): 24, ("CAM", "d_top"): 16,
        ("GraN-DAG", "shd"): 24, ("GraN-DAG", "sid"): 24, ("VarSort", "d_top"): 24,
    }  # fmt: skip


def test_other_data_than_the_papers_are_not_compared():
    reference = load_reference("score_2022")
    setting = {**SYNTHETIC, "d": 10, "graph": "ER1"}
    assert reference.lookup({**setting, "n": 1000})
    assert not reference.lookup({**setting, "n": 300})
    assert not reference.lookup({**setting, "data": "simulated"})
    assert not reference.lookup({**setting, "graph": ("ER1", "ER4")})


def test_a_setting_that_leaves_open_which_number_is_meant_has_none():
    without_noise = {"data": "paper", "d": 10, "graph": "ER1"}
    assert ("SCORE", "shd") not in load_reference("score_2022").lookup(without_noise)


def test_a_scale_that_the_paper_does_not_state_is_not_compared():
    found = load_reference("score_2022").lookup({"data": "sachs", "scale": "log"})
    assert found["SCORE", "shd"].mean == 12


@pytest.mark.parametrize("name", ["nothing", "../references/score_2022", ""])
def test_an_unknown_reference_names_the_known_ones(name):
    with pytest.raises(ValueError, match="score_2022"):
        load_reference(name)


def test_every_reference_can_be_read():
    assert all(load_reference(name).numbers for name in reference_names())
