"""How much memory there is, and from which size on a table is read in blocks."""

from __future__ import annotations

import os

from scoredag.data.wording import counted

# Of the memory budget: an analysis in memory holds a table about three times.
TABLE_SHARE = 0.25
# The budget where the system does not say how much memory it has.
USUAL_MEMORY = 8 * 2**30


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
    doses.parquet takes 7,629 megabytes in memory, more than a quarter of the budget of 16 GB: it \
is read in blocks.
    """
    if nbytes <= TABLE_SHARE * budget:
        return None
    return (
        f"{label} takes {counted(round(nbytes / 2**20), 'megabyte')} in memory, more than a "
        f"quarter of the budget of {budget / 2**30:.3g} GB: it is read in blocks."
    )
