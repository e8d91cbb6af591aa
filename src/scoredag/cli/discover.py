"""``scoredag discover``: the causal graph of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoredag.arguments import FEWEST_SEARCH_ROWS
from scoredag.cli.choices import (
    CRITERIA,
    METHODS,
    PRUNERS,
    SMOOTHINGS,
    listed,
    one_of,
    one_of_words,
)
from scoredag.cli.outputs import PAGE, check_outputs, graph_suffixes
from scoredag.cli.ranges import between, threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scoredag.data import Table

TABLE, METHOD, RESULT = "The table", "The method", "The result"


def discover(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="CSV, TSV, Parquet or Feather file, one row an observation, also compressed (.gz, "
            ".bz2, .xz, .zip); - for standard input.",
            show_default=False,
        ),
    ],
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            "-s",
            help="Columns to analyse; may be repeated, or a list with commas.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(
            "--drop", "-d", help="Columns to leave out, written alike.", rich_help_panel=TABLE
        ),
    ] = None,
    standardize: Annotated[
        bool,
        typer.Option(
            "--standardize",
            help="Scale every column to variance 1 first, so that units do not matter; to "
            "scoregp they never do.",
            rich_help_panel=TABLE,
        ),
    ] = False,
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line holds the names (by default, unless it is all numbers).",
            rich_help_panel=TABLE,
        ),
    ] = None,
    decimal: Annotated[
        str, typer.Option(help="Decimal mark of a text table.", rich_help_panel=TABLE)
    ] = ".",
    na: Annotated[
        list[str] | None,
        typer.Option(
            "--na",
            help="How a missing value is written, beside empty cells, NA, NaN and the like, such "
            "as ? or -999. May be repeated.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    drop_incomplete: Annotated[
        bool,
        typer.Option(
            "--drop-incomplete",
            help="Leave out rows with a missing value instead of refusing the table.",
            rich_help_panel=TABLE,
        ),
    ] = False,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            help=f"What finds the graph: {listed(METHODS)}.",
            callback=one_of(METHODS),
            rich_help_panel=METHOD,
        ),
    ] = "scoregp",
    level: Annotated[
        float | None,
        typer.Option(
            help="At most about the chance that a column without causes gets one, by default 0.03; "
            "scoregp only.",
            callback=between(0, 1),
            rich_help_panel=METHOD,
        ),
    ] = None,
    margins: Annotated[
        str | None,
        typer.Option(
            help="auto, rank or raw: which columns enter by their ranks, by default those with "
            "heavy tails that are more likely so; scoregp only.",
            callback=one_of_words("auto", "rank", "raw"),
            rich_help_panel=METHOD,
        ),
    ] = None,
    random_state: Annotated[
        int | None,
        typer.Option(
            help="Draws the rows of the search: another number shows what rests on the draw; "
            "scoregp and grandag only.",
            min=0,
            rich_help_panel=METHOD,
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            help="Rows to which the search fits functions, by default 400, or all if they are "
            "fewer; scoregp only.",
            min=FEWEST_SEARCH_ROWS,
            rich_help_panel=METHOD,
        ),
    ] = None,
    final_rows: Annotated[
        int | None,
        typer.Option(
            help="Rows on which the search compares orders, by default 1,000: more show fainter "
            "causes, in a time that grows with their cube; scoregp only.",
            min=FEWEST_SEARCH_ROWS,
            rich_help_panel=METHOD,
        ),
    ] = None,
    criterion: Annotated[
        str | None,
        typer.Option(
            help=f"How a leaf is told: {listed(CRITERIA)}.",
            callback=one_of(CRITERIA),
            rich_help_panel=METHOD,
        ),
    ] = None,
    pruner: Annotated[
        str | None,
        typer.Option(
            help=f"What tests the edges: {listed(PRUNERS)}.",
            callback=one_of(PRUNERS),
            rich_help_panel=METHOD,
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            help="An edge stays where its p-value is below this; all methods but scoregp.",
            callback=between(0, 1),
            rich_help_panel=METHOD,
        ),
    ] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(
            help=f"What chooses how smooth effects are: {listed(SMOOTHINGS)}.",
            callback=one_of(SMOOTHINGS),
            rich_help_panel=METHOD,
        ),
    ] = None,
    eta: Annotated[
        float | None,
        typer.Option(
            help="Ridge of the score estimate.",
            callback=between(0, float("inf")),
            rich_help_panel=METHOD,
        ),
    ] = None,
    reverse: Annotated[
        bool | None,
        typer.Option("--reverse", help="Sort the other way round.", rich_help_panel=METHOD),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            help="Threads; -1 takes all. The result does not depend on it.",
            callback=threads,
            rich_help_panel=METHOD,
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help=f"File to write, by its suffix: the graph ({' '.join(graph_suffixes())}) or a "
            f"page with figures ({PAGE}). May be repeated.",
            rich_help_panel=RESULT,
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="File with a graph to compare with.",
            rich_help_panel=RESULT,
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON document, and nothing else, on standard output.",
            rich_help_panel=RESULT,
        ),
    ] = False,
) -> None:
    """Find the causal graph of a table.

    Prints the causal order and the edges with their evidence. Options of the method default to
    what its authors published; one that the method does not have is an error.
    """
    from rich.console import Console

    from scoredag.cli.cautions import told_to
    from scoredag.data import read_table

    # What is quick to refuse comes first; the estimators take seconds to import.
    outputs = output or []
    check_outputs(outputs, {"the table to read": Path(file), "the graph to compare with": truth})
    console = Console(stderr=True)
    with told_to(console) as cautions:
        table = read_table(
            file,
            select=select,
            drop=drop,
            header=header,
            decimal=decimal,
            na=na or (),
            incomplete="drop" if drop_incomplete else "refuse",
        )
    prepared = _prepared(table, standardize)

    from scoredag.cli.analysis import analyse, build
    from scoredag.cli.present import deliver

    reference = None if truth is None else _reference(truth, table)
    options = {
        "level": level,
        "margins": margins,
        "random_state": random_state,
        "rows": rows,
        "final_rows": final_rows,
        "criterion": criterion,
        "pruner": pruner,
        "alpha": alpha,
        "smoothing": smoothing,
        "eta": eta,
        "reverse": reverse,
        "n_jobs": jobs,
    }
    estimator = build(method, options)
    finding = analyse(estimator, prepared, console, truth=reference, cautions=cautions)
    deliver(finding, estimator.graph_, outputs, as_json=as_json)


def _prepared(table: Table, standardize: bool) -> Table:
    """Check the table before it is scaled, so that a constant column is called constant."""
    from dataclasses import replace

    from scoredag.data import check_columns
    from scoredag.data.standardise import standardise
    from scoredag.exceptions import DataError

    try:
        check_columns(table.values, table.names)
    except DataError as error:
        raise DataError(f"{table.source}: {error}") from None
    if not standardize:
        return table
    source = f"{table.source}, columns standardised"
    return replace(table, values=standardise(table.values, decimals=None), source=source)


def _reference(path: Path, table: Table) -> NDArray[np.int64]:
    from scoredag.cli.graphs import load_graph, refuse_cycle, refuse_strangers
    from scoredag.graph import from_networkx

    graph = load_graph(path)
    refuse_strangers(graph, path, table)
    refuse_cycle(graph, path)
    return from_networkx(graph, table.names)
