"""What cannot fit is refused with flags, long runs are announced, and the time left is right."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoredag.cli.progress import planned_time_left


def test_what_cannot_fit_is_refused_in_flags(run, tmp_path):
    path = tmp_path / "long.csv"
    np.savetxt(path, np.random.default_rng(0).normal(size=(7_000, 2)), "%.3f", delimiter=",")
    exact = ("discover", path, "-m", "score", "--score-estimator", "stein")
    result = run(*exact, "--memory", 0.5)
    assert result.exit_code == 2
    assert "SCORE needs about" in result.stderr
    assert "the budget is 512 MB. What would fit: --score-estimator low_rank (" in result.stderr
    assert "score_estimator" not in result.stderr
    assert result.stdout == ""


@pytest.fixture
def unreadable(monkeypatch):
    """Files of which only the footers can be read."""
    monkeypatch.delattr("scoredag.data.arrow_blocks.RowGroup.batches")
    monkeypatch.delattr("scoredag.data.reading.read_parquet")


def test_parquet_that_cannot_fit_is_refused_before_it_is_read(run, tmp_path, unreadable):
    rng, folder = np.random.default_rng(0), tmp_path / "folder"
    folder.mkdir()
    frame = pd.DataFrame(rng.normal(size=(20_000, 3)), columns=list("abc"))
    frame.assign(site="Bern").to_parquet(tmp_path / "long.parquet")
    for k in range(2):
        frame[k::2].to_parquet(folder / f"{k}.parquet")
    exact = ("-m", "score", "--score-estimator", "stein", "--memory", 1)
    for path in (tmp_path / "long.parquet", folder):
        result = run("discover", path, *exact)
        assert result.exit_code == 2
        assert "for 20,000 rows and 3 columns" in result.stderr
        assert "What would fit: --score-estimator low_rank" in result.stderr


def test_parquet_for_a_method_that_reads_no_blocks_is_refused_before_it_is_read(
    run, tmp_path, unreadable, monkeypatch
):
    monkeypatch.setattr("scoredag.estimators._base.LOADED_BYTES", 1000)
    pd.DataFrame(np.random.default_rng(0).normal(size=(200, 2))).rename(columns=str).to_parquet(
        tmp_path / "t.parquet"
    )
    result = run("discover", tmp_path / "t.parquet", "-m", "cam", "--memory", 1e-6)
    assert result.exit_code == 2
    assert "CAM needs the table in memory" in result.stderr


def test_one_budget_is_named_where_little_memory_is_allowed(run, tmp_path):
    path = tmp_path / "long.parquet"
    columns = np.random.default_rng(0).normal(size=(2, 6_000))
    pd.DataFrame(dict(zip("ab", columns, strict=True))).to_parquet(path)
    options = ("-m", "score", "--score-estimator", "stein", "--memory", 0.2)
    result = run("discover", path, *options)
    assert result.exit_code == 2
    assert "the budget is 205 MB (what takes up to 256 MB is never refused)" in result.stderr
    blocks = run("discover", path, "-m", "score", "--memory", 1e-4)
    assert "takes 94 kB in memory, more than a quarter of the budget of 105 kB" in blocks.stderr
    assert blocks.exit_code == 0


def test_long_runs_are_announced(run, table, monkeypatch):
    quick = run("discover", table, "-m", "score")
    assert "This will take" not in quick.stderr
    monkeypatch.setattr("scoredag.cli.analysis.LONG", 1e-9)
    slow = run("discover", table, "-m", "score", "--json")
    assert "This will take about 1 s, as estimated from " in slow.stderr
    assert slow.stdout.startswith("{")


@given(
    plan=st.lists(st.floats(0.1, 1e4), min_size=1, max_size=4),
    errors=st.lists(st.floats(0.82, 1.22), min_size=4, max_size=4),
    at=st.floats(0.0, 0.999),
)
def test_time_left_is_as_right_as_the_estimate_from_the_start(plan, errors, at):
    """Stages that take 0.82 to 1.22 times the estimate: the time left is right to a factor 1.5."""
    stages = {str(k): seconds for k, seconds in enumerate(plan)}
    true = [seconds * error for seconds, error in zip(plan, errors, strict=False)]
    elapsed, k = at * sum(true), 0
    rest = elapsed
    while rest > true[k] and k + 1 < len(true):
        rest -= true[k]
        k += 1
    shown = planned_time_left(stages, str(k), min(rest / true[k], 1.0), elapsed)
    left = sum(true) - elapsed
    assert left / 1.5 <= shown + 1e-9
    assert shown <= 1.5 * left + 1e-9


@pytest.mark.parametrize("slower", [0.3, 3.0])
def test_time_left_learns_the_pace_of_the_machine(slower):
    plan = {"order": 80.0, "prune": 20.0}
    shown = planned_time_left(plan, "order", 0.25, slower * 20.0)
    assert shown == pytest.approx(slower * 80.0, rel=0.25)
