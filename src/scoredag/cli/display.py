"""Results on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from scoredag.data.wording import counted
from scoredag.diagnosis.knowledge import rules_in_words
from scoredag.report import Finding
from scoredag.report.comparison import VERDICTS, Comparison, compare
from scoredag.report.numbers import figure_text, statistic_text
from scoredag.settings import EDGE_TEST

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HEADINGS = {
    "p_value": "p-value",
    "noise_p_value": "noise p",
    "scale_only": "scale only",
    "post_nonlinear": "effect by rank",
}
# What a heading does not say by itself
_NOTES = {
    "evidence": "evidence: nats that the effect loses without the cause",
    "direction": "direction: nats that reversing the edge would cost, or gain below 0; "
    "with few or none an edge can be undirected (— instead of →), and a warning names the reason",
    "noise p": f"noise p: below {EDGE_TEST.dependent_noise_level:g} over the number of edges the "
    "noise depends on the cause",
    "linear": "linear 1: lines explain the effect as well as curves",
    "scale only": "scale only 1: the cause changes how much the effect varies, not its mean",
    "effect by rank": "effect by rank 1: the effect was compared by its ranks",
    "weak": "weak 1: a hidden common cause can give as much evidence",
    "edf": "edf 1 is a straight line",
    "size": "size is the spread of the fitted effect over that of its column",
}
# Names are not folded to less than this for the sake of another column.
READABLE_NAME = 16
# Spaces between two columns.
GAP = 2


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
    if len(set(finding.rows_used.values())) > 1:
        used = ", ".join(f"{step} {count:,}" for step, count in finding.rows_used.items())
        console.print(f"Rows used: {used}", style="dim", markup=False, soft_wrap=True)
    if finding.score_estimator is not None:
        console.print(
            f"Score: {finding.score_estimator}", style="dim", markup=False, soft_wrap=True
        )
    names = [printable(finding.names[node]) for node in finding.order]
    console.print("\nCausal order, sources first:", style="bold")
    console.print(" → ".join(names), markup=False, soft_wrap=True)
    comparison = compare(finding)
    if finding.edges:
        evidence = _evidence(finding, comparison)
        shown = _that_fit(evidence, finding, console.width)
        console.print()
        console.print(_edges(finding, shown, console.width))
        _explain(shown, len(evidence) - len(shown), console)
    else:
        console.print("\nNo edge was found.")
    if finding.knowledge is not None and finding.knowledge.rules is not None:
        rules = rules_in_words(finding.knowledge.rules)
        console.print("\nRules that the graph obeys:", style="bold")
        for kind, text in rules.items():
            console.print(f"{kind}: {printable(text)}", markup=False, soft_wrap=True)
    if comparison is not None:
        console.print()
        show_figures(comparison.figures, console)


@dataclass(frozen=True)
class _Column:
    """Evidence for the edges: a heading, a cell for each edge, and whether lines may break."""

    heading: str
    cells: list[str]
    breaks: bool = False

    @property
    def least_width(self) -> int:
        """The width below which it cannot be read, with the gap before it."""
        words = [self.heading, *self.cells]
        parts = [part for text in words for part in (text.split() if self.breaks else [text])]
        return GAP + max(map(len, parts))


def _edges(finding: Finding, evidence: Sequence[_Column], width: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Cause", overflow="fold")
    table.add_column("")
    table.add_column("Effect", overflow="fold")
    spare = _room_beside_names(finding, width) - sum(column.least_width for column in evidence)
    for column in evidence:
        if column.breaks:
            table.add_column(column.heading, max_width=column.least_width - GAP + spare)
        else:
            table.add_column(column.heading, justify="right", no_wrap=True)
    for k, edge in enumerate(finding.edges):
        ends = [finding.names[edge.cause], edge.sign, finding.names[edge.effect]]
        table.add_row(*map(_text, [*ends, *(column.cells[k] for column in evidence)]))
    return table


def _evidence(finding: Finding, comparison: Comparison | None) -> list[_Column]:
    columns = [
        _Column(
            HEADINGS.get(key, key.replace("_", " ")),
            [statistic_text(key, edge.evidence.get(key)) for edge in finding.edges],
        )
        for key in finding.shown_statistics
    ]
    sizes = [edge.size for edge in finding.edges]
    if any(size is not None for size in sizes):
        columns.append(_Column("size", ["–" if size is None else f"{size:.2f}" for size in sizes]))
    if finding.has_required:
        rules = ["required" if edge.required else "" for edge in finding.edges]
        columns.insert(0, _Column("rule", rules))
    if comparison is not None:
        verdicts = [comparison.verdicts[edge.cause, edge.effect] for edge in finding.edges]
        told = [VERDICTS[verdict] for verdict in verdicts]
        columns.append(_Column("against the reference", told, breaks=True))
    return columns


def _that_fit(columns: Sequence[_Column], finding: Finding, width: int) -> list[_Column]:
    """Keep the first columns, as many as leave the names of the edges room to be read."""
    room = _room_beside_names(finding, width)
    taken = accumulate(column.least_width for column in columns)
    return [column for column, used in zip(columns, taken, strict=True) if used <= room]


def _room_beside_names(finding: Finding, width: int) -> int:
    """Count the characters of a line that names need not have to be readable."""
    causes = max(len(printable(finding.names[edge.cause])) for edge in finding.edges)
    effects = max(len(printable(finding.names[edge.effect])) for edge in finding.edges)
    names = [max(len("Cause"), causes), max(len("Effect"), effects)]
    return width - sum(min(name, READABLE_NAME) for name in names) - 2 * GAP - len("→")


def _explain(shown: Sequence[_Column], left_out: int, console: Console) -> None:
    """Say what the columns mean that need it."""
    headings = [column.heading for column in shown]
    notes = [note for heading, note in _NOTES.items() if heading in headings]
    if left_out:
        notes.append(f"a wider terminal shows {counted(left_out, 'more column')}")
    if notes:
        console.print(f"({'; '.join(notes)})", style="dim", soft_wrap=True)


def _text(content: str) -> Text:
    from rich.text import Text

    return Text(printable(content))


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
