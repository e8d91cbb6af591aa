"""From a table and options to a fitted method and its finding, for `discover` and `demo`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from scoredag.cli.console import told_to
from scoredag.cli.errors import UsageProblem
from scoredag.cli.options import METHODS, NONE, PRUNERS, SCORE_ESTIMATORS
from scoredag.cli.progress import DelayedProgress, worded_duration
from scoredag.cli.wording import FLAGS
from scoredag.costs import machine_factor, workers
from scoredag.data import Table
from scoredag.data.block_table import BlockTable
from scoredag.data.budget import current_budget
from scoredag.data.opening import TableSize
from scoredag.data.wording import listing
from scoredag.plugins import names, piece
from scoredag.report import Finding, summarise

if TYPE_CHECKING:
    from rich.console import Console

# Seconds beyond which a run is announced.
LONG = 60.0
# What only some pruners have; every method hands these on to its pruner.
PRUNING_OPTIONS = ("alpha", "smoothing", "screen")


def build(method: str, given: Mapping[str, Any]) -> Any:
    """Make an estimator from the options that were given.

    Parameters
    ----------
    method : str
        A name on the shelf of estimators.
    given : mapping of str to object
        Parameter and value; None stands for an option that was not given. The screen "none" is
        the library's None.

    Raises
    ------
    UsageProblem
        For an option that the method, or the chosen pruner or score estimator, does not have: never
        ignored.
    """
    options = {name: value for name, value in given.items() if value is not None}
    estimator = piece(METHODS, method)
    _refuse_unknown(options, METHODS, "--method", method)
    pruner = options.get("pruner")
    if pruner is not None:
        pruning = {name: value for name, value in options.items() if name in PRUNING_OPTIONS}
        _refuse_unknown(pruning, PRUNERS, "--pruner", pruner)
    estimate = options.get("score_estimator")
    if estimate is not None and "eta" in options:
        _refuse_unknown({"eta": options["eta"]}, SCORE_ESTIMATORS, "--score-estimator", estimate)
    if options.get("screen") == NONE:
        options["screen"] = None
    return estimator(**options)


def _refuse_unknown(options: Mapping[str, Any], shelf: str, chooser: str, chosen: str) -> None:
    for name in options:
        if not _takes(shelf, chosen, name):
            others = [other for other in names(shelf) if _takes(shelf, other, name)]
            have = f"{listing(others, limit=9)} {'has' if len(others) == 1 else 'have'} it"
            raise UsageProblem(
                f"{chooser} {chosen} has no option {FLAGS[name]}; {have}. Leave it out, or "
                f"choose with {chooser}."
            )


def _takes(shelf: str, name: str, option: str) -> bool:
    return option in inspect.signature(piece(shelf, name)).parameters


def refuse_size(estimator: Any, size: TableSize, in_blocks: bool) -> None:
    """Refuse a table before it is read, by what its files say; `DataError` says what would fit."""
    check_size = getattr(estimator, "check_size", None)  # a method from elsewhere need not have it
    if check_size is not None and size.n_numeric:  # other columns will be refused in words
        check_size(size.n_rows, size.n_numeric, in_blocks=in_blocks)


def analyse(
    estimator: Any,
    table: Table | BlockTable,
    console: Console,
    *,
    truth: ArrayLike | None = None,
    cautions: Sequence[str] = (),
) -> Finding:
    """Fit, with progress and warnings on the console, and collect what was found.

    Parameters
    ----------
    estimator : object
        What `build` returns; fitted afterwards.
    table : Table or BlockTable
    console : rich.console.Console
        On standard error.
    truth : array_like, shape (d, d), optional
        A graph to compare with; ``truth[i, j] != 0`` means i -> j.
    cautions : sequence of str
        Warnings from before the fit, which belong to the finding too.
    """
    plan = _plan(estimator, table)
    seconds = sum(plan.values())
    if seconds > LONG:
        console.print(
            f"This will take about {worded_duration(seconds)}, as estimated from "
            f"{table.shape[0]:,} rows and {table.shape[1]:,} columns.",
            highlight=False,
            soft_wrap=True,
        )
    with told_to(console) as more, DelayedProgress(console, plan=plan) as progress:
        if "progress" in estimator.get_params(deep=False):
            estimator.set_params(progress=progress)
        estimator.fit(table)
    return summarise(
        estimator,
        table,
        source=table.source,
        names=table.names,
        warnings=[*cautions, *more],
        truth=truth,
    )


def _plan(estimator: Any, table: Table | BlockTable) -> dict[str, float]:
    """Estimated seconds of each stage on this machine; empty for a method without estimates."""
    cost = getattr(estimator, "cost", None)  # a method from elsewhere need not have it
    estimate = None if cost is None else cost(*table.shape, in_blocks=isinstance(table, BlockTable))
    if estimate is None or estimate.memory > current_budget():  # the fit will be refused
        return {}
    cores = workers(getattr(estimator, "n_jobs", None))
    # The speed of this machine takes a moment to measure, and only a long run needs it.
    factor = machine_factor() if estimate.seconds(cores) > LONG / 10 else 1.0
    return {step.stage: factor * step.seconds(cores) for step in estimate.steps}
