"""A result as one HTML page that needs nothing else: no network, no scripts, no fonts.

`summarise` collects what a fitted estimator found; `render_page` writes the page.
"""

from scoredag.report.finding import Curve, Edge, Finding, summarise
from scoredag.report.page import render_page

__all__ = ["Curve", "Edge", "Finding", "render_page", "summarise"]
