"""Independent jobs by joblib, wherever its user has sent them: threads unless told otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from joblib import Parallel


def results_of(jobs: Iterable[Any], n_jobs: int | None = None) -> Iterator[Any]:
    """Run jobs and yield their results in order, each as soon as it is there.

    ``joblib.parallel_config(backend=...)`` moves the jobs to processes or to a cluster. So they
    must change nothing but return what they find; work that changes something needs
    ``Parallel(require="sharedmem")``, which stays in this process.

    Parameters
    ----------
    jobs : iterable
        Of ``joblib.delayed`` calls.
    n_jobs : int, optional
        As in joblib.

    Examples
    --------
    >>> from joblib import delayed
    >>> list(results_of(delayed(abs)(k) for k in (-1, 2)))
    [1, 2]
    """
    try:
        run = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    except ValueError:  # this backend gives all results at once
        run = Parallel(n_jobs=n_jobs, prefer="threads")
    yield from run(jobs)
