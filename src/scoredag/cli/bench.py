"""``scoredag bench``: methods against data sets whose graph is known."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoredag.cli.errors import NO_RESULT, UsageProblem, fail
from scoredag.cli.options import AsJson, between

if TYPE_CHECKING:
    from scoredag.bench import Spec

FOLDER = Path("scoredag-bench")
# In a folder of ours: the spec whose benchmark it has.
_OWNER = ".scoredag-spec"


def bench(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC",
            help="The name of a spec that comes with scoredag, or a TOML file; --list shows them.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help=f"Folder for rows, tables and plots. By default {FOLDER}/SPEC.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Runs at a time, one thread each.")
    ] = 1,
    timeout: Annotated[
        float | None,
        typer.Option(
            help="Seconds for one run, in place of the spec's.", callback=between(0, float("inf"))
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder with data that cannot be bundled (syntren/, grandag/); it is checked and "
            "copied to the cache."
        ),
    ] = None,
    redo: Annotated[
        str | None,
        typer.Option(
            help="Rows to make again: failed, stale (made by other sources of scoredag) or all."
        ),
    ] = None,
    tables_only: Annotated[
        bool, typer.Option("--tables-only", help="Run nothing; write what is there anew.")
    ] = False,
    show_list: Annotated[
        bool, typer.Option("--list", help="List specs, data, methods and metrics, and exit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a benchmark: every method of a spec on every data set, one row a run.

    Rows are kept in the output folder as they come. Started again, it makes what is missing:
    it can be stopped at any time, in any way. The exit code is 1 if no run at all has a result.
    """
    if show_list:
        _print_list(as_json)
        return
    if spec is None:
        raise UsageProblem("name a spec, such as quick; scoredag bench --list shows them.")
    _check_redo(redo, tables_only)
    from scoredag.bench import read_spec
    from scoredag.bench.journal import check_export
    from scoredag.data.wording import counted
    from scoredag.datasets import fill_cache

    check_export()
    chosen = read_spec(spec, timeout=timeout)
    if data is not None:
        fill_cache(data)
    folder = output or _own_folder(spec, chosen.name, claim=not tables_only)
    command = _command(
        spec, output=output, jobs=jobs if jobs > 1 else None, timeout=timeout, data=data
    )
    rows = _run(chosen, folder, command, jobs=jobs, redo=redo, only_rows=tables_only)
    files = _write(rows, chosen, folder, command)
    _print_summary(rows, files, as_json)
    if not any(row["status"] == "done" for row in rows):
        fail(f"none of {counted(len(rows), 'run')} has a result: each row says why.", NO_RESULT)


def _check_redo(redo: str | None, tables_only: bool) -> None:
    from scoredag.bench.session import REDO

    if tables_only and redo is not None:
        raise UsageProblem("--tables-only runs nothing, so --redo has nothing to do: drop one.")
    if redo is not None and redo not in REDO:
        raise UsageProblem(f"--redo must be one of {', '.join(REDO)}; got {redo!r}.")


def _run(spec: Spec, folder: Path, command: str, **options: Any) -> list[dict[str, Any]]:
    """Make the rows with progress on standard error, and say how to go on once stopped."""
    from rich.console import Console

    from scoredag.bench import run_benchmark
    from scoredag.bench.session import stale
    from scoredag.cli.bench_progress import BenchProgress

    console = Console(stderr=True)
    try:
        with BenchProgress(console) as progress:
            rows = run_benchmark(spec, folder, progress=progress, **options)
    except KeyboardInterrupt:
        console.print(f"Stopped. What is done is kept: {command} goes on.", markup=False)
        raise
    old = stale(rows)
    if old:
        console.print(
            f"{old} rows were made by other sources of scoredag than these; --redo stale makes "
            "them again."
        )
    return rows


def _own_folder(spec: str, name: str, claim: bool) -> Path:
    """Choose the folder of a spec; specs of the same name from elsewhere have no part in it."""
    from scoredag.bench import spec_names
    from scoredag.replacing import replacing

    folder, owner = FOLDER / name, FOLDER / name / _OWNER
    source = spec if spec in spec_names() else os.path.relpath(spec)
    if owner.is_file() and (other := owner.read_text(encoding="utf-8").strip()) != source:
        raise UsageProblem(
            f"{folder} has the benchmark of {other}, which is another spec than {source}: name "
            "another folder with --output, or the same to go on in it."
        )
    if claim:
        with replacing(owner) as partial:
            partial.write_text(f"{source}\n", encoding="utf-8")
    return folder


def _command(spec: str, **options: object) -> str:
    """Write the command that makes, or goes on with, the same benchmark."""
    words = ["scoredag", "bench", spec]
    for name, value in options.items():
        words += [] if value is None else [f"--{name}", str(value)]
    return shlex.join(words)


def _write(rows: list[dict[str, Any]], spec: Spec, folder: Path, command: str) -> list[Path]:
    from scoredag.bench.journal import FILE_NAME, write_rows
    from scoredag.bench.output import write_output

    tables = write_output(
        rows, spec.tables, folder, title=spec.title, description=spec.description, command=command
    )
    # Without a journal, the rows came from runs.parquet, which stays as it is.
    return [*(write_rows(rows, folder) if (folder / FILE_NAME).is_file() else []), *tables]


def _print_summary(rows: list[dict[str, Any]], files: list[Path], as_json: bool) -> None:
    from collections import Counter

    from scoredag.cli.console import for_results, to_json
    from scoredag.cli.wording import with_phrases
    from scoredag.data.wording import counted

    counts = Counter(row["status"] for row in rows)
    reasons = Counter(
        (row["status"], row["method"], with_phrases(row["reason"]))
        for row in rows
        if row["status"] != "done"
    )
    if as_json:
        problems = [
            {"status": status, "method": method, "reason": reason, "runs": count}
            for (status, method, reason), count in reasons.items()
        ]
        document = {"runs": dict(counts), "problems": problems, "files": list(map(str, files))}
        typer.echo(to_json(document))
        return
    console = for_results()
    console.print(", ".join(f"{count} {status}" for status, count in counts.items()) + ".")
    for (status, method, reason), count in reasons.most_common():
        console.print(f"  {status}: {method}, {counted(count, 'run')}: {reason}", markup=False)
    console.print("Wrote " + ", ".join(map(str, files)) + ".", markup=False)


def _print_list(as_json: bool) -> None:
    from scoredag.bench.data_sets import PROBLEMS
    from scoredag.bench.methods import method_names
    from scoredag.bench.spec import MEASURES, read_spec, spec_names
    from scoredag.cli.console import to_json
    from scoredag.plugins import names

    specs = {name: read_spec(name) for name in spec_names()}
    known = {"data": names(PROBLEMS), "methods": method_names(), "metrics": names(MEASURES)}
    if as_json:
        titles = {name: spec.title for name, spec in specs.items()}
        typer.echo(to_json({"specs": titles} | known))
        return
    for name, spec in specs.items():
        typer.echo(f"{name}: {spec.title} ({len(spec.runs):,} runs)")
    for kind, listed in known.items():
        typer.echo(f"{kind}: {', '.join(listed)}")
