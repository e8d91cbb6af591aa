"""How much of what was published is reproduced, counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.pivot import Group, Table
from scoredag.bench.output.quantities import quantity
from scoredag.bench.output.selection import described


@dataclass(frozen=True)
class Tally:
    """Cells of one method and metric that have a published number.

    Attributes
    ----------
    data, method, metric : str
        Of what.
    reproduced, compared : int
        Cells that agree, of those where we have a mean.
    partial : int
        Compared cells where some runs failed.
    missing : int
        Cells where we have none.
    """

    data: str
    method: str
    metric: str
    reproduced: int
    compared: int
    partial: int
    missing: int

    @property
    def text(self) -> str:
        """The count in words.

        Examples
        --------
        >>> Tally("paper", "CAM", "shd", 8, 12, 1, 12).text
        '8 of 12, 1 from part of the runs, 12 without a result'
        """
        parts = [f"{self.reproduced} of {self.compared}"] if self.compared else []
        if self.partial:
            parts.append(f"{self.partial} from part of the runs")
        if self.missing:
            parts.append(f"{self.missing} without a result")
        return ", ".join(parts)


def tally(tables: Sequence[Table]) -> list[Tally]:
    """Count over distinct cells: one that two tables show counts once.

    Examples
    --------
    >>> tally([])
    []
    """
    counted: dict[tuple[str, str, str], dict[Hashable, Cell]] = {}
    for method, group, cell in _compared(tables):
        key = _data(group), method, cell.metric
        counted.setdefault(key, {})[frozenset(group.setting.items())] = cell
    return [
        Tally(
            *key,
            reproduced=sum(cell.reproduced is True for cell in cells.values()),
            compared=sum(cell.reproduced is not None for cell in cells.values()),
            partial=sum(
                cell.reproduced is not None and cell.values < cell.total for cell in cells.values()
            ),
            missing=sum(cell.reproduced is None for cell in cells.values()),
        )
        for key, cells in counted.items()
    ]


def _data(group: Group) -> str:
    """Name the data of a cell: the scale too, since it decides what is found."""
    keys = ("data", "scale")
    return described(keys, tuple(group.setting.get(key) for key in keys))


def _compared(tables: Sequence[Table]) -> Iterator[tuple[str, Group, Cell]]:
    for table in tables:
        for row in table.rows:
            for index, cell in enumerate(row.cells):
                if cell.published is not None:
                    yield row.method, table.groups[index // len(table.metrics)], cell


def summary_lines(tables: Sequence[Table]) -> list[list[str]]:
    """Lay tallies out as a table of words, its head first; nothing if nothing is compared.

    Examples
    --------
    >>> summary_lines([])
    []
    """
    tallies = tally(tables)
    if not tallies:
        return []
    metrics = list(dict.fromkeys(entry.metric for entry in tallies))
    return [
        ["data", "method", *(quantity(metric).label for metric in metrics)],
        *(
            [*key, *(found[metric].text if metric in found else "" for metric in metrics)]
            for key, found in _by_data_and_method(tallies).items()
        ),
    ]


def _by_data_and_method(tallies: Sequence[Tally]) -> dict[tuple[str, str], dict[str, Tally]]:
    table: dict[tuple[str, str], dict[str, Tally]] = {}
    order = {data: rank for rank, data in enumerate(dict.fromkeys(t.data for t in tallies))}
    for entry in sorted(tallies, key=lambda t: order[t.data]):
        table.setdefault((entry.data, entry.method), {})[entry.metric] = entry
    return table
