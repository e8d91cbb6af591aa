"""Independent jobs by joblib, wherever its user has sent them: threads unless told otherwise."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from joblib import Parallel, cpu_count, effective_n_jobs

from scoredag.threads import short_turns

_of_thread = threading.local()


class Stopped(Exception):
    """An interrupt has ended the work of which this task was a part."""


def stop_if_interrupted() -> None:
    """Raise `Stopped` in a task of `run_here` whose caller has been interrupted.

    Tasks that take more than a second call this function now and then.

    Examples
    --------
    >>> stop_if_interrupted()
    """
    stop = getattr(_of_thread, "stop", None)
    if stop is not None and stop.is_set():
        raise Stopped


def results_of(
    jobs: Iterable[Any], n_jobs: int | None = None, *, in_this_process: bool = False
) -> Iterator[Any]:
    """Run jobs and yield their results in order, each as soon as it is there.

    ``joblib.parallel_config(backend=...)`` moves the jobs to processes or to a cluster. So they
    must change nothing and only return what they find, unless they stay here.

    Parameters
    ----------
    jobs : iterable
        Of ``joblib.delayed`` calls.
    n_jobs : int, optional
        As in joblib.
    in_this_process : bool, default=False
        Whether the jobs stay in this process, whatever joblib is told: jobs that change something,
        or that take what is here.

    Examples
    --------
    >>> from joblib import delayed
    >>> list(results_of(delayed(abs)(k) for k in (-1, 2)))
    [1, 2]
    """
    hint: dict[str, Any] = {"require": "sharedmem"} if in_this_process else {"prefer": "threads"}
    if inside_dask_task():
        # joblib would make tasks of these jobs, too, which wait behind those that wait for them.
        hint, n_jobs = {"backend": "threading"}, 1 if n_jobs is None else n_jobs
    try:
        run = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator", **hint)
    except ValueError:  # this backend gives all results at once
        run = Parallel(n_jobs=n_jobs, batch_size=1, **hint)
    with short_turns():
        yield from run(jobs)


def inside_dask_task() -> bool:
    """Whether this is a task on a worker of Dask, whose cores other tasks use.

    Examples
    --------
    >>> inside_dask_task()
    False
    """
    if "distributed" not in sys.modules:
        return False
    from distributed import get_worker

    try:
        get_worker()
    except ValueError:
        return False
    return True


def run_here(
    tasks: Iterable[Callable[[], None]],
    n_jobs: int | None = None,
    report: Callable[[int], None] | None = None,
) -> None:
    """Run tasks that change what is here, such as a cache of fits, in threads of this process.

    joblib waits up to 10 ms for a result, as long as a small task takes, so that plain threads
    are used; how many is read as joblib reads it, `joblib.parallel_config` included.

    Parameters
    ----------
    tasks : iterable of callable
        No two of them may change the same thing. An error in one is raised after those that
        have begun.
    n_jobs : int, optional
        As in joblib.
    report : callable, optional
        Called with the number of tasks done.

    Examples
    --------
    >>> from functools import partial
    >>> found = {}
    >>> run_here((partial(found.update, {k: k**2}) for k in range(3)), n_jobs=2)
    >>> sorted(found.items())
    [(0, 0), (1, 1), (2, 4)]
    """
    waiting = list(tasks)
    n_jobs = 1 if n_jobs is None and inside_dask_task() else n_jobs
    threads = min(effective_n_jobs(n_jobs), cpu_count(), len(waiting))
    if threads < 2:
        for done, task in enumerate(waiting, start=1):
            task()
            if report is not None:
                report(done)
        return
    stop = threading.Event()

    def run(task: Callable[[], None]) -> None:
        _of_thread.stop = stop
        task()

    with short_turns(), ThreadPoolExecutor(threads) as pool:
        try:
            for done, _ in enumerate(pool.map(run, waiting), start=1):
                if report is not None:
                    report(done)
        except BaseException:  # an interrupt, too
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
