"""Independent jobs by joblib, wherever its user has sent them: threads unless told otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from joblib import Parallel


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
    hint = {"require": "sharedmem"} if in_this_process else {"prefer": "threads"}
    try:
        run = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator", **hint)
    except ValueError:  # this backend gives all results at once
        run = Parallel(n_jobs=n_jobs, batch_size=1, **hint)
    yield from run(jobs)
