import json
import shlex

import numpy as np
import pandas as pd
import pytest

from scoredag.graph import from_networkx, read_graph
from scoredag.plugins import names
from scoredag.simulate import paper_dataset, simulated_dataset


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "feather"])
def test_it_writes_the_paper_s_data_to_the_last_bit(run, tmp_path, suffix):
    path = tmp_path / f"data.{suffix}"
    result = run("simulate", path, "-d", 6, "-n", 50, "-g", "ER1", "--seed", 3, "--noise", "gumbel")
    assert result.exit_code == 0
    readers = {"csv": pd.read_csv, "tsv": pd.read_table, "parquet": pd.read_parquet}
    as_text = {"dtype": str} if suffix in ("csv", "tsv") else {}  # pandas 2 rounds what it parses
    frame = readers.get(suffix, pd.read_feather)(path, **as_text).astype(float)
    expected = paper_dataset(6, "ER1", noise="gumbel", seed=3, n=50)
    assert list(frame.columns) == [f"x{k}" for k in range(6)]
    assert np.array_equal(frame.to_numpy(), expected.X)
    truth = read_graph(tmp_path / "data.truth.csv", nodes=frame.columns)
    assert np.array_equal(from_networkx(truth), expected.adjacency)


def test_options_and_document(run, tmp_path):
    data, truth = tmp_path / "data.csv", tmp_path / "truth.json"
    result = run(
        *("simulate", data, "--truth", truth, "--nodes", 5, "--rows", 40, "--graph", "sf1"),
        *("--mechanism", "linear", "--standardize", "--json"),
    )
    summary = json.loads(result.stdout)
    assert (summary["rows"], summary["columns"]) == (40, 5)
    frame = pd.read_csv(data)
    np.testing.assert_allclose(frame.std(ddof=0), 1.0)
    assert read_graph(truth).number_of_edges() == summary["edges"]


def test_a_model_with_its_usual_setting(run, tmp_path):
    """The same data as from Python, in the setting that the model belongs to."""
    path = tmp_path / "data.parquet"
    summary = json.loads(run("simulate", path, "-m", "sensors", "-n", 60, "--json").stdout)
    expected = simulated_dataset("sensors", n=60)
    assert summary["model"] == "sensors"
    assert summary["edges"] == expected.adjacency.sum()
    assert np.array_equal(pd.read_parquet(path).to_numpy(), expected.X)


def test_options_of_a_model(run, tmp_path):
    path = tmp_path / "data.parquet"
    set_options = ("--set", "levels=4", "--set", "noise_variance=0.1")
    result = run("simulate", path, "-m", "rounded", "-d", 2, "-g", "ER1", *set_options)
    assert result.exit_code == 0
    expected = simulated_dataset("rounded", 2, "ER1", levels=4, noise_variance=0.1)
    assert np.array_equal(pd.read_parquet(path).to_numpy(), expected.X)
    assert pd.read_parquet(path).nunique().tolist() == [4, 4]


def test_help_lists_every_model(run):
    shown = " ".join(run("simulate", "--help", env={"COLUMNS": "300"}).stdout.split())
    assert all(name in shown for name in names("scoredag.simulate.models"))


@pytest.mark.parametrize(("truth", "readable"), [("my truth.json", True), ("truth.dot", True)])
def test_the_next_step_is_shown_and_works(run, tmp_path, monkeypatch, truth, readable):
    monkeypatch.chdir(tmp_path)
    result = run("simulate", "my data.csv", "--truth", truth, "-d", 4, "-n", 100, "-g", "ER1")
    command = shlex.split(result.stdout.splitlines()[-1].removeprefix("Next: scoredag "))
    assert run(*command).exit_code == 0
    assert ("--truth" in command) == readable


def test_progress_is_shown(run, tmp_path, monkeypatch):
    seen = []
    report = "scoredag.cli.progress.DelayedProgress.__call__"
    monkeypatch.setattr(report, lambda self, *stage: seen.append(stage))
    run("simulate", tmp_path / "data.csv", "-d", 2, "-n", 5, "-g", "ER1")
    assert seen == [("simulate", 1, 2), ("simulate", 2, 2)]


def test_one_of_each(run, tmp_path):
    shown = run("simulate", tmp_path / "data.csv", "-d", 2, "-n", 1, "-g", "ER1").stdout
    assert "(1 row, 2 columns)" in shown
    assert "(1 edge)" in shown


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("data.xls",), "must end in one of .csv, .tsv, .parquet, .feather"),
        (("no/folder/data.csv",), "does not exist"),
        (("data.csv", "--truth", "truth.xls"), "must end in one of .csv, .dot, .gml, .json"),
        (("data.csv", "--graph", "ER"), "such as 'ER4'"),
        (("data.csv", "--graph", "XY4"), "ER, SF and a whole number"),
        (
            ("data.csv", "--graph", "SF4", "--nodes", "3"),
            "--graph SF4 with --nodes 3: edges per node",
        ),
        (("data.csv", "--graph", "SF0"), "whole number from 1 to d - 1"),
        (("data.csv", "--truth", "./data.csv"), "data.csv is to be written twice"),
        (("data.csv", "--nodes", "1"), "--nodes"),
        (("data.csv", "--noise", "pink"), "'gaussian'"),
        (("data.csv", "--mechanism", "gpp"), "Did you mean 'gp'"),
        (("data.csv", "--model", "poison"), "Did you mean 'poisson'"),
        (("data.csv", "--model", "sensors", "--noise", "laplace"), "'noise' is no option of model"),
        (("data.csv", "--model", "rounded", "--set", "levels=1"), "levels must be a whole number"),
        (("data.csv", "--model", "rounded", "--set", "level=9"), "'levels', 'mechanism'"),
        (("data.csv", "--set", "seed=3"), "'seed' is no option of model 'additive'"),
        (("data.csv", "--set", "mechanism=x"), "mechanism must be one of"),
        (("data.csv", "--set", "levels"), "--set must be NAME=VALUE"),
        (("data.csv", "--noise", "gumbel", "--set", "noise=uniform"), "noise is given twice"),
        (
            ("data.csv", "--model", "rounded", "--set", "levels=5", "--set", "levels=7"),
            "levels is given twice: as 5 and 7",
        ),
        (
            ("data.csv", "--model", "location_scale", "--set", "log_scale_sd=1000"),
            "values of a column are NaN or infinite",
        ),
        (("data.csv", "--graph", "BIPARTITE0"), "--graph BIPARTITE0 with --nodes 10: edges per"),
    ],
)
def test_wrong_options(run, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    result = run("simulate", *options, env={"COLUMNS": "300"})
    assert result.exit_code == 2
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_range_is_an_option_like_any_other(run, tmp_path):
    target = tmp_path / "sensors.csv"
    options = ("--model", "sensors", "--rows", "50", "--set", "noise_share=0.01,0.02")
    assert run("simulate", str(target), *options).exit_code == 0
    expected = simulated_dataset("sensors", n=50, noise_share=(0.01, 0.02)).X
    assert np.array_equal(np.loadtxt(target, delimiter=",", skiprows=1), expected)
