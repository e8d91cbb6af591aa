"""Peak memory of a piece of work."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

_KIB = 1024
# What getrusage counts in: bytes on macOS, kibibytes elsewhere.
_USAGE_UNIT = 1 if sys.platform == "darwin" else _KIB


@contextmanager
def watched_memory() -> Iterator[dict[str, float | None]]:
    """Measure how much memory a block needs on top of what the process has.

    Yields
    ------
    dict
        Gets ``peak_mb`` at the end: the larger of this process's increase and of the whole size
        of a child that was larger than any before; None where the system does not tell.

    Notes
    -----
    On Linux the high-water mark is reset first. Elsewhere an earlier peak hides a later, smaller
    one, so that the figure is a lower bound.

    Examples
    --------
    >>> with watched_memory() as memory:
    ...     block = bytearray(50 * 2**20)
    >>> memory["peak_mb"] > 0
    True
    """
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    figures: dict[str, float | None] = {"peak_mb": None}
    if resource is None:
        yield figures
        return
    before, children_before = _high_water(), _largest_child()
    yield figures
    children = _largest_child()
    new_child = children if children > children_before else 0.0
    figures["peak_mb"] = max(_high_water() - before, new_child) / 2**20


def _high_water() -> float:
    """Largest resident size since the last reset, in bytes."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return float(line.split()[1]) * _KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _USAGE_UNIT


def _largest_child() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _USAGE_UNIT
