"""``scoredag demo``: discovery on the bundled protein data, with a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scoredag.cli.options import AsJson
from scoredag.cli.outputs import PAGE, check_output, free_name

DEFAULT = f"report{PAGE}"


def demo(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help=f"Page to write ({PAGE}), in place of any that is there. By default {DEFAULT}, or "
            "a name with a number if there is such a file.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the graph of the Sachs protein data, and compare it with the textbook.

    853 cells, 11 proteins and lipids, and a consensus network of 17 edges. Prints the order, the
    edges with their evidence, SHD and SID, and writes a page with the graph and every effect.
    """
    from rich.console import Console

    from scoredag.cli.analysis import analyse, build
    from scoredag.cli.present import deliver
    from scoredag.data import Table
    from scoredag.datasets import load_sachs

    page = output or free_name(Path(DEFAULT))
    check_output(page, [PAGE])
    sachs = load_sachs()
    table = Table(sachs.X, sachs.names, "the Sachs protein data")
    estimator = build("score", {})
    finding = analyse(estimator, table, Console(stderr=True), truth=sachs.adjacency)
    if output is None and page.name != DEFAULT:
        typer.echo(f"{DEFAULT} is there already and stays as it is.", err=True)
    deliver(finding, estimator.graph_, [page], as_json=as_json)
