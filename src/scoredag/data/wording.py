"""How messages name columns and count things, so that all of them read alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

# From positions of rows to how the user finds them, such as "lines 4 and 9".
Where = Callable[[Sequence[int]], str]

LONGEST_NAME = 40


def quoted(name: str) -> str:
    r"""Show a name from a file in a message: quoted, shortened, control characters spelled out.

    Examples
    --------
    >>> print(quoted("dose\n"), quoted("x" * 60))
    'dose\n' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return repr(short)


def listing(items: Sequence[str], limit: int = 5) -> str:
    """Join the first few items and count the rest.

    Examples
    --------
    >>> listing(["'a'", "'b'", "'c'"], limit=2)
    "'a', 'b' and 1 more"
    """
    if len(items) > limit:
        return f"{', '.join(items[:limit])} and {len(items) - limit:,} more"
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def name_list(names: Iterable[str], limit: int = 5) -> str:
    """Quote names and list the first few.

    Examples
    --------
    >>> name_list(["Raf", "Mek"])
    "'Raf' and 'Mek'"
    """
    return listing([quoted(name) for name in names], limit)


def edge_list(edges: NDArray[np.bool_], names: Sequence[str]) -> str:
    """List the first few edges, i -> j for each True at [i, j].

    Examples
    --------
    >>> edge_list(np.array([[False, True], [False, False]]), ["Raf", "Mek"])
    "'Raf' → 'Mek'"
    """
    return listing([f"{quoted(names[i])} → {quoted(names[j])}" for i, j in np.argwhere(edges)])


def counted(number: int, noun: str) -> str:
    """Put a number before a noun, with its plural.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def close_match(wanted: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that was probably meant, capitals aside.

    ``likeness`` is the share of characters that must agree.

    Examples
    --------
    >>> close_match("raf", ["Raf", "Mek"])
    'Raf'
    """
    spelled = {name.casefold(): name for name in known}
    found = get_close_matches(wanted.casefold(), spelled, n=1, cutoff=likeness)
    return spelled[found[0]] if found else None
