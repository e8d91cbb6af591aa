"""Ctrl-C, a full disk and a folder that vanishes: no torn file, no lost row, the prompt back."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from scoredag import VarSort

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends signals as POSIX has them")

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
PROMPT = 2.0
MOMENTS = 3
# Wider than what is promised: the test may run beside others on a slow machine.
PATIENCE = 3 * PROMPT
# Before Python itself handles signals, the system ends the process: shells report that as 130, too.
INTERRUPTED = (130, -signal.SIGINT)
SPEC = """
metrics = ["shd"]
[[data]]
name = "paper"
d = [4, 8]
graph = "ER1"
n = 200
seeds = 4
[[methods]]
name = "SCORE"
[[methods]]
name = "ScoreGP"
"""


def start(*arguments, stderr=subprocess.DEVNULL):
    return subprocess.Popen(
        [sys.executable, "-m", "scoredag", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        env=ENVIRONMENT,
        text=True,
        start_new_session=True,
    )


def interrupt(process):
    """Press Ctrl-C, which a terminal sends to the whole group; how long the prompt takes."""
    begin = time.monotonic()
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=60)
    return time.monotonic() - begin


@pytest.fixture
def large_table(tmp_path):
    X = np.random.default_rng(0).normal(size=(9000, 12))
    X[:, 1:] += np.sin(2 * X[:, :-1])
    path = tmp_path / "large.csv"
    pd.DataFrame(X).add_prefix("x").to_csv(path, index=False)
    return path


def assert_untouched(folder, names):
    for name in names:
        assert (folder / name).read_text() == "old"
    assert not list(folder.glob(".*"))


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize(
    ("method", "options"), [("scoregp", []), ("score", ["--score-estimator", "stein"])]
)
def test_discover_at_any_moment(tmp_path, large_table, method, options):
    outputs = ["graph.gml", "report.html"]
    moments = random.Random(f"discover {method}")
    for _ in range(MOMENTS):
        for name in outputs:
            (tmp_path / name).write_text("old")
        files = [word for name in outputs for word in ("-o", tmp_path / name)]
        with (tmp_path / "stderr").open("w") as stderr:
            process = start("discover", large_table, "-m", method, *options, *files, stderr=stderr)
            time.sleep(moments.uniform(0.6, 6.0))
            assert interrupt(process) < PATIENCE
        assert process.returncode in INTERRUPTED
        assert "Traceback" not in (tmp_path / "stderr").read_text()
        assert_untouched(tmp_path, outputs)


@pytest.fixture(scope="module")
def long_table(tmp_path_factory):
    """600,000 rows, which are read in blocks where the budget is 0.1 GB."""
    x = np.random.default_rng(0).normal(size=600_000)
    frame = pd.DataFrame({f"x{j}": np.sin(j * x) + np.roll(x, j) for j in range(1, 7)})
    path = tmp_path_factory.mktemp("long") / "long.parquet"
    frame.to_parquet(path, row_group_size=131_072)
    return path


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize("options", [("--memory", 0.1), ("--memory", 0.1, "-j", 2)])
def test_discover_on_many_rows(tmp_path, long_table, options):
    with (tmp_path / "stderr").open("w") as stderr:
        process = start("discover", long_table, "-m", "score", *options, stderr=stderr)
        time.sleep(random.Random(f"rows {options}").uniform(2.0, 4.0))
        assert interrupt(process) < PATIENCE
    assert process.returncode in INTERRUPTED
    assert "Traceback" not in (tmp_path / "stderr").read_text()


# Nothing ends the process of a library: Python sees Ctrl-C between two calls of C. The timer asks
# for such a moment as Ctrl-C does, all the time.
WATCHED = """
import signal, sys, time, warnings
import numpy as np
from scoredag import CAM, SCORE, VarSort
warnings.simplefilter("ignore")
longest, last = 0.0, time.process_time()

def moment(number, frame):
    global longest, last
    now = time.process_time()
    longest, last = max(longest, now - last), now

