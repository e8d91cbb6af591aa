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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoredag.bench.checks import refuse_unknown
from scoredag.bench.reference import Reference, load_reference
from scoredag.bench.scoring import COSTS
from scoredag.exceptions import SpecError

_KNOWN = ("title", "where", "split", "columns", "metrics", "rows", "reference")


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
    names = {key: tuple(_listed(block, key)) for key in ("split", "columns", "metrics")}
    title, where = block.get("title"), block.get("where", {})
    if not isinstance(title, str) or not names["metrics"]:
        raise ValueError("every table needs a title and at least one of metrics.")
    if not isinstance(where, Mapping):
        raise ValueError(f"where of a table must be a table of options; got {where!r}.")
    if unfilled := sorted(set(re.findall(r"\{(\w+)\}", title)) - set(names["split"])):
        raise ValueError(
            f"title {title!r}: {', '.join(unfilled)} must be in split to be filled in;"
            f" got split = {list(names['split'])}."
        )
    values = {key: v if isinstance(v, list | tuple) else [v] for key, v in where.items()}
    return Layout(
        title=title,
        where={key: tuple(listed) for key, listed in values.items()},
        rows=tuple(map(_row, _listed(block, "rows", object))) if "rows" in block else None,
        reference=load_reference(block["reference"]) if "reference" in block else None,
        **names,
    )


def _listed(block: Mapping[str, Any], key: str, kind: type = str) -> Sequence[Any]:
    found = block.get(key, [])
    if not isinstance(found, list | tuple) or not all(isinstance(one, kind) for one in found):
        words = "a list of names" if kind is str else "a list"
        raise ValueError(f"{key} of a table must be {words}; got {found!r}.")
    return found


def _row(entry: object) -> RowLayout:
    if isinstance(entry, str):
        return RowLayout(entry, entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("method"), str):
        raise ValueError(f"a row of a table must be a method, or name its method; got {entry!r}.")
    refuse_unknown(entry, ("label", "method", "metric"), f"row {entry['method']}")
    if not all(isinstance(value, str) for value in entry.values()):
        raise ValueError(f"a row of a table must have text for each key; got {entry!r}.")
    return RowLayout(**{"label": entry["method"], **entry})


def check_tables(
    blocks: Sequence[Any], options: Collection[str], labels: Collection[str], metrics: Sequence[str]
) -> None:
    """Refuse tables that cannot be made, or that name options, methods or metrics no run has."""
    for block in blocks:
        if not isinstance(block, Mapping):
            raise SpecError(f"[[tables]]: must be blocks; got {block!r}.")
        try:
            layout = read_layout(block)
        except ValueError as error:
            raise SpecError(f"[[tables]]: {error}") from None
        rows, where = layout.rows or (), f"[[tables]] {layout.title!r}"
        shown = [*layout.metrics, *(row.metric for row in rows if row.metric)]
        refuse_unknown(layout.options, options, where)
        refuse_unknown(shown, [*metrics, *COSTS, "peak_mb"], f"metrics of {where}")
        refuse_unknown([row.method for row in rows], labels, f"rows of {where}")
