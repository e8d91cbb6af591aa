"""A cluster of Dask, where one is active: tasks that read and sum up parts of a table.

Nothing is configured here: who makes a ``dask.distributed.Client`` has a cluster, and Dask is not
imported otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from scoredag.jobs import inside_dask_task
from scoredag.threads import one_blas_thread

Term = TypeVar("Term")
# A function, and what Dask replaces by its value before the function is called with it.
Job = tuple[Callable[..., Any], Any]


class Cluster(NamedTuple):
    """The workers behind a ``dask.distributed.Client``."""

    client: Any

    def results(self, jobs: Iterable[Job]) -> list[Any]:
        """Run functions of one argument, each as a task; the results in order."""
        from dask.delayed import delayed

        tasks = [delayed(_alone, pure=False)(function, source) for function, source in jobs]
        return self._computed(delayed(list, pure=False)(tasks))

    def combined(
        self,
        shared: Any,
        jobs: Iterable[Job],
        combine: Callable[[Any, list[Term]], Term],
        in_tree: Callable[[Iterable[Any], Callable[[Iterable[Any]], Any]], Any],
    ) -> Any:
        """Run a task for each job and combine the results in a tree of tasks.

        Parameters
        ----------
        shared : object
            First argument of all functions. It is a result of its own, which a worker gets once: it
            can be large.
        jobs : iterable of (function, source)
            ``function(shared, source)`` gives a term.
        combine : callable
            ``combine(shared, terms)``, of a few terms.
        in_tree : callable
            The tree: from terms, here promises of terms, and a function that combines a few.
        """
        from dask.delayed import delayed

        common = delayed(_itself, pure=False)(_Opaque(shared))
        terms = [delayed(_alone, pure=False)(function, common, source) for function, source in jobs]

        def group(members: Iterable[Any]) -> Any:
            return delayed(_alone, pure=False)(combine, common, list(members))

        return self._computed(in_tree(terms, group))

    def _computed(self, promise: Any) -> Any:
        future = self.client.compute(promise, optimize_graph=False)
        try:
            return future.result()
        except BaseException:  # an interrupt, too: what nobody waits for should not run
            future.cancel()
            raise


class _Opaque:
    """Keeps Dask from looking for promises inside a value, as it does in tuples."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _itself(opaque: _Opaque) -> Any:
    return opaque.value


def _alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """One BLAS thread a task: as many bits as in threads, and no more threads than cores."""
    with one_blas_thread():
        return function(*arguments)


def active_cluster() -> Cluster | None:
    """The cluster whose client is active; None without one, and in its own tasks.

    A task that waited for further tasks would keep its worker from running them.

    Examples
    --------
    >>> active_cluster() is None
    True
    """
    if "distributed" not in sys.modules or inside_dask_task():
        return None
    from distributed import Client

    try:
        client = Client.current()
    except ValueError:  # there is no client
        return None
    return None if client.asynchronous else Cluster(client)
