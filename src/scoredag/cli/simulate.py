"""``scoredag simulate``: data whose causal graph is known."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoredag.cli.errors import UsageProblem
from scoredag.cli.options import GRAPHS, MECHANISMS, NOISES, AsJson, listed, one_of
from scoredag.cli.outputs import (
    check_output,
    graph_suffixes,
    named_on_failure,
    refuse_same_file,
    replaced,
)
from scoredag.plugins import names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEPARATORS = {".csv": ",", ".tsv": "\t"}
TABLE_SUFFIXES = [*SEPARATORS, ".parquet", ".feather"]


def simulate(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Table to write (.csv .tsv .parquet .feather).",
            show_default=False,
        ),
    ],
    truth: Annotated[
        Path | None,
        typer.Option(
            help=f"Graph to write ({' '.join(graph_suffixes())}); by default beside the table, "
            ".truth.csv."
        ),
    ] = None,
    nodes: Annotated[int, typer.Option("--nodes", "-d", min=2, help="Columns.")] = 10,
    rows: Annotated[int, typer.Option("--rows", "-n", min=1, help="Rows.")] = 1000,
    graph: Annotated[
        str,
        typer.Option(
            "--graph",
            "-g",
            help=f"Kind of random graph ({listed(GRAPHS)}) and edges per node, such as ER4.",
        ),
    ] = "ER4",
    mechanism: Annotated[
        str,
        typer.Option(
            help=f"Function of the causes: {listed(MECHANISMS)}.", callback=one_of(MECHANISMS)
        ),
    ] = "gp",
    noise: Annotated[
        str, typer.Option(help=f"Noise: {listed(NOISES)}.", callback=one_of(NOISES))
    ] = "gaussian",
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Scale every column to variance 1.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Which data set; the same seed, the same.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Draw a random graph and data from it, and write both.

    With the default mechanism these are the data sets of the SCORE paper, seed by seed. Columns
    stand in random order.
    """
    import numpy as np
    from rich.console import Console

    from scoredag.cli.console import to_json
    from scoredag.cli.progress import DelayedProgress
    from scoredag.cli.wording import with_phrases
    from scoredag.data.wording import counted
    from scoredag.graph import to_networkx, write_graph
    from scoredag.simulate import random_dag, sample_anm

    kind, edges_per_node = parse_graph(graph)
    truth = truth or data.with_suffix(".truth.csv")
    check_output(data, TABLE_SUFFIXES)
    check_output(truth, graph_suffixes())
    refuse_same_file([data, truth])
    # The two streams that `scoredag.simulate.paper_dataset` draws from.
    for_graph, for_data = np.random.default_rng(seed).spawn(2)
    try:
        adjacency = random_dag(nodes, edges_per_node, kind=kind, rng=for_graph)
    except ValueError as error:
        reason = with_phrases(str(error))
        raise UsageProblem(f"--graph {graph} with --nodes {nodes}: {reason}.") from error
    with DelayedProgress(Console(stderr=True)) as progress:
        X = sample_anm(
            adjacency,
            rows,
            mechanism=mechanism,
            noise=noise,
            standardize=standardize,
            rng=for_data,
            progress=partial(progress, "simulate"),
        )
    names = [f"x{k}" for k in range(nodes)]
    with replaced(data) as target:
        write_table(X, names, target)
    with named_on_failure(truth):
        write_graph(to_networkx(adjacency, names), truth)
    edges = int(adjacency.sum())
    if as_json:
        summary = {"data": str(data), "truth": str(truth), "rows": rows, "columns": nodes}
        typer.echo(to_json(summary | {"edges": edges, "seed": seed}))
        return
    typer.echo(
        f"Wrote {data} ({counted(rows, 'row')}, {counted(nodes, 'column')}) and {truth} "
        f"({counted(edges, 'edge')}).\n"
        f"Next: {_next_step(data, truth)}"
    )


def write_table(X: NDArray[np.float64], names: Sequence[str], path: Path) -> None:
    """Write a table in the format of its suffix; text keeps every digit."""
    import numpy as np

    from scoredag.data.reading import require_arrow

    require_arrow()
    import pyarrow
    from pyarrow import csv, feather, parquet

    table = pyarrow.table({name: np.ascontiguousarray(X[:, k]) for k, name in enumerate(names)})
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        parquet.write_table(table, path)
    elif suffix == ".feather":
        feather.write_feather(table, path)
    else:
        separator = SEPARATORS[suffix]
        with path.open("wb") as file:
            file.write((separator.join(names) + "\n").encode())
            csv.write_csv(table, file, csv.WriteOptions(include_header=False, delimiter=separator))


def _next_step(data: Path, truth: Path) -> str:
    """Write the command that analyses the table, and compares where the graph can be read."""
    from scoredag.graph.files import readable_suffixes

    words = ["scoredag", "discover", str(data)]
    if truth.suffix.lower() in readable_suffixes():
        words += ["--truth", str(truth)]
    return shlex.join(words)


def parse_graph(text: str) -> tuple[str, float]:
    """Split a kind of graph from its edges per node.

    Examples
    --------
    >>> parse_graph("ER4"), parse_graph("sf1")
    (('er', 4), ('sf', 1))
    """
    match = re.fullmatch(r"([a-z_]+)(\d+)", text.lower())
    kinds = names(GRAPHS)
    if match is None or match[1] not in kinds:
        shown = ", ".join(kind.upper() for kind in kinds)
        raise typer.BadParameter(
            f"--graph must be one of {shown} and a whole number, such as ER4; got {text!r}."
        )
    return match[1], int(match[2])
