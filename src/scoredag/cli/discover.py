"""``scoredag discover``: the causal graph of a table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoredag.cli.options import (
    CRITERIA,
    JSON_HELP,
    METHODS,
    NONE,
    PRUNERS,
    SCORE_ESTIMATORS,
    SCREENS,
    SMOOTHINGS,
    between,
    listed,
    one_of,
    one_of_words,
    threads,
)
from scoredag.cli.outputs import PAGE, check_outputs, graph_suffixes
from scoredag.cli.rules import (
    Forbid,
    KnowledgeFile,
    Require,
    Root,
    Sink,
    Tier,
    WithinTiers,
    knowledge_from,
)
from scoredag.settings import EDGE_TEST, SEARCH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scoredag.data import Table
    from scoredag.data.block_table import BlockTable
    from scoredag.data.opening import TableSize

# Options by the panel of the help in which they stand.
_table = partial(typer.Option, rich_help_panel="The table")
_method = partial(typer.Option, rich_help_panel="The method")
_result = partial(typer.Option, rich_help_panel="The result")


def discover(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="CSV, TSV, Parquet or Feather file, one row an observation, also compressed (.gz, "
            ".bz2, .xz, .zip); a folder of Parquet files; - for standard input.",
            show_default=False,
        ),
    ],
    select: Annotated[
        list[str] | None,
        _table(
            "--select", "-s", help="Columns to analyse; may be repeated, or a list with commas."
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, _table("--drop", "-d", help="Columns to leave out, written alike.")
    ] = None,
    standardize: Annotated[
        bool,
        _table(
            "--standardize",
            help="Scale every column to variance 1 first, so that units do not matter; to "
            "scoregp they never do.",
        ),
    ] = False,
    header: Annotated[
        bool | None,
        _table(
            "--header/--no-header",
            help="Whether the first line holds the names (by default, unless it is all numbers).",
        ),
    ] = None,
    decimal: Annotated[str, _table(help="Decimal mark of a text table.")] = ".",
    na: Annotated[
        list[str] | None,
        _table(
            "--na",
            help="How a missing value is written, beside empty cells, NA, NaN and the like, such "
            "as ? or -999. May be repeated.",
        ),
    ] = None,
    drop_incomplete: Annotated[
        bool,
        _table(
            "--drop-incomplete",
            help="Leave out rows with a missing value instead of refusing the table.",
        ),
    ] = False,
    memory: Annotated[
        float | None,
        _table(
            help="Memory budget in GB, by default what the machine has. Parquet tables that take "
            "more than a quarter of it in memory are read in blocks; score analyses all their "
            "rows, scoregp a sample. An analysis that needs more than the budget, and more than "
            "0.25 GB, is refused.",
            callback=between(0, float("inf")),
        ),
    ] = None,
    method: Annotated[
        str,
        _method(
            "--method",
            "-m",
            help=f"What finds the graph: {listed(METHODS)}.",
            callback=one_of(METHODS),
        ),
    ] = "scoregp",
    noise: Annotated[
        str | None,
        _method(
            help="free or normal: whether the noise may have any density and a scale that depends "
            "on the causes, as by default; scoregp only.",
            callback=one_of_words("free", "normal"),
        ),
    ] = None,
    margins: Annotated[
        str | None,
        _method(
            help="auto, rank or raw: which columns enter by their ranks; by default those with "
            "heavy tails, where that is more likely; scoregp only.",
            callback=one_of_words("auto", "rank", "raw"),
        ),
    ] = None,
    random_state: Annotated[
        int | None,
        _method(
            help="Draws rows: of the search of scoregp, of the landmarks of score, of training. "
            "Another number shows what rests on the draw.",
            min=0,
        ),
    ] = None,
    rows: Annotated[
        int | None,
        _method(
            help=f"Rows to which the search fits functions, by default {SEARCH.rows:,}, or all "
            "if they are fewer; a table of "
            f"{SEARCH.rows_to_grow:,} rows is searched again on {SEARCH.grown_rows[0]:,}; scoregp "
            "only.",
            min=SEARCH.fewest_rows,
        ),
    ] = None,
    final_rows: Annotated[
        int | None,
        _method(
            help=f"Rows on which the search compares orders, by default {SEARCH.final_rows:,}: "
            "more show fainter causes, in a time that grows with their cube; scoregp only.",
            min=SEARCH.fewest_rows,
        ),
    ] = None,
    criterion: Annotated[
        str | None,
        _method(help=f"How a leaf is told: {listed(CRITERIA)}.", callback=one_of(CRITERIA)),
    ] = None,
    score_estimator: Annotated[
        str | None,
        _method(
            help=f"What estimates the score: {listed(SCORE_ESTIMATORS)}; local is for 100 and "
            "more columns, amortised needs PyTorch; score only.",
            callback=one_of(SCORE_ESTIMATORS),
        ),
    ] = None,
    pruner: Annotated[
        str | None,
        _method(help=f"What tests the edges: {listed(PRUNERS)}.", callback=one_of(PRUNERS)),
    ] = None,
    alpha: Annotated[
        float | None,
        _method(
            help="Level of the tests of edges. scoregp: at most about the chance that a column "
            f"without causes gets one, by default {EDGE_TEST.alpha:g}; other methods: an edge "
            "stays where its p-value is below this, by default 0.001.",
            callback=between(0, 1),
        ),
    ] = None,
    smoothing: Annotated[
        str | None,
        _method(
            help=f"What chooses how smooth effects are: {listed(SMOOTHINGS)}.",
            callback=one_of(SMOOTHINGS),
        ),
    ] = None,
    screen: Annotated[
        str | None,
        _method(
            help=f"What leaves only near columns to be tested, of hundreds: {listed(SCREENS)}; "
            f"{NONE} tests all. By default scoregp screens more than {SEARCH.most_unscreened} "
            "columns; for scoregp, and for score with the pruners cam and gp.",
            callback=one_of(SCREENS, NONE),
        ),
    ] = None,
    eta: Annotated[
        float | None,
        _method(help="Ridge of Stein estimates of the score.", callback=between(0, float("inf"))),
    ] = None,
    reverse: Annotated[bool | None, _method("--reverse", help="Sort the other way round.")] = None,
    jobs: Annotated[
        int | None,
        _method(
            "--jobs",
            "-j",
            help="Threads; -1 takes all. The result does not depend on it.",
            callback=threads,
        ),
    ] = None,
    knowledge: KnowledgeFile = None,
    require: Require = None,
    forbid: Forbid = None,
    root: Root = None,
    sink: Sink = None,
    tier: Tier = None,
    edges_within_tiers: WithinTiers = True,
    output: Annotated[
        list[Path] | None,
        _result(
            "--output",
            "-o",
            help=f"File to write, by its suffix: the graph ({' '.join(graph_suffixes())}) or a "
            f"page with figures ({PAGE}). May be repeated.",
        ),
    ] = None,
    truth: Annotated[Path | None, _result(help="File with a graph to compare with.")] = None,
    as_json: Annotated[bool, _result("--json", help=JSON_HELP)] = False,
) -> None:
    """Find the causal graph of a table.

    Prints the causal order and the edges with their evidence. Options of the method default to
    what its authors published; one that the method does not have is an error.
    """
    from rich.console import Console

    from scoredag.cli.console import told_to

    # What is quick to refuse comes first; the estimators take seconds to import.
    outputs = output or []
    check_outputs(
        outputs,
        {
            "the table to read": Path(file),
            "the graph to compare with": truth,
            "the rules": knowledge,
        },
    )
    from scoredag.data import read_table
    from scoredag.data.budget import memory_budget

    options = {
        "noise": noise,
        "margins": margins,
        "random_state": random_state,
        "rows": rows,
        "final_rows": final_rows,
        "criterion": criterion,
        "score_estimator": score_estimator,
        "pruner": pruner,
        "alpha": alpha,
        "smoothing": smoothing,
        "screen": screen,
        "eta": eta,
        "reverse": reverse,
        "n_jobs": jobs,
    }
    budget = nullcontext if memory is None else partial(memory_budget, int(memory * 2**30))

    def check_size(size: TableSize, in_blocks: bool) -> None:
        if not drop_incomplete:  # how many rows are left is not known before
            from scoredag.cli.analysis import build, refuse_size

            with budget():
                refuse_size(build(method, options), size, in_blocks)

    console = Console(stderr=True)
    with told_to(console) as cautions:
        columns: dict[str, Any] = {
            "select": select,
            "drop": drop,
            "na": na or (),
            "incomplete": "drop" if drop_incomplete else "refuse",
        }
        table = _in_blocks(file, memory, jobs, columns, check_size)
        if table is None:
            table = read_table(file, header=header, decimal=decimal, **columns)
        prepared = _prepared(table, standardize, jobs)
    known = knowledge_from(
        knowledge, require, forbid, root, sink, tier, edges_within_tiers, table.names
    )

    from scoredag.cli.analysis import analyse, build
    from scoredag.cli.present import deliver

    reference = None if truth is None else _reference(truth, table)
    estimator = build(method, {"knowledge": known, **options})
    with budget():
        finding = analyse(estimator, prepared, console, truth=reference, cautions=cautions)
    deliver(finding, estimator.graph_, outputs, as_json=as_json)


def _in_blocks(
    file: str,
    memory: float | None,
    jobs: int | None,
    columns: dict[str, Any],
    check_size: Callable[[TableSize, bool], None],
) -> Table | BlockTable | None:
    """Open what is too large for memory, and load what is a folder; None for other files.

    What ``check_size`` refuses is not read.
    """
    from scoredag.data import open_table
    from scoredag.data.budget import about_blocks, machine_memory
    from scoredag.data.opening import may_be_large, stored_size
    from scoredag.data.reading import require_arrow
    from scoredag.exceptions import warn

    if not may_be_large(file):
        return None
    require_arrow()
    budget = machine_memory() if memory is None else int(memory * 2**30)
    size = stored_size(file, columns["select"], columns["drop"])
    message = about_blocks(size.nbytes, budget, file)
    check_size(size, message is not None)
    if message is None and not Path(file).is_dir():
        return None
    table = open_table(file, n_jobs=jobs, **columns)
    if message is None:
        return table.load()
    warn(message)
    return table


def _prepared(table: Table | BlockTable, standardize: bool, jobs: int | None) -> Table | BlockTable:
    """Check the table before it is scaled, so that a constant column is called constant."""
    from dataclasses import replace

    from scoredag.data import Table, check_columns
    from scoredag.data.standardise import standardise
    from scoredag.exceptions import DataError

    try:
        if not isinstance(table, Table):
            checked = table.checked(jobs)
            return checked.standardised(jobs) if standardize else checked
        check_columns(table.values, table.names)
    except DataError as error:
        raise DataError(f"{table.source}: {error}") from None
    if not standardize:
        return table
    source = f"{table.source}, columns standardised"
    return replace(table, values=standardise(table.values, decimals=None), source=source)


def _reference(path: Path, table: Table | BlockTable) -> NDArray[np.int64]:
    from scoredag.cli.graphs import load_graph, refuse_cycle, refuse_strangers
    from scoredag.graph import from_networkx

    graph = load_graph(path)
    refuse_strangers(graph, path, table)
    refuse_cycle(graph, path)
    return from_networkx(graph, table.names)
