"""``scoredag evaluate``: how far one graph is from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoredag.cli.options import AsJson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def evaluate(
    true: Annotated[
        Path,
        typer.Argument(
            metavar="TRUE",
            help="File with the graph to compare with.",
            show_default=False,
        ),
    ],
    pred: Annotated[
        Path,
        typer.Argument(
            metavar="PRED",
            help="File with the graph that was found.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Compare a graph with the true one: SHD, SID, precision and recall.

    Takes .csv, .dot, .gml, and .json, also as discover --json prints it. A .csv is an edge list
    with the columns cause and effect, or a matrix below the names of its nodes, where an entry in
    row a and column b means a -> b. Nodes are matched by name; a node that one file does not
    mention has no edges there.
    """
    from scoredag.cli.console import for_results, to_json
    from scoredag.cli.display import printable, show_figures
    from scoredag.cli.graphs import load_graph
    from scoredag.graph import from_networkx
    from scoredag.report.comparison import distances

    first, second = load_graph(true), load_graph(pred)
    names = list(dict.fromkeys([*first, *second]))
    graphs = from_networkx(first, names), from_networkx(second, names)
    figures = distances(*graphs)
    wrong = _wrong_edges(names, *graphs)
    alone = {
        "only_in_true": [name for name in names if name not in second],
        "only_in_pred": [name for name in names if name not in first],
    }
    _warn_of_strangers({true: alone["only_in_true"], pred: alone["only_in_pred"]})
    if as_json:
        values = {name.lower(): value for name, (value, _) in figures.items()}
        typer.echo(to_json({"nodes": len(names), **values, **wrong, **alone}))
        return
    console = for_results()
    show_figures(figures, console)
    for kind, edges in wrong.items():
        if edges:
            shown = ", ".join(f"{edge['cause']} → {edge['effect']}" for edge in edges)
            console.print(
                f"\n{kind.capitalize()}: {printable(shown)}", markup=False, soft_wrap=True
            )


def _warn_of_strangers(alone: Mapping[Path, Sequence[str]]) -> None:
    """Say which nodes have no counterpart: another spelling makes every edge a wrong one."""
    from rich.console import Console

    from scoredag.cli.console import tell
    from scoredag.data.wording import name_list

    found = [f"only in {path}: {name_list(names)}" for path, names in alone.items() if names]
    if found:
        message = (
            f"nodes {'; '.join(found)}. They count as nodes without edges in the other graph: "
            "check the spelling if they should be the same."
        )
        tell(message, Console(stderr=True))


def _wrong_edges(
    names: Sequence[str], true: NDArray[np.int64], pred: NDArray[np.int64]
) -> dict[str, list[dict[str, str]]]:
    """List the edges that differ; reversed ones in their true direction."""
    from scoredag.metrics import edge_report

    report = edge_report(true, pred)
    return {
        kind: [{"cause": names[i], "effect": names[j]} for i, j in edges]
        for kind, edges in (
            ("missing", report.missing),
            ("extra", report.extra),
            ("reversed", report.reversed),
        )
    }
