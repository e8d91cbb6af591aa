"""Results on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scoredag.report import Finding
from scoredag.report.comparison import VERDICTS, Comparison, compare
from scoredag.report.numbers import figure_text, number_text, p_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HEADINGS = {"p_value": "p-value"}


def printable(name: str) -> str:
    r"""Show a name from a file without letting it control the terminal.

    Examples
    --------
    >>> print(printable("dose\x1b[31m"))
    dose\x1b[31m
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def show_finding(finding: Finding, console: Console) -> None:
    """Print the order and the edges with their evidence."""
    columns, rows = len(finding.names), finding.n_rows
    edges = len(finding.edges)
    console.print(
        f"{finding.method} on {printable(finding.source)}: {rows:,} rows, {columns} columns, "
        f"{edges} edge{'s' * (edges != 1)}",
        style="bold",
        markup=False,
        soft_wrap=True,
    )
    names = [printable(finding.names[node]) for node in finding.order]
    console.print("\nCausal order, sources first:", style="bold")
    console.print(" → ".join(names), markup=False, soft_wrap=True)
    comparison = compare(finding)
    if finding.edges:
        console.print()
        console.print(_edges(finding, comparison))
        _explain(finding, console)
    else:
        console.print("\nNo edge was found.")
    if comparison is not None:
        console.print()
        show_figures(comparison.figures, console)


def _edges(finding: Finding, comparison: Comparison | None) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Cause", overflow="fold")
    table.add_column("")
    table.add_column("Effect", overflow="fold")
    keys = list(dict.fromkeys(key for edge in finding.edges for key in edge.evidence))
    for key in keys:
        table.add_column(HEADINGS.get(key, key.replace("_", " ")), justify="right", no_wrap=True)
    sized = any(edge.size is not None for edge in finding.edges)
    if sized:
        table.add_column("size", justify="right", no_wrap=True)
    if comparison is not None:
        table.add_column("against the reference", overflow="fold")
    for edge in finding.edges:
        cells = [_text(finding.names[edge.cause]), _text("→"), _text(finding.names[edge.effect])]
        cells += [_text(_statistic(key, edge.evidence)) for key in keys]
        if sized:
            cells.append(_text("–" if edge.size is None else f"{edge.size:.2f}"))
        if comparison is not None:
            cells.append(_text(VERDICTS[comparison.verdicts[edge.cause, edge.effect]]))
        table.add_row(*cells)
    return table


def _explain(finding: Finding, console: Console) -> None:
    """Say what the columns mean that need it."""
    shown = {key for edge in finding.edges for key in edge.evidence}
    notes = ["edf 1 is a straight line"] if "edf" in shown else []
    if any(edge.size is not None for edge in finding.edges):
        notes.append("size is the spread of the fitted effect over that of its column")
    if notes:
        console.print(f"({'; '.join(notes)})", style="dim", soft_wrap=True)


def _text(content: str) -> Text:
    from rich.text import Text

    return Text(printable(content))


def _statistic(key: str, evidence: Mapping[str, float]) -> str:
    value = evidence.get(key)
    if value is None:
        return "–"
    return p_text(value) if key == "p_value" else number_text(value)


def show_figures(figures: Mapping[str, tuple[float | None, str]], console: Console) -> None:
    """Print measures with their meaning, one a line."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for name, (value, meaning) in figures.items():
        table.add_row(name, figure_text(value), meaning)
    console.print(table)
