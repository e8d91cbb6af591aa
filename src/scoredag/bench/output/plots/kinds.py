"""Kinds of data, as figures and panels tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from scoredag.bench.output.options import data_options
from scoredag.bench.output.selection import Row, Values, described, grouped

# More panels beside each other are too small to read.
_WIDEST = 4
_USUAL = 3


@dataclass(frozen=True)
class Kind:
    """Runs on one kind of data, and what sets it apart from the others of its figure."""

    title: str
    runs: Sequence[Row]


def options_but(*left_out: str) -> tuple[str, ...]:
    """List the options of data without some."""
    return tuple(key for key in data_options() if key not in left_out)


def kinds(rows: Sequence[Row], keys: Sequence[str]) -> list[Kind]:
    """Group runs by options, each named by what differs between them.

    Examples
    --------
    >>> rows = [{"n": 100, "graph": graph} for graph in ("ER1", "ER4")]
    >>> [kind.title for kind in kinds(rows, ["n", "graph"])]
    ['ER1', 'ER4']
    """
    groups = grouped(rows, keys)
    telling = varying(list(groups)) or range(len(keys))
    names = [keys[i] for i in telling]
    return [
        Kind(described(names, tuple(values[i] for i in telling)), runs)
        for values, runs in groups.items()
    ]


def varying(combinations: Sequence[Values]) -> list[int]:
    """Find the positions at which combinations of values differ.

    Examples
    --------
    >>> varying([("a", 1, 2), ("a", 1, 3)])
    [2]
    """
    columns = list(zip(*combinations, strict=True))
    return [i for i, values in enumerate(columns) if len(set(values)) > 1]


def panels_in_a_row(rows: Sequence[Row], keys: Sequence[str]) -> int:
    """Choose how many panels stand beside each other, so that columns mean something.

    Examples
    --------
    >>> rows = [{"graph": g, "d": d} for g in ("ER1", "ER4") for d in (10, 20, 50)]
    >>> panels_in_a_row(rows, ["graph", "d"])
    3
    """
    combinations = list(grouped(rows, keys))
    counts = [len({values[i] for values in combinations}) for i in varying(combinations)]
    fitting = [prod(counts[i:]) for i in range(len(counts)) if prod(counts[i:]) <= _WIDEST]
    return max(fitting, default=_USUAL)
