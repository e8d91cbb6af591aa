"""Runs -> tables of cells, in the layout that the spec asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from scoredag.bench.layout import Layout, RowLayout, read_layout
from scoredag.bench.output.cells import Cell, make_cell, quantity
from scoredag.bench.output.frame import (
    Row,
    as_frame,
    data_options,
    described,
    grouped,
    setting,
    written,
)
from scoredag.bench.reference import Reference


@dataclass(frozen=True)
class Group:
    """A group of columns: its label, and the data that its runs have in common."""

    label: str
    setting: Mapping[str, Any]


@dataclass(frozen=True)
class TableRow:
    """A row: a cell for each metric of each group, group by group."""

    label: str
    method: str
    cells: tuple[Cell, ...]
    # The classes of graphs (cpdag, pag) that the method returned, if it did.
    kinds: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()

    @property
    def marks(self) -> list[object]:
        """What stands behind the label, raised: the kinds, and the numbers of the notes."""
        return [*(kind.upper() for kind in self.kinds), *self.notes]


@dataclass(frozen=True)
class Table:
    """A table, ready to be written: groups of columns, one column a metric, one row a method.

    There are no groups if no run belongs into the table. Cells and rows refer to ``notes`` by
    number, from 1.
    """

    title: str
    groups: tuple[Group, ...]
    metrics: tuple[str, ...]
    rows: tuple[TableRow, ...]
    reference: Reference | None
    notes: tuple[str, ...] = ()


def make_tables(rows: Iterable[Row], blocks: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Lay runs out in tables.

    Parameters
    ----------
    rows : iterable of mapping
        One a run, in the order in which tables should show methods and data.
    blocks : sequence of mapping
        ``[[tables]]`` of a spec: see `scoredag.bench.layout`.

    Returns
    -------
    list of Table
        For each block one table a combination of its ``split``; one without columns where no run
        fits.

    Raises
    ------
    ValueError
        If a block is not understood.

    Examples
    --------
    >>> runs = [
    ...     {"data": "paper", "d": 10, "graph": "ER1", "noise": "gaussian", "seed": seed,
    ...      "method": "SCORE", "status": "done", "shd": seed}
    ...     for seed in range(3)
    ... ]
    >>> block = {"title": "d = {d}", "split": ["d"], "columns": ["graph"], "metrics": ["shd"],
    ...          "reference": "score_2022"}
    >>> (table,) = make_tables(runs, [block])
    >>> cell = table.rows[0].cells[0]
    >>> table.title, cell.text, cell.published.text, cell.reproduced
    ('d = 10', '1.0 ± 0.8', '1.1 ± 0.9', True)
    """
    layouts = [read_layout(block) for block in blocks]
    options = sorted({*data_options()}.union(*(layout.options for layout in layouts)))
    runs = as_frame(rows, options)
    return [table for layout in layouts for table in _tables(runs, layout, options)]


def _tables(runs: pd.DataFrame, layout: Layout, options: Sequence[str]) -> list[Table]:
    for key, values in layout.where.items():
        runs = runs[runs[key].isin(values)]
    if runs.empty:
        return [Table(layout.title, (), layout.metrics, (), layout.reference)]
    tables = []
    for values, part in grouped(runs, layout.split, layout.where).items():
        title = layout.title
        for key, value in zip(layout.split, values, strict=True):
            title = title.replace(f"{{{key}}}", written(value))
        tables.append(_table(title, part, layout, options))
    return tables


def _table(title: str, runs: pd.DataFrame, layout: Layout, options: Sequence[str]) -> Table:
    parts = grouped(runs, layout.columns, layout.where)
    groups = tuple(
        Group(described(layout.columns, values), setting(part, options))
        for values, part in parts.items()
    )
    lines = layout.rows or tuple(RowLayout(method, method) for method in runs["method"].unique())
    columns = [
        _column(part, group, metric, lines, layout.reference)
        for part, group in zip(parts.values(), groups, strict=True)
        for metric in layout.metrics
    ]
    numbers: dict[str, int] = {}

    def noted(texts: Iterable[str]) -> tuple[int, ...]:
        return tuple(numbers.setdefault(text, len(numbers) + 1) for text in texts)

    rows = []
    for line, *cells in zip(lines, *columns, strict=True):
        theirs = runs[runs["method"] == line.method]
        lumped = _lumped(theirs, options, [*layout.split, *layout.columns, "seed"])
        text = [f"means are over runs that differ in {', '.join(lumped)}"] if lumped else []
        kinds = tuple(sorted({"cpdag", "pag"}.intersection(theirs["kind"])))
        notes = noted(text)
        shown = tuple(
            replace(cell, notes=noted(failure.text for failure in cell.failures)) for cell in cells
        )
        rows.append(TableRow(line.label, line.method, shown, kinds, notes))
    return Table(title, groups, layout.metrics, tuple(rows), layout.reference, tuple(numbers))


def _column(
    runs: pd.DataFrame,
    group: Group,
    metric: str,
    lines: Sequence[RowLayout],
    reference: Reference | None,
) -> list[Cell]:
    published = reference.lookup(group.setting) if reference else {}
    usual = int(runs["method"].value_counts().max())
    cells = []
    for line in lines:
        measured = line.metric or metric
        number = published.get((line.method, measured))
        cells.append(make_cell(runs[runs["method"] == line.method], measured, number, usual))
    rivals = [_shown(cell) for cell in cells if cell.metric == metric and _competes(cell)]
    theirs = [number.mean for (_, measured), number in published.items() if measured == metric]

    def leads(mean: float, others: Sequence[float]) -> bool:
        return len(others) > 1 and all(quantity(metric).better(mean, other) for other in others)

    return [
        replace(
            cell,
            best=_competes(cell) and leads(_shown(cell), rivals),
            published_best=cell.published is not None and leads(cell.published.mean, theirs),
        )
        if cell.metric == metric
        else cell
        for cell in cells
    ]


def _competes(cell: Cell) -> bool:
    """Means of fewer runs than others have are not compared: they may be of the easier ones."""
    return cell.mean is not None and cell.values == cell.usual_total


def _shown(cell: Cell) -> float:
    """The mean as it is printed: those that print alike are equally good."""
    return float(cell.quantity.text(cell.mean or 0.0))


def _lumped(runs: pd.DataFrame, options: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Options by which runs of one cell and seed differ: the table forgot to tell them apart."""
    differing = runs.groupby(shown, dropna=False)[list(options)].nunique(dropna=False) > 1
    return [option for option in options if differing[option].any()]
