"""Sentences that the Markdown and the HTML share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoredag.bench.output.pivot import Table
from scoredag.bench.scoring import HOW_SCORED

REPRODUCED, DIFFERENT = "✓", "✗"
SUMMARY = "Reproduced, of the cells that have a published number:"
NO_RUNS = "No run belongs into this table yet."
MADE = "How this was made"
_CELLS = (
    "Each cell has the mean ± standard deviation over runs (dividing by their number). The best "
    "mean of a column is bold, among ours and among the published ones; means of fewer runs "
    "than others have do not compete. 7/10 means that 7 of 10 runs have a value; – "
    "means that the metric is not defined for what the method returns."
)


def provenance(rows: Sequence[Mapping[str, Any]], command: str | None) -> list[tuple[str, str]]:
    """Say by what command, version and machine rows were made, and how many ended how.

    Examples
    --------
    >>> provenance([{"status": "done", "scoredag": "0.2"}], "scoredag bench quick")
    [('Command', 'scoredag bench quick'), ('Runs', '1 done'), ('scoredag', '0.2')]
    """
    statuses = [str(row["status"]) for row in rows]
    counts = [f"{statuses.count(status)} {status}" for status in dict.fromkeys(sorted(statuses))]
    entries = [
        ("Command", command),
        ("Runs", ", ".join(counts)),
        ("scoredag", _distinct(rows, "scoredag")),
        ("Machine", _distinct(rows, "machine")),
    ]
    return [(name, value) for name, value in entries if value]


def _distinct(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    return "; ".join(sorted({str(row[key]) for row in rows if row.get(key)}))


def how_to_read(tables: Sequence[Table]) -> list[str]:
    """Explain the signs in the tables, as far as they occur."""
    return [_CELLS, *_about_references(tables), *_about_kinds(tables)]


def _about_references(tables: Sequence[Table]) -> list[str]:
    references = {table.reference.name: table.reference for table in tables if table.reference}
    return [
        f"The line “{reference.short}” of a cell is what was published: {reference.citation}. "
        f"{REPRODUCED} reproduced: our mean is within the published mean ± one standard deviation, "
        f"or better. {DIFFERENT} not reproduced. {reference.note or ''}".strip()
        for reference in references.values()
    ]


def _about_kinds(tables: Sequence[Table]) -> list[str]:
    kinds = sorted({kind for table in tables for row in table.rows for kind in row.kinds})
    return [HOW_SCORED[kind] for kind in kinds]
