"""Tables as Markdown, as GitHub shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scoredag.bench.output.cells import Cell, quantity
from scoredag.bench.output.document import MADE, NO_RUNS, SIGNS, SUMMARY, Document
from scoredag.bench.output.tables import Table


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
    """Write Markdown: what is reproduced, and the tables. Names in it are escaped."""
    summary = [[escaped(word) for word in line] for line in document.summary]
    parts = [
        f"# {escaped(document.title)}",
        *([escaped(document.description)] if document.description else []),
        *([SUMMARY, _grid(summary, words=2)] if summary else []),
        *map(escaped, document.how_to_read),
        *(part for table in document.tables for part in _table(table)),
        f"## {MADE}",
        "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in document.made),
    ]
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> list[str]:
    heading = f"## {escaped(table.title)}"
    if not table.groups:
        return [heading, NO_RUNS]
    head = ["method"] + [
        escaped(f"{group.label} {quantity(metric).label}".strip())
        for group in table.groups
        for metric in table.metrics
    ]
    body = [
        [escaped(row.label) + _superscript(row.marks), *(_cell(cell, table) for cell in row.cells)]
        for row in table.rows
    ]
    notes = [f"<sup>{i}</sup> {escaped(text)}" for i, text in enumerate(table.notes, 1)]
    return [heading, _grid([head, *body]), *(["<br>\n".join(notes)] if notes else [])]


def _cell(cell: Cell, table: Table) -> str:
    runs = f" ({cell.runs_text})" if cell.runs_text else ""
    ours = f"{_bold(cell.text, cell.best)}{runs}{_superscript(cell.notes)}"
    lines = [f"{ours} {SIGNS[cell.reproduced]}".rstrip()]
    if cell.at_best_text:
        lines.append(f"<sub>{cell.at_best_text}</sub>")
    if cell.published is not None and table.reference is not None:
        number = _bold(cell.published.text, cell.published_best)
        lines.append(f"<sub>{escaped(table.reference.short)} {number}</sub>")
    return "<br>".join(lines)


def _bold(text: str, best: bool) -> str:
    return f"**{escaped(text)}**" if best else escaped(text)


def _superscript(notes: Sequence[object]) -> str:
    return f"<sup>{','.join(map(str, notes))}</sup>" if notes else ""


def _grid(lines: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table whose first columns are words, set to the left, and the others numbers."""
    head, *body = lines
    rule = [":--"] * words + ["--:"] * (len(head) - words)
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))
