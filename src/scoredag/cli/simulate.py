"""``scoredag simulate``: data whose causal graph is known."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoredag.cli.errors import UsageProblem
from scoredag.cli.options import GRAPHS, MECHANISMS, MODELS, NOISES, AsJson, listed, one_of
from scoredag.cli.outputs import (
    check_output,
    graph_suffixes,
    named_on_failure,
    refuse_same_file,
    replaced,
)

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
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            help=f"How causes and noise make a column: {listed(MODELS)}.",
            callback=one_of(MODELS),
        ),
    ] = "additive",
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", "-d", min=2, help="Columns; by default 10, or 20 for sensors."),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", "-n", min=1, help="Rows.")] = 1000,
    graph: Annotated[
        str | None,
        typer.Option(
            "--graph",
            "-g",
            help=f"Kind of random graph ({listed(GRAPHS)}) and edges per node; by default ER4, or "
            "BIPARTITE5 for sensors.",
        ),
    ] = None,
    mechanism: Annotated[
        str | None,
        typer.Option(
            help=f"Function of the causes: {listed(MECHANISMS)}; by default gp.",
            callback=one_of(MECHANISMS),
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            help=f"Noise: {listed(NOISES)}; by default gaussian, or uniform for multiplicative.",
            callback=one_of(NOISES),
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another option of the model, such as levels=10 for rounded, or a range "
            "such as noise_variance=0.4,0.8; repeat for several.",
        ),
    ] = None,
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Scale every column to variance 1.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Which data set; the same seed, the same.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Draw a random graph and data from it, and write both.

    With the default model and mechanism these are the data sets of the SCORE paper, seed by seed.
    Columns stand in random order. A pair of cause and effect is --nodes 2 --graph ER1.
    """
    from rich.console import Console

    from scoredag.cli.console import to_json
    from scoredag.cli.progress import DelayedProgress
    from scoredag.cli.wording import with_phrases
    from scoredag.data.wording import counted
    from scoredag.graph import to_networkx, write_graph
    from scoredag.simulate import simulated_dataset
    from scoredag.simulate.dags import check_graph
    from scoredag.simulate.dataset import check_options, usual_setting

    usual_nodes, usual_graph = usual_setting(model)
    nodes = nodes or usual_nodes
    graph = parse_graph(graph or usual_graph)
    options = gather_settings({"mechanism": mechanism, "noise": noise}, settings or [])
    truth = truth or data.with_suffix(".truth.csv")
    check_output(data, TABLE_SUFFIXES)
    check_output(truth, graph_suffixes())
    refuse_same_file([data, truth])
    try:
        check_graph(nodes, graph)
    except ValueError as error:
        reason = with_phrases(str(error))
        raise UsageProblem(f"--graph {graph} with --nodes {nodes}: {reason}.") from error
    try:
        check_options(model, [name for name, value in options.items() if value is not None])
        with DelayedProgress(Console(stderr=True)) as progress:
            drawn = simulated_dataset(
                model,
                nodes,
                graph,
                n=rows,
                standardize=standardize,
                seed=seed,
                progress=partial(progress, "simulate"),
                **options,
            )
    except ValueError as error:
        raise UsageProblem(f"--model {model}: {error}.") from error
    names = [f"x{k}" for k in range(nodes)]
    with replaced(data) as target:
        write_table(drawn.X, names, target)
    with named_on_failure(truth):
        write_graph(to_networkx(drawn.adjacency, names), truth)
    edges = int(drawn.adjacency.sum())
    if as_json:
        summary = {"data": str(data), "truth": str(truth), "rows": rows, "columns": nodes}
        typer.echo(to_json(summary | {"edges": edges, "model": model, "seed": seed}))
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


def parse_graph(text: str) -> str:
    """Check the name of a kind of graph and its edges per node, in capitals or not.

    Examples
    --------
    >>> parse_graph("sf1")
    'SF1'
    """
    from scoredag.simulate import dags

    try:
        dags.parse_graph(text.upper())
    except ValueError as error:
        raise typer.BadParameter(f"--graph must be {dags.graph_words()}; got {text!r}.") from error
    return text.upper()


def gather_settings(given: dict[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """Add settings such as "levels=10" to the options of a model; no option is given twice.

    Examples
    --------
    >>> gather_settings({"noise": "gumbel", "mechanism": None}, ["levels=10"])
    {'noise': 'gumbel', 'mechanism': None, 'levels': 10}
    """
    options = dict(given)
    for name, value in map(parse_setting, texts):
        if options.get(name) is not None:
            raise typer.BadParameter(f"{name} is given twice: as {options[name]!r} and {value!r}.")
        options[name] = value
    return options


def parse_setting(text: str) -> tuple[str, Any]:
    """Split the name of a model's option from its value: a number, a pair of numbers or a word.

    Examples
    --------
    >>> parse_setting("levels=10"), parse_setting("distortion=cube")
    (('levels', 10), ('distortion', 'cube'))
    >>> parse_setting("noise_variance=0.4,0.8")
    ('noise_variance', (0.4, 0.8))
    """
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier() or not value:
        raise typer.BadParameter(f"--set must be NAME=VALUE, such as levels=10; got {text!r}.")
    for kind in (int, float):
        with suppress(ValueError):
            parts = [kind(part) for part in value.split(",")]
            return name, parts[0] if len(parts) == 1 else tuple(parts)
    return name, value
