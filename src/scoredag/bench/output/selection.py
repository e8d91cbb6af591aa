"""Runs, chosen and grouped by the options of their data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

Row = Mapping[str, Any]
Values = tuple[Any, ...]

_WRITTEN = MappingProxyType(
    {
        "paper": "synthetic",
        "sachs": "Sachs",
        "syntren": "SynTReN",
        "gaussian": "Gaussian",
        "laplace": "Laplace",
        "gumbel": "Gumbel",
    }
)


def cleaned(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Copy rows with None in place of NaN, which is what a table read from a file has.

    Examples
    --------
    >>> cleaned([{"d": 10.0, "noise": float("nan")}])
    [{'d': 10, 'noise': None}]
    """
    return [{key: _plain(value) for key, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() else value


def chosen(rows: Iterable[Row], where: Mapping[str, Values]) -> list[Row]:
    """Take the rows whose options have one of the values asked for.

    Examples
    --------
    >>> chosen([{"d": 10}, {"d": 20}, {}], {"d": (20, 50)})
    [{'d': 20}]
    """
    return [row for row in rows if all(row.get(key) in values for key, values in where.items())]


def grouped(
    rows: Sequence[Row], keys: Sequence[str], where: Mapping[str, Values] | None = None
) -> dict[Values, list[Row]]:
    """Group rows by the values of some options.

    The groups come in the order of the values in ``where``, and else as the rows have them.

    Examples
    --------
    >>> list(grouped([{"d": 20}, {"d": 10}], ["d"]))
    [(20,), (10,)]
    >>> list(grouped([{"d": 20}, {"d": 10}], ["d"], {"d": (10, 20)}))
    [(10,), (20,)]
    """
    groups: dict[Values, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(key) for key in keys), []).append(row)
    ranks = [
        _ranks((values[i] for values in groups), (where or {}).get(keys[i], ()))
        for i in range(len(keys))
    ]
    return {
        values: groups[values]
        for values in sorted(
            groups, key=lambda values: [rank[v] for rank, v in zip(ranks, values, strict=True)]
        )
    }


def _ranks(seen: Iterable[Any], named: Values) -> dict[Any, int]:
    """Where each value stands. A sole value in ``where`` says nothing about an order."""
    first = named if len(named) > 1 else ()
    return {value: rank for rank, value in enumerate(dict.fromkeys([*first, *seen]))}


def setting(rows: Sequence[Row], options: Iterable[str]) -> dict[str, Any]:
    """State the data that runs have in common: a tuple of values where they differ.

    Examples
    --------
    >>> setting([{"d": 10, "graph": "ER1"}, {"d": 10, "graph": "ER4"}], ["d", "graph", "n"])
    {'d': 10, 'graph': ('ER1', 'ER4')}
    """
    found = {key: tuple(dict.fromkeys(row.get(key) for row in rows)) for key in options}
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
    pairs = zip(keys, values, strict=True)
    return ", ".join(_described(key, value) for key, value in pairs if value is not None)


def _described(key: str, value: object) -> str:
    if not isinstance(value, str):
        return f"{key} = {value}"
    return f"{written(value)} noise" if key == "noise" else written(value)


def written(value: object) -> str:
    """Write a value as readers know it.

    Examples
    --------
    >>> written("syntren"), written("laplace"), written(10), written(None)
    ('SynTReN', 'Laplace', '10', '–')
    """
    if value is None:
        return "–"
    return _WRITTEN.get(value, value) if isinstance(value, str) else str(value)
