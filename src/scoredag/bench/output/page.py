"""The tables and the plots as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from scoredag.bench.output.cells import Cell, quantity
from scoredag.bench.output.document import MADE, NO_RUNS, SIGNS, SUMMARY, Document
from scoredag.bench.output.tables import Table
from scoredag.report.html import embedded_svg, html_page
from scoredag.report.markup import Markup, join, tag

# What this page adds to the style sheet of reports.
_STYLE = """
main { max-width: 1240px; }
table { width: auto; min-width: 60%; }
th, td { max-width: none; white-space: nowrap; vertical-align: top; line-height: 1.35; }
th.group { text-align: center; color: var(--ink); font-size: .93rem; }
.start { border-left: 1px solid var(--rule); }
tbody tr:hover { background: var(--box); }
td small { display: block; color: var(--soft); font-size: .8rem; }
.none { color: var(--soft); }
.yes { color: var(--correct); } .no { color: var(--extra); }
td .mark { display: inline-block; width: 1.2em; text-align: center; font-weight: 400; }
sup { color: var(--soft); font-size: .7rem; line-height: 0; padding-left: .25rem; }
.notes { color: var(--soft); font-size: .85rem; padding: 0; margin: .4rem 0 0; list-style: none; }
.contents { columns: 17rem; padding-left: 1.1rem; font-size: .92rem; }
.read { max-width: 62rem; font-size: .92rem; }
a { color: var(--accent); }
figure { margin: 1rem 0; } figure svg { display: block; max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
"""


def render_page(document: Document) -> str:
    """Write a self-contained HTML page: what is reproduced, the tables, and the plots.

    It loads nothing and runs nothing, and every name in it is escaped.
    """
    return html_page(
        document.title,
        tag("p", document.description, class_="lead") if document.description else None,
        _summary(document.summary) if document.summary else None,
        *(tag("p", line, class_="soft read") for line in document.how_to_read),
        _contents(document),
        *(_section(table, number) for number, table in enumerate(document.tables, 1)),
        _plots(document) if document.pictures else None,
        tag("h2", MADE),
        tag("dl", *(join(tag("dt", name), tag("dd", value)) for name, value in document.made)),
        style=_STYLE,
    )


def _summary(lines: Sequence[Sequence[str]]) -> Markup:
    head, *rows = [
        tag(
            "tr",
            tag("th", data),
            tag("td" if number else "th", method),
            *(tag("td" if number else "th", text, class_="number") for text in texts),
        )
        for number, (data, method, *texts) in enumerate(lines)
    ]
    return join(tag("p", SUMMARY, class_="lead"), _framed(head, rows))


def _framed(head: Markup, lines: Sequence[Markup]) -> Markup:
    return tag("div", tag("table", tag("thead", head), tag("tbody", *lines)), class_="scroll")


def _contents(document: Document) -> Markup:
    links = [(f"#table-{number}", table.title) for number, table in enumerate(document.tables, 1)]
    links += [("#plots", "Plots")] if document.pictures else []
    return tag(
        "ul", *(tag("li", tag("a", text, href=href)) for href, text in links), class_="contents"
    )


def _section(table: Table, number: int) -> Markup:
    heading = tag("h2", table.title, id=f"table-{number}")
    if not table.groups:
        return join(heading, tag("p", NO_RUNS, class_="soft"))
    width = len(table.metrics)
    groups = [
        tag("th", group.label, colspan=width, scope="colgroup", class_="group start")
        for group in table.groups
    ]
    metrics = [
        tag("th", quantity(metric).label, scope="col", class_=_class(index))
        for _ in table.groups
        for index, metric in enumerate(table.metrics)
    ]
    rows = [
        tag(
            "tr",
            tag("th", row.label, _superscript(row.marks), scope="row"),
            *(
                tag("td", *_cell(cell, table), class_=_class(index % width))
                for index, cell in enumerate(row.cells)
            ),
        )
        for row in table.rows
    ]
    notes = [tag("li", tag("sup", str(i)), " ", text) for i, text in enumerate(table.notes, 1)]
    head = join(tag("tr", tag("td"), *groups), tag("tr", tag("th", "method"), *metrics))
    return join(heading, _framed(head, rows), tag("ul", *notes, class_="notes") if notes else None)


def _class(index: int) -> str:
    """The first column of a group has a line on its left."""
    return "number" if index else "number start"


def _cell(cell: Cell, table: Table) -> list[Markup | str | None]:
    shown = _bold(cell.text, cell.best)
    parts: list[Markup | str | None] = [
        shown if cell.mean is not None else tag("span", shown, class_="none"),
        f" ({cell.runs_text})" if cell.runs_text else None,
        _superscript(cell.notes),
        _mark(cell.reproduced) if table.reference else None,
        tag("small", cell.at_best_text) if cell.at_best_text else None,
    ]
    if cell.published is not None and table.reference is not None:
        number = _bold(cell.published.text, cell.published_best)
        parts.append(tag("small", f"{table.reference.short} ", number))
    return parts


def _bold(text: str, best: bool) -> Markup:
    return tag("strong", text) if best else join(text)


def _mark(reproduced: bool | None) -> Markup:
    """The sign, or as much room, so that numbers stand below each other."""
    if reproduced is None:
        return tag("span", class_="mark")
    name, title = ("yes", "reproduced") if reproduced else ("no", "not reproduced")
    return tag("span", SIGNS[reproduced], class_=f"mark {name}", title=title)


def _superscript(notes: Sequence[object]) -> Markup | None:
    return tag("sup", ",".join(map(str, notes))) if notes else None


def _plots(document: Document) -> Markup:
    figures = [
        tag(
            "figure",
            embedded_svg(picture.svg, f"plot{number}", picture.caption),
            tag("figcaption", picture.caption),
        )
        for number, picture in enumerate(document.pictures, 1)
    ]
    return join(tag("h2", "Plots", id="plots"), *figures)
