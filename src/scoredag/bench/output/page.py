"""The tables as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.document import Document, Picture
from scoredag.bench.output.pivot import Table, TableRow
from scoredag.bench.output.quantities import quantity
from scoredag.bench.output.style import STYLE as TABLE_STYLE
from scoredag.bench.output.summary import summary_lines
from scoredag.bench.output.svg import inlined
from scoredag.bench.output.wording import (
    DIFFERENT,
    MADE,
    NO_RUNS,
    REPRODUCED,
    SUMMARY,
    how_to_read,
)
from scoredag.report.markup import Markup, join, tag, void
from scoredag.report.page import POLICY
from scoredag.report.style import STYLE


def render_page(document: Document) -> str:
    """Write a self-contained HTML page: what is reproduced, the tables, and the plots.

    It loads nothing and runs nothing, and every name in it is escaped.
    """
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=POLICY),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", document.title),
        tag("style", Markup(STYLE + TABLE_STYLE)),
    )
    body = tag(
        "main",
        tag("h1", document.title),
        tag("p", document.description, class_="lead") if document.description else None,
        _summary(summary_lines(document.tables)),
        *(tag("p", line, class_="soft read") for line in how_to_read(document.tables)),
        _contents(document),
        *(_section(table, number) for number, table in enumerate(document.tables, 1)),
        _plots(document.pictures),
        _made(document.made),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _summary(lines: Sequence[Sequence[str]]) -> Markup | None:
    if not lines:
        return None
    (data, method, *metrics), *body = lines
    head = [
        *(tag("th", name, scope="col", class_="word") for name in (data, method)),
        *(tag("th", metric, scope="col") for metric in metrics),
    ]
    rows = [
        tag(
            "tr",
            tag("th", data, scope="row"),
            tag("td", method, class_="word"),
            *(tag("td", text) for text in texts),
        )
        for data, method, *texts in body
    ]
    return join(tag("p", SUMMARY, class_="lead"), _framed(tag("tr", *head), rows))


def _framed(head: Markup, lines: Sequence[Markup]) -> Markup:
    table = tag("table", tag("thead", head), tag("tbody", *lines), class_="bench")
    return tag("div", table, class_="scroll")


def _contents(document: Document) -> Markup:
    entries = [
        tag("li", tag("a", table.title, href=f"#table-{number}"))
        for number, table in enumerate(document.tables, 1)
    ]
    if document.pictures:
        entries.append(tag("li", tag("a", "Plots", href="#plots")))
    return tag("ul", *entries, class_="contents")


def _section(table: Table, number: int) -> Markup:
    heading = tag("h2", table.title, id=f"table-{number}")
    if not table.groups:
        return join(heading, tag("p", NO_RUNS, class_="soft"))
    notes = [
        tag("li", tag("sup", str(number)), " ", text) for number, text in enumerate(table.notes, 1)
    ]
    return join(
        heading,
        _framed(_head(table), [_row(row, table) for row in table.rows]),
        tag("ul", *notes, class_="notes") if notes else None,
    )


def _head(table: Table) -> Markup:
    width = len(table.metrics)
    groups = [
        tag("th", group.label, colspan=width, scope="colgroup", class_="group start")
        for group in table.groups
    ]
    metrics = [
        tag("th", quantity(metric).label, scope="col", class_=_start(index))
        for _ in table.groups
        for index, metric in enumerate(table.metrics)
    ]
    return join(tag("tr", tag("td"), *groups), tag("tr", tag("th", "method"), *metrics))


def _start(index: int) -> str | None:
    """The first column of a group has a line on its left."""
    return None if index else "start"


def _row(row: TableRow, table: Table) -> Markup:
    width = len(table.metrics)
    label = tag("th", row.label, _superscript(row.marks), scope="row")
    cells = [
        tag("td", *_cell(cell, table), class_=_start(index % width))
        for index, cell in enumerate(row.cells)
    ]
    return tag("tr", label, *cells)


def _cell(cell: Cell, table: Table) -> list[Markup | str | None]:
    shown = tag("strong", cell.text) if cell.best else join(cell.text)
    return [
        shown if cell.mean is not None else tag("span", shown, class_="none"),
        f" ({cell.runs_text})" if cell.runs_text else None,
        _superscript(cell.notes),
        _mark(cell.reproduced) if table.reference else None,
        tag("small", cell.at_best_text) if cell.at_best_text else None,
        _published(cell, table),
    ]


def _mark(reproduced: bool | None) -> Markup:
    """The sign, or as much room, so that numbers stand below each other."""
    if reproduced is None:
        return tag("span", class_="mark")
    sign, word = (REPRODUCED, "reproduced") if reproduced else (DIFFERENT, "not reproduced")
    return tag("span", sign, class_="mark yes" if reproduced else "mark no", title=word)


def _published(cell: Cell, table: Table) -> Markup | None:
    if cell.published is None or table.reference is None:
        return None
    text = cell.published.text
    number = tag("strong", text) if cell.published_best else text
    return tag("small", f"{table.reference.short} ", number)


def _superscript(notes: Sequence[object]) -> Markup | None:
    return tag("sup", ",".join(map(str, notes))) if notes else None


def _plots(pictures: Sequence[Picture]) -> Markup | None:
    if not pictures:
        return None
    figures = [
        tag(
            "figure",
            inlined(picture.svg, f"plot{number}", picture.caption),
            tag("figcaption", picture.caption),
            class_="plot",
        )
        for number, picture in enumerate(pictures, 1)
    ]
    return join(tag("h2", "Plots", id="plots"), *figures)


def _made(made: Sequence[tuple[str, str]]) -> Markup:
    pairs = [join(tag("dt", name), tag("dd", value)) for name, value in made]
    return join(tag("h2", MADE), tag("dl", *pairs, class_="made"))
