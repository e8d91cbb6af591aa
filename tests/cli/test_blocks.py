"""Parquet files and folders that are larger than the memory budget."""

import json

import numpy as np
import pandas as pd
import pytest

SMALL = ("--memory", 1e-5)  # 10.7 kB


@pytest.fixture
def frame():
    rng = np.random.default_rng(1000)
    dose, noise, other = rng.normal(size=(3, 600))
    effect = 3 * np.tanh(dose) + 0.5 * noise
    return pd.DataFrame({"dose": dose, "effect": effect, "other": other})


@pytest.fixture
def folder(frame, tmp_path):
    path = tmp_path / "table"
    path.mkdir()
    frame[:250].to_parquet(path / "a.parquet")
    frame[250:].to_parquet(path / "b.parquet", row_group_size=100)
    return path


@pytest.fixture
def file(frame, tmp_path):
    path = tmp_path / "table.parquet"
    frame.to_parquet(path, row_group_size=200)
    return path


def document(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_large_file_is_read_in_blocks_and_says_so(run, file):
    result = run("discover", file, "--json", "-m", "score", *SMALL)
    found = document(result)
    told = "takes 14 kB in memory, more than a quarter of the budget of 10 kB: it is read in blocks"
    assert told in result.stderr
    assert any(told in warning for warning in found["warnings"])
    assert [(edge["cause"], edge["effect"]) for edge in found["edges"]] == [("dose", "effect")]
    assert found["rows_used"] == {
        "checks": 600,
        "checks that need a sort": 600,
        "order of the rows": 600,
        "order": 600,
        "pruning": 600,
    }


def test_small_file_is_not(run, file):
    result = run("discover", file, "--json", "-m", "score")
    assert "in blocks" not in result.stderr
    assert document(result)["rows_used"] == {"checks": 600, "order": 600, "pruning": 600}


def test_memory_is_that_of_the_chosen_columns(run, file):
    """600 rows of three columns take 14.4 kB, of two 9.6."""
    budget = ("--memory", 4 * 12e3 / 2**30)
    assert "in blocks" in run("discover", file, "-m", "varsort", *budget).stderr
    chosen = run("discover", file, "-m", "varsort", "--drop", "other", *budget)
    assert "in blocks" not in chosen.stderr


def test_folder_is_the_file(run, file, folder):
    options = ("--json", "-m", "score")
    of_file, of_folder = (document(run("discover", path, *options)) for path in (file, folder))
    assert of_folder["edges"] == of_file["edges"]
    streamed = document(run("discover", folder, *options, *SMALL))
    assert [edge["p_value"] for edge in streamed["edges"]] == pytest.approx(
        [edge["p_value"] for edge in of_file["edges"]], rel=1e-6
    )


def test_scoregp_draws_rows_and_says_how_many(run, file, monkeypatch):
    monkeypatch.setattr("scoredag.estimators.scoregp.STREAMED_ROWS", 300)
    result = run("discover", file, "--json", "--rows", 100, "--final-rows", 150, *SMALL)
    found = document(result)
    assert "ScoreGP uses 300 of 600 rows, drawn at random" in result.stderr
    used = found["rows_used"]
    assert (used["search"], used["last round of the search"], used["edge test"]) == (100, 150, 300)
    assert found["rows"] == 300


def test_rows_used_are_shown(run, file):
    shown = run("discover", file, "--rows", 100, "--final-rows", 150).stdout
    assert "Rows used: checks 600, search 100, last round of the search 150, edge test 600" in shown


def test_units_do_not_matter_once_standardised(run, frame, tmp_path):
    paths = []
    for name, factor in (("a", 1.0), ("b", 1000.0)):
        frame.assign(dose=factor * frame.dose).to_parquet(tmp_path / f"{name}.parquet")
        paths.append(tmp_path / f"{name}.parquet")
    options = ("--json", "-m", "score", "--standardize", *SMALL)
    first, second = (document(run("discover", path, *options)) for path in paths)
    assert first["order"] == second["order"]
    assert second["source"].endswith("b.parquet, columns standardised")
    assert not any("scales differ" in warning for warning in second["warnings"])


def test_same_refusals(run, frame, tmp_path):
    path = tmp_path / "bad.parquet"
    frame.loc[17, "dose"], frame["site"] = np.nan, "Bern"
    frame.to_parquet(path)
    in_memory, in_blocks = run("discover", path), run("discover", path, *SMALL)
    assert in_memory.exit_code == in_blocks.exit_code == 2
    assert "--drop-incomplete" in in_blocks.stderr
    assert in_blocks.stderr.endswith(in_memory.stderr.removeprefix("Error: "))


def test_constant_column_is_refused_with_the_name_of_the_file(run, frame, tmp_path):
    path = tmp_path / "bad.parquet"
    frame.assign(k=1.0).to_parquet(path)
    result = run("discover", path, "--standardize", *SMALL)
    assert f"{path}: constant columns: 'k'" in result.stderr


def test_pruner_that_needs_the_table_is_refused(run, file):
    result = run("discover", file, "-m", "score", "--pruner", "gp", *SMALL)
    assert result.exit_code == 2
    assert "--pruner: 'gp' needs the table in memory" in result.stderr


@pytest.mark.parametrize("memory", [0, -1, "much"])
def test_memory_is_a_positive_number(run, file, memory):
    assert run("discover", file, "--memory", memory).exit_code == 2
