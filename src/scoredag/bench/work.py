"""One run, from its description to its row: draw the data, run the method, measure.

This is what a process of its own does. What runs share lies on disk: data sets are drawn once, into
the output folder, under a name that says which sources drew them.
"""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from scoredag.bench.data_sets import PROBLEMS
from scoredag.bench.methods import MethodMissing, prepare_method, run_method
from scoredag.bench.peers import PeerMissing
from scoredag.bench.provenance import fingerprint, versions
from scoredag.bench.spec import MEASURES, Run
from scoredag.datasets import DatasetMissing
from scoredag.plugins import piece
from scoredag.replacing import replacing

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

FOLDER_NAME = ".scoredag-drawn"
_UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
# What getrusage counts in: bytes on macOS, kibibytes elsewhere.
_USAGE_UNIT = 1 if sys.platform == "darwin" else 1024


def row_of(run: Run, drawn: Path) -> dict[str, Any]:
    """Make a run, whatever comes of it; `drawn` is the folder of the data that runs share.

    The row has its identity, its metrics and costs, and a status: "done", "skipped" where data or
    a peer are not installed, or "error"; the last two with the reason.
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


def problem_of(run: Run, folder: Path) -> Any:
    """Look a run's data up, or draw them and put them down for the next.

    Returns an object with ``.X`` and ``.adjacency`` (``A[i, j] = 1`` means i -> j), bit by bit the
    same whether drawn or read.
    """
    what = json.dumps([run.data, run.data_options, run.seed, fingerprint()], sort_keys=True)
    path = folder / f"{hashlib.sha256(what.encode()).hexdigest()[:24]}.npz"
    # A file that a crash of the machine has cut short is drawn again.
    with suppress(*_UNREADABLE), path.open("rb") as file, np.load(file) as arrays:
        return SimpleNamespace(X=arrays["X"], adjacency=arrays["adjacency"])
    problem = piece(PROBLEMS, run.data)(**run.data_options, seed=run.seed)
    # A full disk or a folder that is gone is no fault of the run: the next draws the data anew.
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        with replacing(path, make_folder=False) as partial:
            np.savez(partial, X=problem.X, adjacency=problem.adjacency)
    return problem


def clear(folder: Path) -> None:
    """Remove what was drawn, and nothing else."""
    for path in [*folder.glob("*.npz"), *folder.glob(".*.npz")]:
        path.unlink(missing_ok=True)
    with suppress(OSError):  # not empty, or not there
        folder.rmdir()


@contextmanager
def watched_memory() -> Iterator[dict[str, float | None]]:
    """Measure how much memory a block needs on top of what the process has.

    The dict that is yielded gets ``peak_mb`` at the end: the larger of this process's increase and
    of the whole size of a child that was larger than any before; None where the system does not
    tell. On Linux the high-water mark is reset first. Elsewhere an earlier peak hides a later,
    smaller one, so that the figure is a lower bound.
    """
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    figures: dict[str, float | None] = {"peak_mb": None}
    if resource is None:
        yield figures
        return
    before, children_before = _high_water(), _largest_child()
    yield figures
    children = _largest_child()
    new_child = children if children > children_before else 0.0
    figures["peak_mb"] = max(_high_water() - before, new_child) / 2**20


def _high_water() -> float:
    """Largest resident size since the last reset, in bytes."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return float(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _USAGE_UNIT


def _largest_child() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _USAGE_UNIT
