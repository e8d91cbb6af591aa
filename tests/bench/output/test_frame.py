"""Runs as a frame, and the options of their data."""

import pytest

from scoredag.bench.output.frame import as_frame, data_options, described, grouped, setting, written


def test_every_option_of_every_data_set_is_known():
    assert {"data", "d", "graph", "noise", "n", "scale", "collection"} <= set(data_options())
    assert "seed" not in data_options()
    assert (data_options()[0], data_options()[-3:]) == ("data", ("noise", "graph", "d"))


def test_values_of_files_become_pythons_own():
    rows = [{"d": 10.0, "noise": float("nan"), "shd": float("inf"), "recall": 0.5}, {"new": "x"}]
    frame = as_frame(rows, ["mine"])
    columns = ["d", "noise", "shd", "recall", "new", "mine"]
    assert frame[columns].values.tolist() == [
        [10, None, None, 0.5, None, None],
        [None, None, None, None, "x", None],
    ]
    assert type(frame["d"][0]) is int


def test_groups_come_as_the_runs_do_or_as_where_lists_them():
    runs = as_frame(
        [{"d": 20, "graph": None}, {"d": 10, "graph": "ER1"}, {"d": 20, "graph": "ER1"}]
    )
    assert list(grouped(runs, ["d"])) == [(20,), (10,)]
    assert list(grouped(runs, ["d"], {"d": (10, 20)})) == [(10,), (20,)]
    assert list(grouped(runs, ["d"], {"d": (10,)})) == [(20,), (10,)]
    assert list(grouped(runs, ["graph", "d"])) == [(None, 20), ("ER1", 20), ("ER1", 10)]
    assert [len(part) for part in grouped(runs, []).values()] == [3]


def test_a_setting_has_several_values_where_runs_differ():
    runs = as_frame([{"d": 10, "graph": "ER1"}, {"d": 10, "graph": "ER4"}])
    assert setting(runs, ["d", "graph", "n"]) == {"d": 10, "graph": ("ER1", "ER4")}


@pytest.mark.parametrize(
    ("value", "text"), [("syntren", "SynTReN"), ("mine", "mine"), (10, "10"), (None, "–")]
)
def test_values_are_written_as_readers_know_them(value, text):
    assert written(value) == text


def test_kinds_of_data_are_named():
    names = described(["graph", "d", "scale", "noise"], ("ER1", 10, None, "laplace"))
    assert names == "ER1, d = 10, Laplace noise"
