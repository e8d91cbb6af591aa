"""Runs in processes of their own: whatever one does, its row is all that it can spoil.

Processes are forked from a server that has imported the library once, so a run starts in
hundredths of a second. They lead a process group, which ends with its time, with an interrupt,
and with the death of the process that started it. Each has a folder for temporary files, which is
removed however it ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import platform
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection, process
from pathlib import Path
from types import FrameType

from scoredag.bench.journal import Row
from scoredag.bench.spec import Run
from scoredag.bench.work import failed
from scoredag.exceptions import DataError

# Temporary folders of runs, with the number of the process that removes them.
_PREFIX = "scoredag-run-"
# Seconds that an interrupt waits for a process to be started, which takes long only for the first.
_PATIENCE = 0.5
_CRASHES = ("SIGKILL", "SIGSEGV", "SIGABRT", "SIGBUS")
# What runs need of the system, beside forks from a server: Windows has none of it.
_NEEDED = ((os, "setsid"), (os, "killpg"), (signal, "pthread_sigmask"), (signal, "SIGKILL"))


class NoIsolation(DataError):
    """The system cannot run a benchmark; what is there can be read, and shown as tables."""


def check_isolation() -> None:
    """Raise `NoIsolation` if runs cannot have processes of their own that end when told to."""
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    if not forks or not all(hasattr(module, name) for module, name in _NEEDED):
        raise NoIsolation(
            f"runs need process groups and forks, which this system ({platform.system()}) lacks: "
            "run the benchmark on Linux or macOS, or in a container. Rows that are there can be "
            "shown."
        )


class Isolation:
    """Starts runs, and ends those that are still going; `work` makes a row in the new process."""

    def __init__(self, work: Callable[[Run], Row]) -> None:
        check_isolation()
        self._work = work
        self._context = multiprocessing.get_context("forkserver")
        self._lock = threading.Lock()
        self._going: dict[str, tuple[Run, process.BaseProcess]] = {}
        self._ended = False

    def __enter__(self) -> Isolation:
        _remove_leftovers()
        self._context.set_forkserver_preload(["scoredag.bench.work", "scoredag.bench.preload"])
        from multiprocessing import forkserver, resource_tracker  # not everywhere

        # The server starts the tracker, which unblocks the signal: so the tracker comes first.
        resource_tracker.ensure_running()
        # The server must not see an interrupt that is meant for us: it ends with us.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End what is going on, and start nothing more."""
        with self._lock:
            self._ended = True
            for _run, worker in self._going.values():
                _kill_group(worker)

    @property
    def running(self) -> list[Run]:
        """What is going on now."""
        with self._lock:
            return [run for run, _ in self._going.values()]

    def row_of(self, run: Run) -> Row | None:
        """Make a run in a process of its own; None if all were told to end."""
        receiver, sender = self._context.Pipe(duplex=False)
        with tempfile.TemporaryDirectory(
            prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True
        ) as scratch:
            worker = self._context.Process(
                target=_work, args=(self._work, run, sender, {**os.environ, "TMPDIR": scratch})
            )
            with self._lock:
                if self._ended:
                    return None
                # A process that is told half of what it needs would print a traceback.
                with interrupts_wait():
                    worker.start()
                    self._going[run.key] = run, worker
            sender.close()
            start = time.perf_counter()
            try:
                row: Row | None = failed(run, "timeout", f"no result after {run.timeout:g} s")
                if receiver.poll(run.timeout):
                    row = None
                    with contextlib.suppress(EOFError):  # the process ended without a row
                        row = receiver.recv()
            finally:
                _kill_group(worker)
                worker.join()
                with self._lock:
                    del self._going[run.key]
                    ended = self._ended
        if row is None and ended:
            return None
        if row is None:
            row = failed(run, "error", f"the process ended {_ending(worker.exitcode)}")
        return row | {"wall_seconds": time.perf_counter() - start}


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Keep an interrupt waiting for a moment; other threads than the main one never see any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = threading.Event()
    again = threading.Timer(_PATIENCE, os.kill, (os.getpid(), signal.SIGINT))
    again.daemon = True

    def wait(number: int, frame: FrameType | None) -> None:
        if came.is_set() and callable(before):  # the second one, or the moment is over
            before(number, frame)
        elif not came.is_set():
            came.set()
            again.start()

    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        again.cancel()
        signal.signal(signal.SIGINT, before)
        # Also where the start has failed, which may be the work of the same interrupt.
        if came.is_set() and not isinstance(sys.exception(), KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def _remove_leftovers() -> None:
    """Remove temporary folders of runs whose process was killed before it could do so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with contextlib.suppress(OSError, OverflowError, ValueError):  # somebody else's
            try:
                os.kill(int(owner), 0)
            except ProcessLookupError:
                shutil.rmtree(folder, ignore_errors=True)


def _work(
    work: Callable[[Run], Row],
    run: Run,
    sender: connection.Connection,
    environment: dict[str, str],
) -> None:
    os.setsid()
    # The server that we are forked from may be older than the environment.
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # read from the environment again
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # What methods print goes nowhere: the terminal belongs to the progress bar.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sender.send(work(run))
    sender.close()


def _end_with_parent() -> None:
    parent = process.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)  # nobody else is left to do it
    os.killpg(0, signal.SIGKILL)


def _kill_group(worker: process.BaseProcess) -> None:
    """Kill a process and all that it started; one that has no group yet dies alone."""
    if worker.pid is None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGKILL)


def _ending(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name
        cause = ": out of memory, or a crash in a library" if name in _CRASHES else ""
        return f"by signal {name}{cause}"
    return f"with exit code {exit_code} and without a result"
