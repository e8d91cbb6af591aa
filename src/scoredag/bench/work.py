"""One run, from its description to its row. This is what a process of its own does."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from scoredag.bench.drawn import problem_of
from scoredag.bench.memory import watched_memory
from scoredag.bench.methods import MethodMissing, prepare_method, run_method
from scoredag.bench.peers import PeerMissing
from scoredag.bench.provenance import versions
from scoredag.bench.spec import MEASURES, Run
from scoredag.datasets import DatasetMissing
from scoredag.plugins import piece


def row_of(run: Run, drawn: Path) -> dict[str, Any]:
    """Make a run, whatever comes of it.

    Parameters
    ----------
    run : Run
        What to run.
    drawn : Path
        Folder of the data that runs share: see `scoredag.bench.drawn`.

    Returns
    -------
    dict
        Its identity, its metrics and costs, and a status: "done", "skipped" where data or a peer
        are not installed, or "error"; the last two with the reason.
    """
    try:
        with threadpool_limits(limits=1):
            return run.identity | {"status": "done", "reason": ""} | _measured(run, drawn)
    except (DatasetMissing, MethodMissing, PeerMissing) as missing:
        return failed(run, "skipped", str(missing))
    except BaseException as error:  # some libraries raise outside of Exception
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = str(error).strip() or "no message"
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        return failed(run, "error", f"{type(error).__name__}: {text} ({place})")


def failed(run: Run, status: str, reason: str) -> dict[str, Any]:
    """Make the row of a run without a result."""
    return run.identity | {"status": status, "reason": reason} | versions({})


def _measured(run: Run, drawn: Path) -> dict[str, Any]:
    problem = problem_of(run, drawn)
    libraries = prepare_method(run.method)
    with watched_memory() as memory, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = run_method(run.method, problem.X, run.method_options, run.seed)
    metrics = {name: piece(MEASURES, name)(problem.adjacency, outcome) for name in run.metrics}
    return {
        "kind": outcome.kind,
        "rows": problem.X.shape[0],
        "nodes": problem.X.shape[1],
        "edges": int(problem.adjacency.sum()),
        **metrics,
        **outcome.costs,
        **memory,
        "warnings": " | ".join(dict.fromkeys(str(warning.message) for warning in caught)),
        **versions({**libraries, **outcome.versions}),
    }