X = np.random.default_rng(0).normal(size=({n}, {d}))
signal.signal(signal.SIGPROF, moment)
signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)
{fit}
signal.setitimer(signal.ITIMER_PROF, 0)
print(longest)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "d", "fit"),
    [
        (800_000, 20, "VarSort().fit(X)"),
        (12_000, 2, "SCORE(score_estimator='stein').fit(X)"),
        (1_000, 1_000, "SCORE(score_estimator='stein', screen='forward').fit(X)"),
        (1_000, 300, "SCORE(score_estimator='local', screen='forward').fit(X)"),
        (2_000, 300, "CAM().fit(X)"),
    ],
)
def test_no_call_of_the_library_takes_long(n, d, fit):
    code = WATCHED.format(n=n, d=d, fit=fit)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True
    )
    assert float(done.stdout) < PROMPT


@pytest.mark.slow
@pytest.mark.slice
@pytest.mark.parametrize("jobs", [1, 2])
def test_bench_at_any_moment(tmp_path, jobs):
    (tmp_path / "spec.toml").write_text(SPEC)
    command = ["bench", tmp_path / "spec.toml", "-o", tmp_path / "out", "-j", jobs]
    moments = random.Random(f"bench {jobs}")
    seen = 0
    for _ in range(MOMENTS):
        with (tmp_path / "stderr").open("w") as stderr:
            process = start(*command, stderr=stderr)
            time.sleep(moments.uniform(0.6, 6.0))
            assert interrupt(process) < PATIENCE
        assert process.returncode in (*INTERRUPTED, 0)  # or all runs were done already
        told = (tmp_path / "stderr").read_text()
        assert "Traceback" not in told
        assert "Internal error" not in told
        journal = tmp_path / "out" / "runs.jsonl"
        if journal.exists():
            content = journal.read_text()
            rows = [json.loads(line) for line in content.splitlines()]
            assert content == "" or content.endswith("\n")
            assert len(rows) >= seen
            seen = len(rows)
    process = start(*command)
    assert process.wait(timeout=300) == 0
    assert len(journal.read_text().splitlines()) == 16  # nothing was made twice


def test_an_import_that_swallows_the_interrupt(tmp_path):
    code = (
        "import signal, sys, time\n"
        "from scoredag.cli.interrupts import end_promptly\n"
        "end_promptly()\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    try:\n"
        "        time.sleep(60)\n"
        "    except BaseException:\n"
        "        pass\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)  # until it is in its loop
        assert interrupt(process) < PATIENCE
        assert process.returncode == 130
    finally:
        process.kill()
        process.communicate()


def limited(arguments, most_bytes, cwd=None):
    """Run the command where no file can have more than some bytes, as on a disk that is full."""
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, {most_bytes}))\n"
        "from scoredag.cli import run\n"
        "run()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        cwd=cwd,
    )


@pytest.mark.parametrize("name", ["graph.gml", "graph.csv", "graph.json", "graph.dot", "page.html"])
def test_a_result_that_does_not_fit_on_the_disk(table, tmp_path, name):
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / name).write_text("old")
    done = limited(["discover", table, "-m", "varsort", "-o", folder / name], most_bytes=40)
    assert done.returncode == 2, done.stderr
    assert f"{name} cannot be written: File too large." in done.stderr
    assert "Traceback" not in done.stderr
    assert "Causal order" in done.stdout  # the work is not lost
    assert_untouched(folder, [name])
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("name", ["data.csv", "data.parquet", "data.feather"])
def test_simulated_data_that_do_not_fit_on_the_disk(tmp_path, name):
    (tmp_path / name).write_text("old")
    done = limited(["simulate", tmp_path / name, "-d", 5], most_bytes=500)
    assert done.returncode == 2, done.stderr
    assert f"{name} cannot be written" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert_untouched(tmp_path, [name])


def test_a_folder_that_vanishes(run, table, tmp_path, monkeypatch):
    folder = tmp_path / "results"
    folder.mkdir()
    fit = VarSort.fit

    def fit_and_remove(self, X, y=None):
        folder.rmdir()
        return fit(self, X, y)

    monkeypatch.setattr(VarSort, "fit", fit_and_remove)
    result = run("discover", table, "-m", "varsort", "-o", folder / "graph.gml")
    assert result.exit_code == 2
    assert "graph.gml cannot be written" in result.stderr
    assert "Causal order" in result.stdout
    assert not folder.exists()
