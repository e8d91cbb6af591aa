"""The end of a command: the result on standard output, as a document or for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from scoredag.cli.display import show_finding
from scoredag.cli.document import finding_document, to_json
from scoredag.cli.errors import UsageProblem
from scoredag.cli.outputs import PAGE, write_outputs
from scoredag.report import Finding


def deliver(finding: Finding, graph: Any, outputs: Sequence[Path], *, as_json: bool) -> None:
    """Write a finding to files and print it; where a file cannot be written, it is printed yet."""
    try:
        write_outputs(outputs, graph, finding)
    except UsageProblem:
        present(finding, as_json=as_json, written=None)
        raise
    present(finding, as_json=as_json, written=outputs)


def present(finding: Finding, *, as_json: bool, written: Sequence[Path] | None) -> None:
    """Print a finding, and say where it was written or how it could be; None says nothing."""
    if as_json:
        typer.echo(to_json(finding_document(finding)))
        return
    from scoredag.cli.console import for_results

    console = for_results()
    show_finding(finding, console)
    if written is not None:
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
