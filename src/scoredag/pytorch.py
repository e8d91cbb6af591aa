"""PyTorch, which is optional: imported only where something is trained, and on one thread."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_threads_before: list[int] = []  # one entry for each block that is being run


def require_torch(who: str) -> None:
    """Import PyTorch, or say how to install it.

    Parameters
    ----------
    who : str
        What needs it, the subject of the message.

    Raises
    ------
    ImportError
        If it is not installed.

    Examples
    --------
    >>> require_torch("GraNDAG")
    """
    try:
        importlib.import_module("torch")
    except ImportError as error:
        raise ImportError(
            f"{who} trains neural networks with PyTorch, which is not installed: "
            "pip install 'scoredag[torch]'"
        ) from error


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Limit PyTorch to one thread until the last of all overlapping blocks ends.

    The tensors are so small that more threads only cost time, and sums in another order would
    make the result depend on the machine.

    Examples
    --------
    >>> import torch
    >>> with one_torch_thread():
    ...     torch.get_num_threads()
    1
    """
    import torch

    with _lock:
        _threads_before.append(torch.get_num_threads())
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _lock:
            if len(_threads_before) == 1:
                torch.set_num_threads(_threads_before[0])
            # A block that began within another found the limit, not what to restore.
            _threads_before.pop()
