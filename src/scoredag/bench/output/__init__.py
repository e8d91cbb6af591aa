"""The output of a benchmark: tables in the layout of papers, published numbers beside ours, plots.

    rows -> frame -> tables of cells -> Markdown, HTML
                  -> plots (SVG)

`write_output` does all of it. What a table shows is a ``[[tables]]`` block of the spec
(`scoredag.bench.layout`); published numbers are files in ``bench/references``.
"""

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.document import Document, count_reproduced
from scoredag.bench.output.markdown import render_markdown
from scoredag.bench.output.page import render_page
from scoredag.bench.output.tables import Table, make_tables
from scoredag.bench.output.write import write_output

__all__ = [
    "Cell",
    "Document",
    "Table",
    "count_reproduced",
    "make_tables",
    "render_markdown",
    "render_page",
    "write_output",
]
