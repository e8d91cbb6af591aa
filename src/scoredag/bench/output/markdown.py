"""Tables as Markdown, as GitHub shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.document import Document, Picture
from scoredag.bench.output.pivot import Table, TableRow
from scoredag.bench.output.quantities import quantity
from scoredag.bench.output.summary import summary_lines
from scoredag.bench.output.wording import (
    DIFFERENT,
    MADE,
    NO_RUNS,
    REPRODUCED,
    SUMMARY,
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


def render_markdown(document: Document) -> str:
    """Write Markdown: what is reproduced, the tables, and the plots, from files beside it.

    Names in it are escaped.
    """
    parts = [
        f"# {escaped(document.title)}",
        *([escaped(document.description)] if document.description else []),
        *_summary(summary_lines(document.tables)),
        *map(escaped, how_to_read(document.tables)),
        *(part for table in document.tables for part in _table(table)),
        *(part for picture in document.pictures for part in _picture(picture)),
        f"## {MADE}",
        "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in document.made),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(lines: Sequence[Sequence[str]]) -> list[str]:
    return [SUMMARY, _grid([map(escaped, line) for line in lines], words=2)] if lines else []


def _table(table: Table) -> list[str]:
    heading = f"## {escaped(table.title)}"
    if not table.groups:
        return [heading, NO_RUNS]
    head = ["method"] + [
        escaped(f"{group.label} {quantity(metric).label}".strip())
        for group in table.groups
        for metric in table.metrics
    ]
    body = [[_label(row), *(_cell(cell, table) for cell in row.cells)] for row in table.rows]
    notes = [f"<sup>{i}</sup> {escaped(text)}" for i, text in enumerate(table.notes, 1)]
    return [heading, _grid([head, *body]), *(["<br>\n".join(notes)] if notes else [])]


def _label(row: TableRow) -> str:
    return escaped(row.label) + _superscript(row.marks)


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
