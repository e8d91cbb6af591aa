"""One BLAS thread for work on small matrices, also where several Python threads overlap."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_limits: list[Any] = []  # one entry for each block that is being run; the first holds the limit


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread until the last of all overlapping blocks ends.

    The limit belongs to the process: if every block restored the limit that it found, a block that
    began within another one would restore one thread, permanently.

    Examples
    --------
    >>> with one_blas_thread():
    ...     pass
    """
    with _lock:
        _limits.append(None if _limits else _libraries().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            if len(_limits) == 1:
                _limits[0].restore_original_limits()
            _limits.pop()


@cache
def _libraries() -> ThreadpoolController:
    """Handle on the BLAS libraries; looking them up takes longer than pruning a small table."""
    return ThreadpoolController()
