"""The options of data sets: which there are."""

from __future__ import annotations

import inspect
from functools import cache

from scoredag.plugins import names, piece

_PROBLEMS = "scoredag.bench.problems"
# How readers expect kinds of data to be ordered and named; options of new data sets come first.
_LAST = ("scale", "n", "noise", "graph", "d")


@cache
def data_options() -> tuple[str, ...]:
    """List what may differ between data sets: ``data``, and every option of every data set.

    Examples
    --------
    >>> data_options()[0], data_options()[-3:]
    ('data', ('noise', 'graph', 'd'))
    """
    known = {option for name in names(_PROBLEMS) for option in _parameters(name)}
    return ("data", *sorted(known.difference(_LAST)), *(key for key in _LAST if key in known))


@cache
def _parameters(data: str) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(piece(_PROBLEMS, data)).parameters
    return {key: parameter for key, parameter in parameters.items() if key != "seed"}
