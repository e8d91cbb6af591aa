"""Runs as a pandas frame, grouped by the options of their data and named as readers know them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import pandas as pd

from scoredag.plugins import names, piece

Row = Mapping[str, Any]
Values = tuple[Any, ...]

_PROBLEMS = "scoredag.bench.problems"
# How readers expect kinds of data to be ordered and named; options of new data sets come first.
_LAST = ("scale", "n", "noise", "graph", "d")
_WRITTEN = MappingProxyType(
    {
        "paper": "synthetic",
        "sachs": "Sachs",
        "syntren": "SynTReN",
        "gaussian": "Gaussian",
        "laplace": "Laplace",
        "gumbel": "Gumbel",
        "location_scale": "location-scale",
        "post_nonlinear": "post-nonlinear",
        "measurement_error": "measurement error",
        "hidden_cause": "hidden cause",
    }
)


@cache
def data_options() -> tuple[str, ...]:
    """List what may differ between data sets: ``data``, and every option of every data set."""
    signatures = (inspect.signature(piece(_PROBLEMS, name)) for name in names(_PROBLEMS))
    known = {option for signature in signatures for option in signature.parameters} - {"seed"}
    return ("data", *sorted(known.difference(_LAST)), *(key for key in _LAST if key in known))


def as_frame(rows: Iterable[Row], columns: Iterable[str] = ()) -> pd.DataFrame:
    """Put runs into a frame of Python's own values, one line a run.

    Files have NaN for None and 10.0 for 10: both are turned back. The frame has the given columns
    and those of every table, whether rows have them or not.
    """

    def plain(value: Any) -> Any:
        if not isinstance(value, float):
            return value
        whole = value.is_integer()
        return int(value) if whole else value if math.isfinite(value) else None

    listed = list(rows)
    always = (*data_options(), "seed", "method", "kind", "status", "reason", *columns)
    keys = dict.fromkeys([*always, *(key for row in listed for key in row)])
    return pd.DataFrame(
        {key: pd.Series([plain(row.get(key)) for row in listed], dtype=object) for key in keys}
    )


def grouped(
    runs: pd.DataFrame, keys: Sequence[str], where: Mapping[str, Values] | None = None
) -> dict[Values, pd.DataFrame]:
    """Group runs by the values of some options.

    The groups come in the order of the values in ``where``, and else in that of the runs. A sole
    value in ``where`` says nothing about the order.
    """
    if not keys:
        return {(): runs}
    ranks = []
    for key in keys:
        named = (where or {}).get(key, ())
        first = list(named) if len(named) > 1 else []
        values = pd.Series([*first, *runs[key]], dtype=object)
        ranks.append(pd.factorize(values, use_na_sentinel=False)[0][len(first) :])
    return {tuple(part[list(keys)].iloc[0]): part for _, part in runs.groupby(ranks)}


def setting(runs: pd.DataFrame, options: Iterable[str]) -> dict[str, Any]:
    """State the data that runs have in common: a tuple of values where they differ."""
    found = {key: tuple(runs[key].unique()) for key in options}
    return {
        key: values[0] if len(values) == 1 else values
        for key, values in found.items()
        if values not in ((), (None,))
    }


def described(keys: Sequence[str], values: Values) -> str:
    """Name a combination of options: words as they are, numbers with what they count.

    Examples
    --------
    >>> described(["graph", "d", "scale"], ("ER1", 10, None))
    'ER1, d = 10'
    """
    named = {key: value for key, value in zip(keys, values, strict=True) if value is not None}
    words = {key: written(value) + " noise" * (key == "noise") for key, value in named.items()}
    return ", ".join(
        words[key] if isinstance(value, str) else f"{key} = {value}" for key, value in named.items()
    )


def written(value: object) -> str:
    """Write a value as readers know it."""
    if value is None:
        return "–"
    return _WRITTEN.get(value, value) if isinstance(value, str) else str(value)
