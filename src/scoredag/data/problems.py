"""Everything that is wrong with a table, in one error instead of one refusal after the other."""

from __future__ import annotations

from collections.abc import Iterable

from scoredag.data.wording import counted
from scoredag.exceptions import DataError


def refuse(problems: Iterable[str | None], label: str | None = None) -> None:
    """Raise one `DataError` that lists all problems that were found.

    Parameters
    ----------
    problems : iterable of str or None
        A description each; None stands for a check that found nothing.
    label : str, optional
        What the table is called, such as the name of its file.

    Examples
    --------
    >>> refuse([None, None])
    >>> refuse(["one column is empty.", None, "there are 3 rows."], "doses.csv")
    Traceback (most recent call last):
        ...
    scoredag.exceptions.DataError: doses.csv: 2 problems:
    - one column is empty.
    - there are 3 rows.
    """
    found = [problem for problem in problems if problem]
    if not found:
        return
    prefix = "" if label is None else f"{label}: "
    if len(found) == 1:
        raise DataError(prefix + found[0])
    items = ["- " + problem.replace("\n", "\n  ") for problem in found]
    raise DataError("\n".join([f"{prefix}{counted(len(found), 'problem')}:", *items]))
