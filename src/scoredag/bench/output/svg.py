"""Plots as part of a page: colours that follow light and dark, and ids of their own."""

from __future__ import annotations

import re
from types import MappingProxyType

from scoredag.report.markup import Markup, tag

# The colours of text and lines in a plot, and what the style sheet of the page calls them.
INK, SOFT, RULE, PAPER = "#1d2129", "#5d6675", "#e1e4e8", "#ffffff"
_VARIABLES = MappingProxyType(
    {INK: "var(--ink)", SOFT: "var(--soft)", RULE: "var(--rule)", PAPER: "var(--card)"}
)


def inlined(svg: str, prefix: str, label: str) -> Markup:
    """Prepare the SVG of a plot for a page.

    Parameters
    ----------
    svg : str
        A document that matplotlib wrote.
    prefix : str
        For its ids: plots on one page share theirs otherwise.
    label : str
        What it shows, for readers who do not see it.

    Returns
    -------
    Markup
        The ``svg`` element.

    Examples
    --------
    >>> inlined('<?xml ?><svg id="a"><path style="fill: #1d2129"/></svg>', "p", "Time")
    '<svg role="img" aria-label="Time" id="p-a"><path style="fill: var(--ink)"/></svg>'
    """
    element = svg[svg.index("<svg") :].strip()
    # A rule for everything would leave the plot and hold for the page.
    element = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", element, count=1, flags=re.DOTALL)
    element = re.sub(r"<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    element = re.sub(r'\bid="', f'id="{prefix}-', element)
    element = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", element)
    for colour, variable in _VARIABLES.items():
        element = element.replace(colour, variable)
    described = tag("svg", role="img", aria_label=label).removesuffix("></svg>")
    return Markup(described + element.removeprefix("<svg"))
