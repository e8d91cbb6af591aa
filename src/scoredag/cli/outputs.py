"""Files to write: refused before the work starts, written by their suffix after it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoredag.cli.choices import GRAPH_FORMATS
from scoredag.cli.errors import UsageProblem
from scoredag.plugins import names

if TYPE_CHECKING:
    from scoredag.report import Finding

PAGE = ".html"


def graph_suffixes() -> list[str]:
    """List the suffixes of the graph formats, which are the names of their files.

    Examples
    --------
    >>> graph_suffixes()
    ['.csv', '.dot', '.gml', '.json']
    """
    return [f".{name}" for name in names(GRAPH_FORMATS)]


def check_outputs(paths: Sequence[Path], source: str | None = None) -> None:
    """Raise `UsageProblem` if a result cannot be written to one of these files.

    Parameters
    ----------
    paths : sequence of Path
        Where to write graphs and pages.
    source : str, optional
        The file that is read, which must not be overwritten.
    """
    for path in paths:
        check_output(path, [*graph_suffixes(), PAGE])
        if source is not None and _same_file(path, source):
            raise UsageProblem(f"{path} is the table to read: choose another name for the result.")


def _same_file(path: Path, source: str) -> bool:
    return path.exists() and os.path.exists(source) and path.samefile(source)


def check_output(path: Path, suffixes: Sequence[str]) -> None:
    """Raise `UsageProblem` if a file of this name cannot be written."""
    if path.suffix.lower() not in suffixes:
        raise UsageProblem(f"{path}: the name must end in one of {', '.join(suffixes)}.")
    if path.is_dir():
        raise UsageProblem(f"{path} is a directory: give the path of a file.")
    if not path.parent.is_dir():
        raise UsageProblem(f"{path}: the folder {path.parent} does not exist. Create it first.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageProblem(f"{path} cannot be written: permission denied.")


def write_outputs(paths: Sequence[Path], graph: Any, finding: Finding) -> None:
    """Write a page or a graph to each file, whichever its suffix says."""
    from scoredag.graph import write_graph
    from scoredag.report import render_page

    for path in paths:
        if path.suffix.lower() == PAGE:
            path.write_text(render_page(finding), encoding="utf-8", errors="replace")
        else:
            write_graph(graph, path)
