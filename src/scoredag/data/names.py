"""Names of columns: every column has one, and no two have the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from scoredag.data.arrays import is_missing
from scoredag.data.wording import listing, quoted


def about_repeated_names(names: Sequence[str], kept: Sequence[str] | None = None) -> str | None:
    """Describe the names that two columns share, of all columns or of those that are kept.

    Examples
    --------
    >>> about_repeated_names(("dose", "age", "dose"))
    "repeated column names: 'dose' (columns 1 and 3). Rename them."
    """
    places: dict[str, list[str]] = {}
    for position, name in enumerate(names, start=1):
        places.setdefault(name, []).append(str(position))
    repeated = [
        f"{quoted(name)} (columns {listing(where)})"
        for name, where in places.items()
        if len(where) > 1 and (kept is None or name in kept)
    ]
    return f"repeated column names: {listing(repeated)}. Rename them." if repeated else None


def about_missing_names(labels: Sequence[Hashable]) -> str | None:
    """Describe the columns of a data frame whose label is blank, None or NaN.

    Examples
    --------
    >>> about_missing_names(["dose", " ", None])
    'columns without a name: 2 and 3, counted from 1. Name them, or leave them out.'
    """
    blank = [
        str(place)
        for place, label in enumerate(labels, start=1)
        if is_missing(label) or (isinstance(label, str) and not label.strip())
    ]
    if not blank:
        return None
    return (
        f"columns without a name: {listing(blank)}, counted from 1. Name them, or leave them out."
    )


def about_equal_labels(labels: Sequence[Hashable]) -> str | None:
    """Describe labels that Python takes for one, although they look different.

    Examples
    --------
    >>> about_equal_labels([True, 1, "b"])
    'column labels that are equal: True and 1. Rename one of them.'
    """
    first: dict[Hashable, Hashable] = {}
    for label in labels:
        other = first.setdefault(label, label)
        if str(other) != str(label):
            return f"column labels that are equal: {other!r} and {label!r}. Rename one of them."
    return None
