"""Rows of runs -> tables of cells, in the layout that the spec asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoredag.bench.output.cells import Cell, make_cell
from scoredag.bench.output.layout import Layout, RowLayout, read_layout
from scoredag.bench.output.options import data_options
from scoredag.bench.output.quantities import quantity
from scoredag.bench.output.reference import Published, Reference
from scoredag.bench.output.selection import (
    Row,
    chosen,
    cleaned,
    described,
    grouped,
    setting,
    written,
)


@dataclass(frozen=True)
class Group:
    """A group of columns: its label, and the data that its runs have in common."""

    label: str
    setting: Mapping[str, Any]


@dataclass(frozen=True)
class TableRow:
    """A row: a cell for each metric of each group, group by group.

    ``kinds`` names the classes of graphs (cpdag, pag) that the method returned, if it did.
    """

    label: str
    method: str
    cells: tuple[Cell, ...]
    kinds: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()

    @property
    def marks(self) -> list[object]:
        """What stands behind the label, raised: the kinds, and the numbers of the notes."""
        return [*(kind.upper() for kind in self.kinds), *self.notes]


@dataclass(frozen=True)
class Table:
    """A table, ready to be written.

    Attributes
    ----------
    title : str
        Its heading.
    groups : tuple of Group
        Groups of columns; none if no run belongs into the table.
    metrics : tuple of str
        The columns of each group.
    rows : tuple of TableRow
        The methods.
    reference : Reference or None
        Whose numbers stand beside ours.
    notes : tuple of str
        Footnotes; cells and rows refer to them by number, from 1.
    """

    title: str
    groups: tuple[Group, ...]
    metrics: tuple[str, ...]
    rows: tuple[TableRow, ...]
    reference: Reference | None
    notes: tuple[str, ...] = ()


@dataclass
class _Notes:
    """Footnotes as they come up; the same text keeps its number."""

    texts: list[str] = field(default_factory=list)

    def number(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def make_tables(rows: Iterable[Row], blocks: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Lay runs out in tables.

    Parameters
    ----------
    rows : iterable of mapping
        One a run, in the order in which tables should show methods and data.
    blocks : sequence of mapping
        ``[[tables]]`` of a spec: see `scoredag.bench.output.layout`.

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
    runs, layouts = cleaned(rows), [read_layout(block) for block in blocks]
    options = sorted({*data_options()}.union(*(layout.options for layout in layouts)))
    return [
        table
        for layout in layouts
        for table in _tables(chosen(runs, layout.where), layout, options)
    ]


def _tables(runs: Sequence[Row], layout: Layout, options: Sequence[str]) -> list[Table]:
    if not runs:
        return [Table(layout.title, (), layout.metrics, (), layout.reference)]
    return [
        _table(_filled(layout, values), part, layout, options)
        for values, part in grouped(runs, layout.split, layout.where).items()
    ]


def _filled(layout: Layout, values: Sequence[Any]) -> str:
    title = layout.title
    for key, value in zip(layout.split, values, strict=True):
        title = title.replace(f"{{{key}}}", written(value))
    return title


def _table(title: str, runs: Sequence[Row], layout: Layout, options: Sequence[str]) -> Table:
    notes = _Notes()
    parts = grouped(runs, layout.columns, layout.where)
    groups = tuple(
        Group(described(layout.columns, values), setting(part, options))
        for values, part in parts.items()
    )
    methods = dict.fromkeys(run["method"] for run in runs)
    lines = layout.rows or tuple(RowLayout(method, method) for method in methods)
    columns = [
        _column(part, group, metric, lines, layout.reference)
        for part, group in zip(parts.values(), groups, strict=True)
        for metric in layout.metrics
    ]
    rows = []
    for index, line in enumerate(lines):
        theirs = [run for run in runs if run["method"] == line.method]
        lumped = _lumped(theirs, options, (*layout.split, *layout.columns))
        numbers = (notes.number(_lumped_text(lumped)),) if lumped else ()
        cells = tuple(_with_notes(column[index], notes) for column in columns)
        rows.append(TableRow(line.label, line.method, cells, _kinds(theirs), numbers))
    return Table(title, groups, layout.metrics, tuple(rows), layout.reference, tuple(notes.texts))


def _column(
    runs: Sequence[Row],
    group: Group,
    metric: str,
    lines: Sequence[RowLayout],
    reference: Reference | None,
) -> list[Cell]:
    published = reference.lookup(group.setting) if reference else {}
    by_method = {values[0]: part for values, part in grouped(runs, ["method"]).items()}
    cells = []
    for line in lines:
        measured = line.metric or metric
        number = published.get((line.method, measured))
        cells.append(make_cell(by_method.get(line.method, []), measured, number))
    usual = max(map(len, by_method.values()))
    return [
        replace(
            cell,
            usual_total=usual,
            best=cell.metric == metric and _is_best(cell, cells, usual),
            published_best=_is_best_published(cell.published, published, metric),
        )
        for cell in cells
    ]


def _is_best(cell: Cell, column: Sequence[Cell], usual: int) -> bool:
    """Whether no other mean of the column prints as better.

    Means of fewer runs than others have are not compared: they may be of the easier ones.
    """
    rivals = [
        rival.mean
        for rival in column
        if rival.metric == cell.metric and rival.mean is not None and rival.values == usual
    ]
    if cell.mean is None or cell.values != usual or len(rivals) < 2:
        return False
    shown = cell.quantity.text
    return all(cell.quantity.better(float(shown(cell.mean)), float(shown(r))) for r in rivals)


def _is_best_published(
    number: Published | None, published: Mapping[tuple[str, str], Published], metric: str
) -> bool:
    """Whether no other published number for the same data is better, shown here or not."""
    if number is None or number.metric != metric:
        return False
    rivals = [other.mean for (_, measured), other in published.items() if measured == metric]
    better = quantity(metric).better
    return len(rivals) > 1 and all(better(number.mean, rival) for rival in rivals)


def _with_notes(cell: Cell, notes: _Notes) -> Cell:
    return replace(cell, notes=tuple(notes.number(failure.text) for failure in cell.failures))


def _kinds(runs: Sequence[Row]) -> tuple[str, ...]:
    return tuple(sorted({str(run.get("kind")) for run in runs} & {"cpdag", "pag"}))


def _lumped(runs: Sequence[Row], options: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Options by which runs of one cell and seed differ: the table forgot to tell them apart."""
    keys = [*shown, "seed"]
    doubled = [part for part in grouped(runs, keys).values() if len(part) > 1]
    return sorted(
        {
            key
            for part in doubled
            for key, value in setting(part, options).items()
            if isinstance(value, tuple)
        }
    )


def _lumped_text(options: Sequence[str]) -> str:
    return f"means are over runs that differ in {', '.join(options)}"
