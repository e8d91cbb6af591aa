"""The output of a benchmark: tables in the layout of papers, published numbers beside ours, plots.

    rows -> pivot (cells) -> Markdown, HTML
    rows -> plots (SVG)

`write_output` does all of it. What a table shows is a ``[[tables]]`` block of the spec
(`scoredag.bench.output.layout`); published numbers are files in ``bench/references``.
"""

from scoredag.bench.output.cells import Cell
from scoredag.bench.output.document import Document
from scoredag.bench.output.layout import read_layout
from scoredag.bench.output.markdown import render_markdown
from scoredag.bench.output.page import render_page
from scoredag.bench.output.pivot import Table, make_tables
from scoredag.bench.output.reference import load_reference, reference_names
from scoredag.bench.output.summary import Tally, tally
from scoredag.bench.output.write import write_output

__all__ = [
    "Cell",
    "Document",
    "Table",
    "Tally",
    "load_reference",
    "make_tables",
    "read_layout",
    "reference_names",
    "render_markdown",
    "render_page",
    "tally",
    "write_output",
]
