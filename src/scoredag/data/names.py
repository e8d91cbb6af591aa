"""Names of columns: every column has one, and no two have the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

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
    blank = [str(place) for place, label in enumerate(labels, start=1) if _is_blank(label)]
    if not blank:
        return None
    return (
        f"columns without a name: {listing(blank)}, counted from 1. Name them, or leave them out."
    )


def _is_blank(label: Hashable) -> bool:
    missing = label is None or label != label  # NaN differs from itself
    return missing or (isinstance(label, str) and not label.strip())
