"""Which columns to keep: names as given, or comma-separated lists of them."""

from __future__ import annotations

from collections.abc import Sequence

from scoredag.data.wording import close_match, name_list, quoted
from scoredag.exceptions import DataError


def choose(
    columns: Sequence[str],
    select: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> list[int]:
    """Positions of the columns to analyse.

    Parameters
    ----------
    columns : sequence of str
        All names, in the file's order.
    select : sequence of str, optional
        Names to keep, in the order wanted; all columns by default. An item that is no column
        name itself is taken as a comma-separated list of names.
    drop : sequence of str, optional
        Names to leave out, written as in ``select``.

    Returns
    -------
    list of int
        Positions in ``columns``. A name that occurs twice brings both of its columns.

    Raises
    ------
    DataError
        For a name that is not there (with a guess at the one that was meant), or if no column
        is left.

    Examples
    --------
    >>> choose(["Raf", "Mek", "Erk"], select=["Erk,Raf"])
    [2, 0]
    >>> choose(["Raf", "Mek", "Erk"], drop=["mek"])
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: drop: there is no column 'mek'; did you mean 'Mek'?
    """
    kept = list(range(len(columns)))
    if select:
        rank = {name: k for k, name in enumerate(_resolve(select, columns, "select"))}
        kept = sorted((k for k in kept if columns[k] in rank), key=lambda k: rank[columns[k]])
    unwanted = set(_resolve(drop or (), columns, "drop"))
    kept = [k for k in kept if columns[k] not in unwanted]
    if not kept:
        raise DataError("no column is left to analyse: check select= and drop=.")
    return kept


def _resolve(items: Sequence[str], columns: Sequence[str], argument: str) -> list[str]:
    """Expand comma-separated lists, leaving names that hold a comma themselves whole."""
    names = [name for item in items for name in ([item] if item in columns else item.split(","))]
    stripped = [name if name in columns else name.strip() for name in names]
    for name in stripped:
        if name not in columns:
            raise DataError(
                f"{argument}: there is no column {quoted(name)}; {_way_out(name, columns)}"
            )
    return list(dict.fromkeys(stripped))


def _way_out(name: str, columns: Sequence[str]) -> str:
    guess = close_match(name, columns)
    if guess is not None:
        return f"did you mean {quoted(guess)}?"
    return f"the columns are {name_list(columns, limit=10)}."
