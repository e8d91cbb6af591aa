"""Benchmarks from spec to rows: resumed, redone, and the same whatever happened on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from scoredag.bench import Session, read_spec, run_benchmark
from scoredag.bench import session as session_module
from scoredag.bench.isolation import Isolation
from scoredag.bench.journal import Journal, JournalUnwritable
from scoredag.bench.provenance import fingerprint
from scoredag.exceptions import DataError

SPEC = """
title = "Tiny"
description = "Small data, quick methods."
metrics = ["shd", "sid", "d_top"]

[[data]]
name = "paper"
d = [4, 5]
graph = "ER1"
n = 100
seeds = 3

[[methods]]
name = "VarSort"

[[methods]]
name = "CAM"

[[methods]]
name = "LISTEN"
only = { d = 4 }
why = "enough"

[[tables]]
title = "d = {d}"
where = { data = "paper" }
split = ["d"]
columns = ["graph"]
metrics = ["shd", "sid", "d_top"]
"""
RESULTS = ("method", "d", "seed", "status", "reason", "shd", "sid", "d_top")


@pytest.fixture
def spec_file(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def spec(spec_file):
    return read_spec(spec_file)


def results(rows):
    return [tuple(row.get(key) for key in RESULTS) for row in rows]


def test_one_row_a_run_in_the_order_of_the_spec(spec, tmp_path):
    rows = run_benchmark(spec, tmp_path / "out", jobs=2)
    assert [(row["method"], row["d"], row["seed"]) for row in rows] == [
        (method, d, seed)
        for method in ("VarSort", "CAM", "LISTEN")
        for d in (4, 5)
        for seed in range(3)
    ]
    done = [row for row in rows if row["status"] == "done"]
    assert len(done) == 15
    for row in done:
        assert row["nodes"] == row["d"]
        assert row["seconds"] > 0
        assert row["cpu_seconds"] > 0
        assert row["peak_mb"] < 500
        assert row["code"] == fingerprint()
        assert row["machine"]
        assert row["shd"] <= 10
    assert {row["reason"] for row in rows if row["status"] != "done"} == {"enough"}
    assert all(row["prune_seconds"] < row["seconds"] for row in done if row["method"] == "CAM")


def test_results_do_not_depend_on_the_number_of_jobs(spec, tmp_path):
    one = run_benchmark(spec, tmp_path / "one", jobs=1)
    three = run_benchmark(spec, tmp_path / "three", jobs=3)
    assert results(one) == results(three)


def test_what_is_done_is_not_run_again(spec, tmp_path, monkeypatch):
    first = run_benchmark(spec, tmp_path)
    monkeypatch.setattr(Isolation, "row_of", lambda self, run: pytest.fail("ran again"))
    assert run_benchmark(spec, tmp_path) == first
    assert run_benchmark(spec, tmp_path, redo="failed") == first
    assert run_benchmark(spec, tmp_path, redo="stale") == first


def test_rows_only_runs_nothing(spec, tmp_path):
    with Journal(tmp_path) as journal:
        journal.append({"key": spec.runs[0].key, "status": "done"})
    rows = run_benchmark(spec, tmp_path, only_rows=True)
    assert rows[0]["status"] == "done"
    assert {row["reason"] for row in rows[1:]} == {"not run yet", "enough"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shd": "x"}, "'x' as shd"),
        ({"seconds": True}, "True as seconds"),
        ({"sid": 10**30}, "sid"),
    ],
)
def test_rows_that_somebody_changed(spec, tmp_path, change, words):
    with Journal(tmp_path) as journal:
        journal.append({"key": spec.runs[0].key, "status": "done"} | change)
    with pytest.raises(DataError, match=rf"VarSort on paper, seed 0, has .*{words}"):
        run_benchmark(spec, tmp_path, only_rows=True)


def test_rows_say_what_they_are_as_the_spec_does(spec, tmp_path):
    with Journal(tmp_path) as journal:
        journal.append({"key": spec.runs[0].key, "status": "done", "estimator": 5})
    row = run_benchmark(spec, tmp_path, only_rows=True)[0]
    assert row["estimator"] == "VarSort"
    assert row["d"] == 4


def test_rows_only_needs_rows(spec, tmp_path):
    with pytest.raises(
        DataError, match=r"none has no runs\.jsonl and no runs\.parquet, .* run the benchmark first"
    ):
        run_benchmark(spec, tmp_path / "none", only_rows=True)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("change", "redo", "made_again"),
    [
        ({"status": "error"}, None, 0),
        ({"status": "error"}, "failed", 1),
        ({"status": "timeout"}, "failed", 1),
        ({"status": "skipped"}, None, 1),
        ({"code": "other"}, None, 0),
        ({"code": "other"}, "stale", 1),
        ({}, "all", 15),
    ],
)
def test_redo(spec, tmp_path, change, redo, made_again):
    first = run_benchmark(spec, tmp_path, jobs=2)
    journal = tmp_path / "runs.jsonl"
    lines = journal.read_text().splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | change)
    journal.write_text("\n".join(lines) + "\n")
    rows = run_benchmark(spec, tmp_path, jobs=2, redo=redo)
    # A line that drops the old row, and one with the new.
    assert len(journal.read_text().splitlines()) == 15 + 2 * made_again
    assert (results(rows) == results(first)) == (made_again > 0 or "code" in change)


def test_stale_rows_are_counted(spec, tmp_path):
    rows = run_benchmark(spec, tmp_path, jobs=2)
    assert session_module.stale(rows) == 0
    assert session_module.stale([row | {"code": "other"} for row in rows[:2]]) == 2
    assert session_module.stale([rows[0] | {"code": "other", "estimator": "causal-learn/PC"}]) == 0
    assert session_module.stale([rows[0] | {"code": "other", "estimator": "mgcv/SCORE"}]) == 1


def test_an_interrupted_redo_goes_on_without_the_option(spec, tmp_path, monkeypatch):
    first = run_benchmark(spec, tmp_path, jobs=2)
    with monkeypatch.context() as patch:
        patch.setattr(Isolation, "row_of", lambda self, run: None)
        again = run_benchmark(spec, tmp_path, redo="all")
    assert {row["reason"] for row in again} == {"not run yet", "enough"}
    assert results(run_benchmark(spec, tmp_path, jobs=2)) == results(first)


def test_files_of_others_in_the_folder_are_left_alone(spec, tmp_path):
    for name in ("drawn", ".scoredag-drawn"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_text("gold")
    run_benchmark(spec, tmp_path, jobs=2)
    assert sorted(path.name for path in tmp_path.glob("*/*")) == ["thesis.txt", "thesis.txt"]


def test_redo_must_be_known(spec, tmp_path):
    with pytest.raises(ValueError, match="redo must be one of 'failed', 'stale', 'all'; got 'x'"):
        run_benchmark(spec, tmp_path, redo="x")


def test_a_method_that_raises_spoils_its_own_row_only(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(SPEC.replace('name = "CAM"', 'name = "SCORE"\noptions = { eta = 1e-300 }'))
    rows = run_benchmark(read_spec(path), tmp_path / "out", jobs=2)
    reasons = [row["reason"] for row in rows if row["method"] == "SCORE"]
    assert {row["status"] for row in rows if row["method"] == "SCORE"} == {"error"}
    assert all("DataError: The kernel matrix" in reason for reason in reasons)
    assert {row["status"] for row in rows if row["method"] == "VarSort"} == {"done"}


def test_data_that_is_not_there_is_skipped_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREDAG_DATA", str(tmp_path / "none"))
    path = tmp_path / "data.toml"
    path.write_text('[[data]]\nname = "syntren"\n[[methods]]\nname = "VarSort"\n')
    (row,) = run_benchmark(read_spec(path), tmp_path / "out")
    assert row["status"] == "skipped"
    assert "fill_cache(folder)" in row["reason"]


def test_progress_sees_every_row_and_estimates_the_rest(spec, tmp_path):
    seen = []

    def note(session: Session):
        seen.append((session.finished, session.total, session.seconds_left()))

    run_benchmark(spec, tmp_path, progress=note)
    assert [finished for finished, _, _ in seen][-1] == 15
    assert {total for _, total, _ in seen} == {15}
    assert seen[-1][2] == 0
    assert any(left is not None and left > 0 for _, _, left in seen)


def test_killed_between_rows_and_started_again_gives_the_same_tables(spec_file, tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    assert _bench(spec_file, undisturbed).wait() == 0
    for rows in (1, 5):
        victim = _bench(spec_file, killed)
        _wait_for(lambda wanted=rows: len(_journal(killed)) >= wanted, seconds=60, every=0.002)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        assert rows <= len(_journal(killed)) < 15
    assert _bench(spec_file, killed).wait() == 0
    assert _tables(killed) == _tables(undisturbed)
    keys = [json.loads(line)["key"] for line in _journal(killed)]
    assert len(keys) == len(set(keys)) == 15


def test_a_full_disk_ends_in_a_sentence_and_goes_on_later(spec_file, tmp_path):
    """Files of more than some rows' size cannot be written, by the runs neither."""
    pytest.importorskip("resource")
    folder = tmp_path / "out"
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "from scoredag.cli import run; run()"
    )
    words = [sys.executable, "-c", code, "bench", str(spec_file), "-o", str(folder), "-j", "2"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert "runs.jsonl cannot be written: File too large. The rows that it has are kept" in line
    assert "had ended (done) and could not be written: it is made again at the next start." in line
    kept = _journal(folder)
    assert 0 < len(kept) < 15
    assert {json.loads(row)["status"] for row in kept} == {"done"}
    assert _bench(spec_file, folder).wait() == 0
    assert _journal(folder)[: len(kept)] == kept
    assert len(_journal(folder)) == 15


def test_a_folder_that_vanishes_ends_in_a_sentence(spec, tmp_path):
    folder = tmp_path / "out"

    def remove(_):
        if folder.exists():
            shutil.rmtree(folder)

    with pytest.raises(DataError, match=r"no longer there.* had ended \(done\) and could not be"):
        run_benchmark(spec, folder, progress=remove)
    assert not folder.exists()


def test_room_for_a_row_is_taken_from_the_data_that_runs_share(spec, tmp_path, monkeypatch):
    """Only the first attempt to write fails: the second has the room of what was cleared."""
    append, failed = Journal.append, []

    def append_later(journal, row):
        if row["key"] not in failed:
            failed.append(row["key"])
            raise JournalUnwritable("no room")
        append(journal, row)

    monkeypatch.setattr(Journal, "append", append_later)
    rows = run_benchmark(spec, tmp_path / "out", jobs=2)
    assert sum(row["status"] == "done" for row in rows) == 15


WITHOUT = """
import os, signal, sys
for name in ("resource", "fcntl", "multiprocessing.forkserver"):
    sys.modules[name] = None
for module, name in ((os, "setsid"), (os, "killpg"), (signal, "pthread_sigmask")):
    delattr(module, name)
"""


def _without(code, *arguments):
    """Run Python as on a system that has none of what runs need."""
    words = [sys.executable, "-c", WITHOUT + code, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True)


def test_where_nothing_can_run_specs_and_tables_can_be_read(spec_file, tmp_path):
    run_benchmark(read_spec(spec_file), tmp_path / "out", jobs=2)
    cli = "from scoredag.cli import run; run()"
    assert _without("import scoredag.bench as b; b.read_spec('quick')").returncode == 0
    listed = _without(cli, "bench", "--list")
    assert listed.returncode == 0, listed.stderr
    assert "methods: " in listed.stdout
    shown = _without(cli, "bench", spec_file, "-o", tmp_path / "out", "--tables-only")
    assert shown.returncode == 0, shown.stderr
    assert "15 done" in shown.stdout
    refused = _without(cli, "bench", spec_file, "-o", tmp_path / "new")
    assert refused.returncode == 2
    assert refused.stderr.startswith("Error: runs need process groups and forks, which this system")
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_memory_is_not_measured_where_it_cannot_be():
    code = (
        "from scoredag.bench.work import watched_memory\n"
        "with watched_memory() as memory: pass\n"
        "print(memory)"
    )
    assert _without(code).stdout == "{'peak_mb': None}\n"


def _journal(folder):
    """The rows on disk; a line without its end is none yet."""
    path = folder / "runs.jsonl"
    return path.read_text().split("\n")[:-1] if path.exists() else []


def _bench(spec_file, folder, **environment):
    code = "from scoredag.cli import run; run()"
    words = [sys.executable, "-c", code, "bench", str(spec_file), "-o", str(folder), "-j", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(words, env=os.environ | environment, **quiet)


def _tables(folder):
    """The tables as written, less the command, which names the folder."""
    text = (folder / "tables.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) > 6
    return lines


@pytest.fixture
def scratch():
    """A folder for temporary files; the names of sockets in it must not be long."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_runs_die_with_a_killed_benchmark_and_leave_nothing(tmp_path, scratch):
    path = tmp_path / "long.toml"
    path.write_text(
        '[[data]]\nname = "paper"\nd = 100\ngraph = "ER4"\nn = 3000\n[[methods]]\nname = "SCORE"\n'
    )
    victim = _bench(path, tmp_path / "out", TMPDIR=str(scratch))
    children = _wait_for(lambda: _workers(victim.pid), seconds=60)
    assert children
    assert list(scratch.glob("scoredag-*"))
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    assert _wait_for(lambda: not any(map(_is_alive, children)), seconds=20)
    assert not list(scratch.glob("scoredag-*"))


def _workers(parent):
    """The runs of a benchmark: they lead a session each, as its server's children."""
    server = [pid for pid in _pids() if _parent(pid) == parent]
    return [pid for pid in _pids() if _parent(pid) in server and _is_leader(pid)]


def _is_leader(pid):
    try:
        return os.getsid(pid) == pid
    except ProcessLookupError:
        return False


def _pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return -1


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_for(condition, seconds, every=0.05):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(every)
    return None
