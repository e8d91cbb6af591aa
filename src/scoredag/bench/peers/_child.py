"""Run one method of a peer and write down what it found; this file runs inside the peer's venv.

Called as ``python _child.py LIBRARY.py REQUEST.json RESULT.json``. The request holds "method",
"options", "data" (path of a .npy file), "seed" and "distributions" (whose versions to report);
the result what `scoredag.bench.scoring.Outcome` has, its costs among the rest. Standard library
and numpy only.
"""

from __future__ import annotations

import importlib
import json
import random
import runpy
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]


def answer(library: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Run the method that a request names; importing the peer is not timed."""
    for module in library["MODULES"]:
        importlib.import_module(module)
    X = np.load(request["data"])
    # Peers draw from the global generators unless told otherwise.
    random.seed(request["seed"])
    np.random.seed(request["seed"])  # noqa: NPY002
    method = library["METHODS"][request["method"]]
    found = timed(method, X, request["options"], request["seed"])
    return {**found, "versions": {name: version(name) for name in request["distributions"]}}


def timed(method: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Call a method; add "seconds" and "cpu_seconds", its child processes included."""
    start, cpu_start = time.perf_counter(), _cpu_seconds()
    found = method(*arguments)
    return {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": _cpu_seconds() - cpu_start,
        **found,
    }


def _cpu_seconds() -> float:
    if resource is None:
        return time.process_time()
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main(script: str, request: str, result: str) -> None:
    """Answer one request file with one result file."""
    found = answer(runpy.run_path(script), json.loads(Path(request).read_text()))
    Path(result).write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
