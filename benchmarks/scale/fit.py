"""One fit in a process of its own: CPU, wall time and peak memory, and how good the graph is.

``python -m benchmarks.scale.fit '{"method": "ScoreGP", ...}'`` prints a row as JSON; `measured`
calls that.
"""

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scale.waves import read, simulate
from scoredag.data import open_table
from scoredag.metrics import order_divergence, shd
from scoredag.plugins import piece
from scoredag.simulate import paper_dataset

Row = dict[str, Any]


def measured(**case: Any) -> Row:
    """Fit in a new process with one BLAS thread.

    Parameters
    ----------
    **case
        ``method`` and its ``options``; ``data``, "paper" or "waves", with ``d``, ``graph``,
        ``seed`` and ``n``; ``source``, "memory" (by default) or "parquet" for waves.
    """
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale.fit", json.dumps(case)],
        capture_output=True,
        text=True,
        env=environment,
    )
    if done.returncode:
        raise RuntimeError(f"{case} failed:\n{done.stderr}")
    found: Row = json.loads(done.stdout)
    return found


def main(case: Row) -> Row:
    """Fit in this process."""
    warnings.simplefilter("ignore")
    estimator = piece("scoredag.estimators", case["method"].lower())
    options = case.get("options", {})
    # Imports and caches do not count.
    estimator(**{**options, "n_jobs": 1}).fit(paper_dataset(3, "ER1", seed=1, n=100).X)
    with tempfile.TemporaryDirectory() as folder:
        if case["data"] == "paper":
            data = paper_dataset(case["d"], case["graph"], seed=case["seed"], n=case["n"])
            table, adjacency = data.X, data.adjacency
        else:
            path = Path(folder, "table.parquet")
            adjacency = simulate(path, case["n"], case["graph"], case["seed"], case["d"])
            table = None if case.get("source") == "parquet" else read(path)
        before = _megabytes("VmRSS")
        _forget_peak()
        cpu, wall = time.process_time(), time.perf_counter()
        model = estimator(**options).fit(open_table(path) if table is None else table)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        peak = _megabytes("VmHWM")
    statistic = np.nan_to_num(model.edge_statistic_, nan=-1.0)
    return {
        "cpu_s": cpu,
        "wall_s": wall,
        "peak_mb": peak,
        "fit_mb": peak - before,
        "shd": int(shd(adjacency, model.adjacency_matrix_)),
        "d_top": int(order_divergence(adjacency, model.causal_order_)),
        "edges": int(adjacency.sum()),
        "rows_used": model.rows_used_,
        "bits": hashlib.sha256(statistic.tobytes()).hexdigest()[:16],
    }


def _forget_peak() -> None:
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def _megabytes(field: str) -> float:
    """Memory of this process; without /proc its peak since the start, whatever is asked."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.read_text().split(field + ":")[1].split()[0]) / 1024


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
