"""What the Markdown and the HTML page show: tables, plots, and the sentences around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scoredag.bench.output.cells import Cell, quantity
from scoredag.bench.output.frame import described
from scoredag.bench.output.tables import Table
from scoredag.bench.scoring import HOW_SCORED

# Whether a published number is reproduced; None where there is nothing to compare.
SIGNS = {True: "✓", False: "✗", None: ""}
SUMMARY = "Reproduced, of the cells that have a published number:"
NO_RUNS = "No run belongs into this table yet."
MADE = "How this was made"
_CELLS = (
    "Each cell has the mean ± standard deviation over runs (dividing by their number). The best "
    "mean of a column is bold, among ours and among the published ones; means of fewer runs "
    "than others have do not compete. 7/10 means that 7 of 10 runs have a value; – "
    "means that the metric is not defined for what the method returns."
)


@dataclass(frozen=True)
class Picture:
    """A plot: its file, what it shows, and its SVG."""

    filename: str
    caption: str
    svg: str


@dataclass(frozen=True)
class Document:
    """The results of a benchmark, ready to be written."""

    title: str
    tables: Sequence[Table]
    # How the results came about: what, and its value.
    made: Sequence[tuple[str, str]]
    description: str = ""
    # Plots, which only the page shows.
    pictures: Sequence[Picture] = ()

    @property
    def summary(self) -> list[list[str]]:
        """How much is reproduced, as lines of words, the head first; empty if nothing is."""
        counts = count_reproduced(self.tables)
        if counts.empty:
            return []
        head = ["data", "method", *(quantity(metric).label for metric in counts.columns)]
        return [head, *([*index, *texts] for index, *texts in counts.itertuples())]

    @property
    def how_to_read(self) -> list[str]:
        """Explanations of the signs in the tables, as far as they occur."""
        references = {
            table.reference.name: table.reference for table in self.tables if table.reference
        }
        kinds = {kind for table in self.tables for row in table.rows for kind in row.kinds}
        return [
            _CELLS,
            *(
                f"The line “{reference.short}” of a cell is what was published: "
                f"{reference.citation}. {SIGNS[True]} reproduced: our mean is within the published "
                f"mean ± one standard deviation, or better. {SIGNS[False]} not reproduced. "
                f"{reference.note or ''}".strip()
                for reference in references.values()
            ),
            *(HOW_SCORED[kind] for kind in sorted(kinds)),
        ]


def provenance(rows: Sequence[Mapping[str, Any]], command: str | None) -> list[tuple[str, str]]:
    """Say by what command, version and machine rows were made, and how many ended how."""
    counts = sorted(Counter(str(row["status"]) for row in rows).items())
    made = {"Command": command, "Runs": ", ".join(f"{count} {status}" for status, count in counts)}
    for title, key in (("scoredag", "scoredag"), ("Machine", "machine")):
        made[title] = "; ".join(sorted({str(row[key]) for row in rows if row.get(key)}))
    return [(name, value) for name, value in made.items() if value]


def count_reproduced(tables: Sequence[Table]) -> pd.DataFrame:
    """Count the cells that agree with their published number, in words.

    There is a line for each kind of data and method, and a column for each metric. A cell that two
    tables show counts once. The scale is part of the kind of data: it decides what is found.
    """
    keys = ["data", "method", "metric"]
    cells = pd.DataFrame(_compared(tables), columns=[*keys, "setting", "cell"])
    if cells.empty:
        return cells
    cells = cells.drop_duplicates([*keys, "setting"], keep="last")
    # As categories, groups come in the order in which the tables have them.
    ordered = {key: pd.CategoricalDtype(cells[key].unique()) for key in keys}
    counts = cells.astype(ordered).groupby(keys, observed=True)["cell"].agg(_count)
    return counts.unstack("metric").fillna("")


def _compared(tables: Sequence[Table]) -> Iterator[tuple[object, ...]]:
    for table in tables:
        for row in table.rows:
            for index, cell in enumerate(row.cells):
                setting = table.groups[index // len(table.metrics)].setting
                data = described(("data", "scale"), (setting.get("data"), setting.get("scale")))
                if cell.published is not None:
                    yield data, row.method, cell.metric, frozenset(setting.items()), cell


def _count(cells: Sequence[Cell]) -> str:
    verdicts = [cell.reproduced for cell in cells]
    compared = [cell for cell in cells if cell.reproduced is not None]
    partial = sum(cell.values < cell.total for cell in compared)
    parts = [f"{verdicts.count(True)} of {len(compared)}"] if compared else []
    parts += [f"{partial} from part of the runs"] if partial else []
    parts += [f"{verdicts.count(None)} without a result"] if None in verdicts else []
    return ", ".join(parts)
