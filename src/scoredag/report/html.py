"""HTML pages that need nothing else: reports and benchmarks are written by the same function."""

from __future__ import annotations

import re
from types import MappingProxyType

from scoredag.report.markup import Markup, tag, void
from scoredag.report.style import STYLE

# Nothing may be loaded and nothing may run, whatever a column is called.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"

# Colours of text and lines in a plot, and the variables of the style sheet that replace them.
INK, SOFT, RULE, PAPER = "#1d2129", "#5d6675", "#e1e4e8", "#ffffff"
_VARIABLES = MappingProxyType(
    {INK: "var(--ink)", SOFT: "var(--soft)", RULE: "var(--rule)", PAPER: "var(--card)"}
)


def html_page(title: str, *sections: Markup | None, style: str = "") -> str:
    """Write a self-contained page: it loads nothing and runs nothing.

    Parameters
    ----------
    title : str
        Of the document, and the first heading.
    *sections : Markup or None
        What follows the heading; None is left out.
    style : str, optional
        CSS in addition to the style sheet of reports.

    Examples
    --------
    >>> page = html_page("A & B", tag("p", "text"))
    >>> page[:15], "<main><h1>A &amp; B</h1><p>text</p></main>" in page
    ('<!doctype html>', True)
    """
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=POLICY),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(STYLE + style)),
    )
    body = tag("body", tag("main", tag("h1", title), *sections))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def embedded_svg(svg: str, prefix: str, label: str) -> Markup:
    """Prepare an SVG document for a page: colours that follow light and dark, ids of its own.

    Parameters
    ----------
    svg : str
        A document that matplotlib wrote.
    prefix : str
        For its ids: plots on one page share theirs otherwise.
    label : str
        What it shows, for readers who do not see it.

    Examples
    --------
    >>> embedded_svg('<?xml ?><svg id="a"><path style="fill: #1d2129"/></svg>', "p", "Time")
    '<svg role="img" aria-label="Time" id="p-a"><path style="fill: var(--ink)"/></svg>'
    """
    element = svg[svg.index("<svg") :].strip().removeprefix("<svg")
    # A rule for everything would leave the plot and hold for the page.
    element = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", element, count=1, flags=re.DOTALL)
    element = re.sub(r"<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    element = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}-", element)
    for colour, variable in _VARIABLES.items():
        element = element.replace(colour, variable)
    return Markup(tag("svg", role="img", aria_label=label).removesuffix("></svg>") + element)
