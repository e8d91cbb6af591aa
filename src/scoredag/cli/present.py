"""The end of a command: the result on standard output, as a document or for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from scoredag.cli.display import show_finding
from scoredag.cli.document import finding_document, to_json
from scoredag.cli.outputs import PAGE
from scoredag.report import Finding


def present(finding: Finding, *, as_json: bool, written: Sequence[Path]) -> None:
    """Print a finding, and say where it was written or how it could be."""
    if as_json:
        typer.echo(to_json(finding_document(finding)))
        return
    from scoredag.cli.console import for_results

    console = for_results()
    show_finding(finding, console)
    console.print(f"\n{_closing(written)}", markup=False, soft_wrap=True)


def _closing(written: Sequence[Path]) -> str:
    if written:
        listed = ", ".join(str(path) for path in written)
        return f"Wrote {listed}.{' Open the page in a browser.' * _has_page(written)}"
    return (
        "Keep it: --output graph.gml for the graph, --output report.html for a page with figures."
    )


def _has_page(paths: Sequence[Path]) -> bool:
    return any(path.suffix.lower() == PAGE for path in paths)
