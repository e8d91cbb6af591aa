"""Tables as Markdown, as GitHub shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.pivot import Table, TableRow
from scoredag.bench.output.quantities import quantity
from scoredag.bench.output.summary import Tally, by_data_and_method, tally
from scoredag.bench.output.wording import (
    DIFFERENT,
    REPRODUCED,
    Picture,
    Provenance,
    how_to_read,
)


def escaped(text: object) -> str:
    r"""Write text so that Markdown and HTML take none of it as markup.

    Examples
    --------
    >>> print(escaped("a|b <script> *c*"))
    a\|b &lt;script&gt; \*c\*
    >>> print(escaped("D_top"), escaped("_x_"), escaped("http://example.org"))
    D_top \_x\_ http&#58;//example.org
    """
    line = " ".join(str(text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = re.sub(r"([\\`*\[\]|~$!#])", r"\\\1", line)
    line = re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", line)
    # GitHub makes links of bare addresses.
    return line.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def render_markdown(
    tables: Sequence[Table],
    *,
    title: str,
    made: Provenance,
    description: str = "",
    pictures: Sequence[Picture] = (),
) -> str:
    """Write a Markdown document: what is reproduced, the tables, and the plots.

    Parameters
    ----------
    tables : sequence of Table
        What `scoredag.bench.output.make_tables` returns.
    title : str
        The heading.
    made : Provenance
        How the results came about.
    description : str, optional
        What it is about, below the heading.
    pictures : sequence of Picture
        Plots, shown from files beside the document.

    Returns
    -------
    str
        Names in it are escaped.
    """
    parts = [
        f"# {escaped(title)}",
        *([escaped(description)] if description else []),
        *_summary(tally(tables)),
        *map(escaped, how_to_read(tables)),
        *(part for table in tables for part in _table(table)),
        *(part for picture in pictures for part in _picture(picture)),
        "## How this was made",
        "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in made.entries),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(tallies: Sequence[Tally]) -> list[str]:
    if not tallies:
        return []
    metrics = list(dict.fromkeys(entry.metric for entry in tallies))
    lines = [
        [data, method, *(found[m].text if m in found else "" for m in metrics)]
        for (data, method), found in by_data_and_method(tallies).items()
    ]
    head = ["data", "method", *(quantity(metric).label for metric in metrics)]
    return [
        "Reproduced, of the cells that have a published number:",
        _grid([map(escaped, head), *(map(escaped, line) for line in lines)], words=2),
    ]


def _table(table: Table) -> list[str]:
    heading = f"## {escaped(table.title)}"
    if not table.groups:
        return [heading, "No run belongs into this table yet."]
    head = ["method"] + [
        escaped(f"{group.label} {quantity(metric).label}".strip())
        for group in table.groups
        for metric in table.metrics
    ]
    body = [[_label(row), *(_cell(cell, table) for cell in row.cells)] for row in table.rows]
    notes = [f"<sup>{i}</sup> {escaped(text)}" for i, text in enumerate(table.notes, 1)]
    return [heading, _grid([head, *body]), *(["<br>\n".join(notes)] if notes else [])]


def _label(row: TableRow) -> str:
    kinds = [kind.upper() for kind in row.kinds]
    return escaped(row.label) + _superscript([*kinds, *row.notes])


def _cell(cell: Cell, table: Table) -> str:
    ours = f"**{escaped(cell.text)}**" if cell.best else escaped(cell.text)
    runs = f" ({cell.runs_text})" if cell.runs_text else ""
    mark = {True: f" {REPRODUCED}", False: f" {DIFFERENT}", None: ""}[cell.reproduced]
    first = f"{ours}{runs}{_superscript(cell.notes)}{mark}"
    best_case = f"<sub>{cell.at_best_text}</sub>" if cell.at_best_text else ""
    lines = first, best_case, _published(cell, table)
    return "<br>".join(line for line in lines if line)


def _published(cell: Cell, table: Table) -> str:
    if cell.published is None or table.reference is None:
        return ""
    text = escaped(cell.published.text)
    shown = f"**{text}**" if cell.published_best else text
    return f"<sub>{escaped(table.reference.short)} {shown}</sub>"


def _superscript(notes: Sequence[object]) -> str:
    return f"<sup>{','.join(map(str, notes))}</sup>" if notes else ""


def _picture(picture: Picture) -> list[str]:
    return [f"![{escaped(picture.caption)}]({picture.filename})", escaped(picture.caption)]


def _grid(lines: Iterable[Iterable[str]], words: int = 1) -> str:
    """A table whose first columns are words, set to the left, and the others numbers."""
    head, *body = [list(line) for line in lines]
    rule = [":--"] * words + ["--:"] * (len(head) - words)
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))
