"""Two lists of tiers as one."""

from __future__ import annotations

from itertools import pairwise

from scoredag.exceptions import KnowledgeError
from scoredag.knowledge.parsing import Column

Tiers = tuple[tuple[Column, ...], ...]


def joint_tiers(first: Tiers, second: Tiers, edges_within: bool) -> Tiers:
    """Return the one of two lists of tiers that says all that both say; refuse if neither does.

    Parameters
    ----------
    first, second : tuple of tuples
        Groups of columns, the earliest first.
    edges_within : bool
        Whether edges within a tier are allowed. If not, the groups themselves say something.

    Examples
    --------
    >>> joint_tiers((("a",), ("c",)), (("a",), ("b",), ("c",)), edges_within=True)
    (('a',), ('b',), ('c',))
    """
    for larger, smaller in ((first, second), (second, first)):
        if _says_all(larger, smaller, edges_within):
            return larger
    raise KnowledgeError(
        "both sides of | have tiers, and neither list says all that the other one says, so that "
        "their common order is not known: write one list of tiers"
    )


def _says_all(larger: Tiers, smaller: Tiers, edges_within: bool) -> bool:
    place = {column: k for k, group in enumerate(larger) for column in group}
    if not all(column in place for group in smaller for column in group):
        return False
    places = [{place[column] for column in group} for group in smaller if group]
    in_order = all(max(a) < min(b) for a, b in pairwise(places))
    return in_order and (edges_within or all(len(group) == 1 for group in places))
