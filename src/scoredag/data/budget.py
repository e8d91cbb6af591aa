"""How much memory an analysis may take, and from which size on a table is read in blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scoredag.exceptions import DataError

# Of the memory budget: an analysis in memory holds a table about three times.
TABLE_SHARE = 0.25
# The budget where the system does not say how much memory it has.
USUAL_MEMORY = 8 * 2**30

# No machine has less: what fits into it is never refused.
LEAST_BUDGET = 2**28

_budget: ContextVar[int | None] = ContextVar("scoredag.memory_budget", default=None)


def machine_memory() -> int:
    """Bytes of memory of this machine.

    Examples
    --------
    >>> machine_memory() > 2**20
    True
    """
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return USUAL_MEMORY


def current_budget() -> int:
    """Bytes that an analysis may take: those of `memory_budget`, or else the machine's memory."""
    return max(_chosen_budget(), LEAST_BUDGET)


def _chosen_budget() -> int:
    chosen = _budget.get()
    return machine_memory() if chosen is None else chosen


def worded_budget() -> str:
    """Put the budget into words, as it was chosen, and what is allowed where that is less.

    Examples
    --------
    >>> with memory_budget(2**30):
    ...     worded_budget()
    '1.0 GB'
    >>> with memory_budget(10**8):
    ...     worded_budget()
    '95 MB (what takes up to 256 MB is never refused)'
    """
    chosen = _chosen_budget()
    if chosen >= LEAST_BUDGET:
        return worded_bytes(chosen)
    allowed = worded_bytes(LEAST_BUDGET)
    return f"{worded_bytes(chosen)} (what takes up to {allowed} is never refused)"


@contextmanager
def memory_budget(nbytes: int) -> Iterator[None]:
    """Let analyses in this context take so much memory; what is estimated to take more is refused.

    Parameters
    ----------
    nbytes : int
        More than the machine has, on a machine that swaps, or less, on one that is shared.

    Examples
    --------
    >>> with memory_budget(2**30):
    ...     current_budget()
    1073741824
    """
    token = _budget.set(nbytes)
    try:
        yield
    finally:
        _budget.reset(token)


def refuse_beyond_budget(need: float, what: str, remedy: str) -> None:
    """Raise `DataError` for what takes more memory than there may be.

    Parameters
    ----------
    need : float
        Bytes, as estimated.
    what : str
        What takes them, as the beginning of the sentence.
    remedy : str
        What would fit, as a sentence.

    Examples
    --------
    >>> with memory_budget(2 * 10**9):
    ...     refuse_beyond_budget(5e9, "The kernel matrix of 25,000 rows", "Use fewer rows.")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: The kernel matrix of 25,000 rows takes about 4.7 GB of memory, \
and the budget is 1.9 GB. Use fewer rows.
    """
    if need > current_budget():
        raise DataError(
            f"{what} takes about {worded_bytes(need)} of memory, and the budget is "
            f"{worded_budget()}. {remedy}"
        )


def worded_bytes(nbytes: float) -> str:
    """Put a size into words; as on the command line, a GB is 1024^3 bytes.

    Examples
    --------
    >>> worded_bytes(6.4e11), worded_bytes(2.35e9), worded_bytes(3e8), worded_bytes(2e13)
    ('596 GB', '2.2 GB', '286 MB', '18 TB')
    >>> worded_bytes(20_000)
    '20 kB'
    """
    for unit, size in (("TB", 2**40), ("GB", 2**30)):
        if nbytes >= size:
            number = nbytes / size
            return f"{number:,.1f} {unit}" if number < 9.95 else f"{number:,.0f} {unit}"
    if nbytes < 2**20:
        return f"{max(nbytes / 2**10, 1):,.0f} kB"
    return f"{nbytes / 2**20:,.0f} MB"


def about_blocks(nbytes: int, budget: int, label: str) -> str | None:
    """Say that a table is read in blocks; None if it can be loaded.

    Parameters
    ----------
    nbytes : int
        What the table takes in memory.
    budget : int
        Bytes of memory that the analysis may take.
    label : str
        What messages call the table.

    Examples
    --------
    >>> about_blocks(10**6, 10**9, "doses.parquet")
    >>> print(about_blocks(8 * 10**9, 16 * 2**30, "doses.parquet"))
    doses.parquet takes 7.5 GB in memory, more than a quarter of the budget of 16 GB: it is read \
in blocks.
    """
    if nbytes <= TABLE_SHARE * budget:
        return None
    return (
        f"{label} takes {worded_bytes(nbytes)} in memory, more than a quarter of the budget of "
        f"{worded_bytes(budget)}: it is read in blocks."
    )
