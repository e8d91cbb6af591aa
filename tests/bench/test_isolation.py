"""Runs in processes of their own: what one does spoils its own row only."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from scoredag.bench.isolation import Isolation, interrupts_wait
from scoredag.bench.spec import Run
from tests.bench.misbehaviour import misbehave


def run_that_does(what, timeout=60.0, **options):
    return Run("paper", options, 0, what, "SCORE", {}, timeout, ())


@pytest.fixture
def isolation():
    with Isolation(misbehave) as isolation:
        yield isolation


def test_a_row_comes_back_and_nothing_is_printed(isolation, capfd):
    row = isolation.row_of(run_that_does("fine"))
    assert row["status"] == "done"
    assert row["wall_seconds"] > 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("what", ["hang", "ignore_signals"])
def test_a_run_that_hangs_is_stopped(isolation, what):
    start = time.monotonic()
    row = isolation.row_of(run_that_does(what, timeout=1.0))
    assert (row["status"], row["reason"]) == ("timeout", "no result after 1 s")
    assert time.monotonic() - start < 30
    assert isolation.row_of(run_that_does("fine"))["status"] == "done"


def test_what_it_started_is_stopped_too(isolation, tmp_path):
    pid_file = tmp_path / "pid"
    run = run_that_does("hang_in_a_child", pid_file=str(pid_file))
    thread = threading.Thread(target=isolation.row_of, args=(run,))
    thread.start()
    started = _wait_for(lambda: pid_file.exists() and pid_file.read_text(), seconds=30)
    isolation.__exit__()
    thread.join(30)
    assert not thread.is_alive()
    assert _wait_for(lambda: not _is_alive(int(started)), seconds=10)


def test_temporary_files_of_a_killed_run_are_removed(isolation, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    row = isolation.row_of(run_that_does("litter", timeout=1.0, seen=str(tmp_path / "seen")))
    assert row["status"] == "timeout"
    assert (tmp_path / "seen").read_text().startswith(str(tmp_path / "tmp"))
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("crash", "the process ended by signal SIGSEGV: out of memory, or a crash in a library"),
        ("leave", "the process ended with exit code 3 and without a result"),
    ],
)
def test_a_crash_is_an_error_with_its_reason(isolation, what, reason):
    row = isolation.row_of(run_that_does(what))
    assert (row["status"], row["reason"]) == ("error", reason)


def test_nothing_starts_after_the_end(isolation):
    isolation.__exit__()
    assert isolation.row_of(run_that_does("fine")) is None


def test_what_is_running_can_be_seen(isolation):
    run = run_that_does("hang", timeout=3.0)
    thread = threading.Thread(target=isolation.row_of, args=(run,))
    thread.start()
    assert _wait_for(lambda: isolation.running == [run], seconds=3)
    thread.join(30)
    assert isolation.running == []


def _wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    return None


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def test_an_interrupt_waits_for_a_process_to_be_started():
    done = []

    def start():
        with interrupts_wait():
            signal.raise_signal(signal.SIGINT)
            done.append("started")
        done.append("not reached")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert done == ["started"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_does_not_wait_for_long(times):
    """Not for a first process, which waits for the server's imports, and a second not at all."""

    def start():
        with interrupts_wait():
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            time.sleep(30)

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        start()
    assert time.monotonic() - begin < 10
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_folders_of_killed_processes_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    kept = [f"scoredag-run-{os.getpid()}-a", "scoredag-run-b", "scoredag-run-x-y"]
    for name in [*kept, f"scoredag-run-{dead.pid}-c"]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("")
    with Isolation(misbehave):
        assert sorted(path.name for path in tmp_path.glob("scoredag-run-*")) == sorted(kept)


def test_other_threads_leave_interrupts_alone():
    before, seen = signal.getsignal(signal.SIGINT), []

    def start():
        with interrupts_wait():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert seen == [before]
