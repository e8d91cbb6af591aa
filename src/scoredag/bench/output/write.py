"""Write tables and plots to a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scoredag.bench.output.document import Document, provenance
from scoredag.bench.output.frame import Row
from scoredag.bench.output.markdown import render_markdown
from scoredag.bench.output.page import render_page
from scoredag.bench.output.tables import make_tables
from scoredag.replacing import replacing

MARKDOWN, PAGE = "tables.md", "tables.html"


def write_output(
    rows: Iterable[Row],
    spec_tables: Sequence[Mapping[str, Any]],
    folder: str | Path,
    *,
    title: str,
    description: str = "",
    command: str | None = None,
    plots: bool = True,
) -> list[Path]:
    """Write the tables of a benchmark as Markdown and HTML, and its plots as SVG.

    Parameters
    ----------
    rows : iterable of mapping
        One a run, in the order in which tables should show methods and data.
    spec_tables : sequence of mapping
        ``[[tables]]`` of the spec, see `scoredag.bench.layout`; ValueError if one is wrong.
    folder : path
        Where to write; it is made if it is not there. Files are replaced whole.
    title, description, command : str, optional
        The heading, what it is about, and how to make the same results.
    plots : bool, default=True
        Whether to draw plots. Without matplotlib there are none, and the tables say so.

    Returns
    -------
    list of Path
        The Markdown, the page, and the plots that are not empty. The same rows give the same files.
    """
    runs = list(rows)
    tables = make_tables(runs, spec_tables)
    made, pictures = provenance(runs, command), []
    if plots and can_plot():
        from scoredag.bench.output.plots import draw_plots

        pictures = draw_plots(runs, next((t.reference for t in tables if t.reference), None))
    elif plots:
        made.append(("Plots", "not drawn: matplotlib is not installed"))
    document = Document(title, tables, made, description, pictures)
    texts = {
        MARKDOWN: render_markdown(document),
        PAGE: render_page(document),
        **{picture.filename: picture.svg for picture in pictures},
    }
    for name, text in texts.items():
        with replacing(Path(folder) / name) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")
    return [Path(folder) / name for name in texts]


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None
