"""R's mgcv for the pruning step: SCORE's order, pruned by the regressions that its authors used.

R is called as a program and has to be there, with its package mgcv. This file has no venv and runs
in our own process, since the order is ours.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from scoredag.bench.peers.process import PeerFailed, PeerMissing, call
from scoredag.graph import check_adjacency, full_dag
from scoredag.order import peel
from scoredag.threads import one_blas_thread

LIBRARY = "mgcv"
MODULES = ()

_SCRIPT = Path(__file__).with_name("mgcv.R")
# mgcv's own default, GCV, is what published CAM pruning used.
_SMOOTHING = {"gcv": "GCV.Cp", "reml": "REML"}
_DEFAULTS = {"candidates": None, "alpha": 1e-3, "smoothing": "gcv", "eta": 1e-3}


def run_score(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Prune the full graph of SCORE's order with ``mgcv::gam``.

    Options: ``alpha`` (1e-3), ``smoothing`` ("gcv" or "reml"), ``eta`` of the order (1e-3), and
    ``candidates``, a d x d matrix (``[i, j] != 0`` means that i -> j may be an edge) to prune
    instead of the order's graph; no order is looked for then.
    """
    chosen = _chosen(options)
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise PeerMissing("R is not installed (no Rscript on the path): install R and its mgcv")
    start, cpu_start = time.perf_counter(), time.process_time()
    if chosen["candidates"] is None:
        with one_blas_thread():
            order = peel(X, eta=chosen["eta"])
        candidates = full_dag(order)
    else:
        order, candidates = None, check_adjacency(chosen["candidates"], "candidates")
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    pruned = mgcv_p_values(rscript, X, candidates, _SMOOTHING[chosen["smoothing"]])
    return {
        "kind": "dag",
        "matrix": (pruned["p_values"] < chosen["alpha"]).astype(int),
        "order": order,
        "seconds": seconds + pruned["seconds"],
        "cpu_seconds": cpu_seconds + pruned["cpu_seconds"],
        "order_seconds": seconds,
        "prune_seconds": pruned["seconds"],
        "versions": pruned["versions"],
    }


def mgcv_p_values(
    rscript: str, X: np.ndarray, candidates: np.ndarray, method: str = "GCV.Cp"
) -> dict[str, Any]:
    """P-value of every candidate edge by R, with R's own seconds and versions.

    Non-zero ``candidates[i, j]`` means that i -> j may be an edge; `method` is how mgcv chooses the
    smoothing parameters. P-values are d x d, row causes, NaN where not tested.
    """
    with tempfile.TemporaryDirectory(prefix="scoredag-mgcv-") as scratch:
        data, edges, tests, facts = (Path(scratch, name) for name in ("X", "C", "P", "facts"))
        np.savetxt(data, X, fmt="%.17g")
        np.savetxt(edges, candidates, fmt="%d")
        call([rscript, "--vanilla", _SCRIPT, data, edges, tests, facts, method])
        if not tests.is_file():
            raise PeerMissing("R has no package mgcv: install it")
        seconds, cpu_seconds, r, mgcv = facts.read_text().split()
        return {
            "p_values": np.genfromtxt(tests).reshape(candidates.shape),
            "seconds": float(seconds),
            "cpu_seconds": float(cpu_seconds),
            "versions": {"R": r, "mgcv": mgcv},
        }


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    chosen = _DEFAULTS | options
    if chosen["smoothing"] not in _SMOOTHING:
        raise PeerFailed(f"smoothing must be 'gcv' or 'reml'; got {chosen['smoothing']!r}")
    return chosen


METHODS = {"SCORE": run_score}
OPTIONS = {"SCORE": tuple(_DEFAULTS)}
