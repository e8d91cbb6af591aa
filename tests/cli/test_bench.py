"""``scoredag bench``."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest
from pyarrow import parquet

SPEC = """
title = "Tiny"
metrics = ["shd", "sid", "d_top"]

[[data]]
name = "paper"
d = [4, 5]
graph = "ER1"
n = 100
seeds = 2

[[methods]]
name = "VarSort"

[[methods]]
name = "SCORE"
options = { eta = 1e-300 }
only = { d = 4 }

[[tables]]
title = "d = {d}"
where = { data = "paper" }
split = ["d"]
columns = ["graph"]
metrics = ["shd", "sid", "d_top"]
"""


@pytest.fixture
def spec_file(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(SPEC)
    return path


def test_rows_tables_and_summary(run, spec_file, tmp_path):
    result = run("bench", spec_file, "--output", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "4 done, 2 error, 2 skipped." in result.stdout
    assert "error: SCORE, 1 run: DataError: The kernel matrix" in result.stdout
    with (tmp_path / "out" / "runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["done"] * 4 + ["error"] * 2 + ["skipped"] * 2
    table = parquet.read_table(tmp_path / "out" / "runs.parquet")
    assert table.num_rows == 8
    assert table["shd"].to_pylist() == [int(row["shd"]) if row["shd"] else None for row in rows]
    assert "Tiny" in (tmp_path / "out" / "tables.md").read_text()
    assert "<html" in (tmp_path / "out" / "tables.html").read_text()


def test_json(run, spec_file, tmp_path):
    result = run("bench", spec_file, "--output", tmp_path / "out", "--json")
    document = json.loads(result.stdout)
    assert document["runs"] == {"done": 4, "error": 2, "skipped": 2}
    assert {problem["status"] for problem in document["problems"]} == {"error", "skipped"}
    assert all(os.path.exists(path) for path in document["files"])


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_benchmark_without_any_result_is_a_failure(run, spec_file, tmp_path, options):
    spec_file.write_text(SPEC.replace('[[methods]]\nname = "VarSort"\n', ""))
    result = run("bench", spec_file, "--output", tmp_path / "out", *options)
    assert result.exit_code == 1
    assert "none of 4 runs has a result: each row says why" in result.stderr
    assert "is not positive definite" in result.stdout
    assert (tmp_path / "out" / "tables.md").exists()


def test_output_is_beside_you_by_default(run, spec_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("bench", spec_file).exit_code == 0
    tables = tmp_path / "scoredag-bench" / "tiny" / "tables.md"
    tables.unlink()
    assert run("bench", spec_file, "--tables-only").exit_code == 0
    assert tables.exists()


def test_specs_of_the_same_name_do_not_share_a_folder(run, spec_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other" / "tiny.toml"
    other.parent.mkdir()
    other.write_text(SPEC.replace("Tiny", "Other"))
    assert run("bench", spec_file).exit_code == 0
    assert run("bench", "tiny.toml").exit_code == 0
    for arguments in ([], ["--tables-only"]):
        result = run("bench", other, *arguments)
        assert result.exit_code == 2
        assert "has the benchmark of tiny.toml, which is another spec than other/tiny" in (
            result.stderr
        )
    assert "Tiny" in (tmp_path / "scoredag-bench" / "tiny" / "tables.md").read_text()
    assert run("bench", other, "--output", "scoredag-bench/tiny").exit_code == 0


def test_tables_and_plots_are_built_from_committed_rows(run, spec_file, tmp_path):
    """A clone has ``runs.parquet`` and ``tables.md`` only; building the rest changes neither."""
    out = tmp_path / "out"
    assert run("bench", spec_file, "--output", out).exit_code == 0
    kept = {name: (out / name).read_bytes() for name in ("runs.parquet", "tables.md")}
    for path in out.iterdir():
        if path.name not in kept:
            path.unlink()
    result = run("bench", spec_file, "--output", out, "--tables-only")
    assert result.exit_code == 0, result.output
    assert (out / "tables.html").exists()
    assert {name: (out / name).read_bytes() for name in kept} == kept
    assert not (out / "runs.jsonl").exists()


def test_tables_without_rows_are_refused(run, spec_file, tmp_path):
    result = run("bench", spec_file, "--output", tmp_path / "out", "--tables-only")
    assert result.exit_code == 2
    assert "run the benchmark first" in result.stderr
    assert not (tmp_path / "out").exists()


def test_list(run):
    result = run("bench", "--list")
    for word in ("quick:", "paper:", "data: grandag", "SCORE", "causal-learn/PC", "d_top"):
        assert word in result.stdout
    assert "quick" in json.loads(run("bench", "--list", "--json").stdout)["specs"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a spec"),
        (["papers"], "no spec 'papers'"),
        (["quick", "--redo", "everything"], "--redo must be one of failed, stale, all"),
        (["quick", "--jobs", "0"], "jobs"),
        (["quick", "--timeout", "-1"], "number above 0"),
        (["quick", "--data", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_mistakes_end_in_a_sentence(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("bench", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_folder_in_use_is_refused(run, spec_file, tmp_path):
    from scoredag.bench.journal import Journal

    with Journal(tmp_path / "out"):
        result = run("bench", spec_file, "--output", tmp_path / "out")
    assert result.exit_code == 2
    assert "another benchmark runs in this folder" in result.stderr


def test_data_fill_the_cache(run, tmp_path, public_data, monkeypatch):
    monkeypatch.setenv("SCOREDAG_DATA", str(tmp_path / "cache"))
    spec = tmp_path / "syntren.toml"
    spec.write_text('[[data]]\nname = "syntren"\n[[methods]]\nname = "VarSort"\n')
    result = run("bench", spec, "--output", tmp_path / "out", "--data", public_data)
    assert "1 done." in result.stdout, result.output
    assert (tmp_path / "cache" / "syntren" / "syntren.npz").exists()


def test_an_interrupt_ends_it_and_says_how_to_go_on(spec_file, tmp_path):
    spec_file.write_text(SPEC.replace("n = 100", "n = 3000").replace("seeds = 2", "seeds = 200"))
    leader, follower = pty.openpty()
    code = "from scoredag.cli import run; run()"
    words = [sys.executable, "-c", code, "bench", str(spec_file), "-o", str(tmp_path / "out")]
    process = subprocess.Popen(words, stdout=follower, stderr=follower)
    os.close(follower)
    journal = tmp_path / "out" / "runs.jsonl"
    while not (journal.exists() and journal.stat().st_size):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    seen = b""
    while chunk := _read(leader):
        seen += chunk
    assert process.wait(30) == 130
    assert b"of 800 runs" in seen or b"of 600 runs" in seen
    assert b"What is done is kept" in seen
    assert b"Traceback" not in seen


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""
