"""What estimators that can select candidate causes first have in common."""

from __future__ import annotations

import numpy as np


def selects_neighbours(choice: object, many_columns: bool) -> bool:
    """Decide whether candidate causes are selected first.

    Parameters
    ----------
    choice : bool or "auto"
        The estimator's ``neighbour_selection``.
    many_columns : bool
        What "auto" means.

    Examples
    --------
    >>> selects_neighbours("auto", many_columns=True), selects_neighbours(False, many_columns=True)
    (True, False)
    """
    if isinstance(choice, bool | np.bool_):
        return bool(choice)
    if isinstance(choice, str) and choice == "auto":
        return many_columns
    raise ValueError(f"neighbour_selection must be True, False or 'auto'; got {choice!r}")
