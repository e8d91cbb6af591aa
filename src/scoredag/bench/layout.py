"""What a table shows: the ``[[tables]]`` blocks of a spec, read and checked.

.. code-block:: toml

    [[tables]]
    title = "d = {d}, {noise} noise"                     # filled with the values of `split`
    where = { data = "paper", graph = ["ER1", "ER4"] }   # the runs to take: a value, or several
    split = ["noise", "d"]                               # one table for each combination
    columns = ["graph"]                                  # one group of columns for each
    metrics = ["shd", "sid", "d_top"]                    # the columns of a group
    rows = ["SCORE", { label = "SCORE order", method = "SCORE", metric = "order_seconds" }]
    reference = "score_2022"                             # a file in bench/references
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoredag.bench.option_checks import refuse_unknown
from scoredag.bench.reference import Reference, load_reference

_KNOWN = ("title", "where", "split", "columns", "metrics", "rows", "reference")
_ROW = ("label", "method", "metric")


@dataclass(frozen=True)
class RowLayout:
    """A row: its label, whose runs it shows, and a metric in place of the column's."""

    label: str
    method: str
    metric: str | None = None


@dataclass(frozen=True)
class Layout:
    """One ``[[tables]]`` block. Without ``rows``, every method that has runs is a row."""

    title: str
    where: Mapping[str, tuple[Any, ...]]
    split: tuple[str, ...]
    columns: tuple[str, ...]
    metrics: tuple[str, ...]
    rows: tuple[RowLayout, ...] | None
    reference: Reference | None

    @property
    def options(self) -> frozenset[str]:
        """The options of the data that it tells apart."""
        return frozenset({*self.where, *self.split, *self.columns})


def read_layout(block: Mapping[str, Any]) -> Layout:
    """Read a ``[[tables]]`` block.

    Raises
    ------
    ValueError
        If something in it is unknown, missing or of the wrong kind.

    Examples
    --------
    >>> layout = read_layout({"title": "d = {d}", "split": ["d"], "metrics": ["shd"]})
    >>> layout.split, layout.rows is None
    (('d',), True)
    """
    refuse_unknown(block, _KNOWN, "a table")
    title, metrics = block.get("title"), _words(block, "metrics")
    if not isinstance(title, str) or not metrics:
        raise ValueError("every table needs a title and at least one of metrics.")
    split = _words(block, "split")
    unfilled = sorted(set(re.findall(r"\{(\w+)\}", title)) - set(split))
    if unfilled:
        raise ValueError(
            f"title {title!r}: {', '.join(unfilled)} must be in split to be filled in;"
            f" got split = {list(split)}."
        )
    return Layout(
        title=title,
        where=_where(block.get("where", {})),
        split=split,
        columns=_words(block, "columns"),
        metrics=metrics,
        rows=_rows(block["rows"]) if "rows" in block else None,
        reference=load_reference(block["reference"]) if "reference" in block else None,
    )


def _words(block: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = block.get(key, [])
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{key} of a table must be a list of names; got {words!r}.")
    return tuple(words)


def _where(conditions: object) -> dict[str, tuple[Any, ...]]:
    if not isinstance(conditions, Mapping):
        raise ValueError(f"where of a table must be a table of options; got {conditions!r}.")
    return {
        key: tuple(value) if isinstance(value, list | tuple) else (value,)
        for key, value in conditions.items()
    }


def _rows(entries: object) -> tuple[RowLayout, ...]:
    if not isinstance(entries, list | tuple):
        raise ValueError(f"rows of a table must be a list; got {entries!r}.")
    return tuple(map(_row, entries))


def _row(entry: object) -> RowLayout:
    if isinstance(entry, str):
        return RowLayout(entry, entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("method"), str):
        raise ValueError(f"a row of a table must be a method, or name its method; got {entry!r}.")
    refuse_unknown(entry, _ROW, f"row {entry['method']}")
    if not all(isinstance(value, str) for value in entry.values()):
        raise ValueError(f"a row of a table must have text for each key; got {entry!r}.")
    return RowLayout(entry.get("label", entry["method"]), entry["method"], entry.get("metric"))
