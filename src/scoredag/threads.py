"""Settings of the process for small matrices in threads, also where blocks of them overlap."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from threadpoolctl import ThreadpoolController

# Seconds after which a thread that waits for the interpreter's lock is given it. A fit to 400 rows
# returns from LAPACK, and needs the lock, some thousand times a second: with the 5 ms of Python two
# threads take 5 to 8% longer.
TURN = 1e-4


class _WhileAnyRuns:
    """A setting that belongs to the process, changed until the last of all overlapping blocks ends.

    If every block restored the setting that it found, a block that began within another one would
    restore the changed one, permanently.
    """

    def __init__(self, change: Callable[[], Callable[[], Any]]) -> None:
        self._change = change  # returns a function that restores the setting
        self._lock, self._running = threading.Lock(), 0
        self._restore: Callable[[], Any] = bool

    @contextmanager
    def block(self) -> Iterator[None]:
        with self._lock:
            if not self._running:
                self._restore = self._change()
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._restore()


def _limit_blas() -> Callable[[], Any]:
    return _libraries().limit(limits=1, user_api="blas").restore_original_limits


def _shorten_turns() -> Callable[[], Any]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, TURN))
    return partial(sys.setswitchinterval, before)


_one_blas_thread, _short_turns = _WhileAnyRuns(_limit_blas), _WhileAnyRuns(_shorten_turns)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread until the last of all overlapping blocks ends.

    Examples
    --------
    >>> with one_blas_thread():
    ...     pass
    """
    with _one_blas_thread.block():
        yield


@contextmanager
def short_turns() -> Iterator[None]:
    """Let threads take short turns with the interpreter's lock, until the last such block ends.

    Where threads spend their time in many short calls that release the lock.

    Examples
    --------
    >>> with short_turns():
    ...     sys.getswitchinterval() <= TURN
    True
    """
    with _short_turns.block():
        yield


@cache
def _libraries() -> ThreadpoolController:
    """Handle on the BLAS libraries; looking them up takes longer than pruning a small table."""
    return ThreadpoolController()
