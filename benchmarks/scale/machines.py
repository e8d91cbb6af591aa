"""Independent fits on a cluster: two workers against one, one that is killed, and equal bits.

A cluster of worker processes on this machine, with one BLAS thread each. The rows go to
``benchmarks/results/scale/machines.jsonl``. Times need a machine on which nothing else runs.
"""

import hashlib
import os
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, parallel_config

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal, Row
from scoredag import SCORE, ScoreGP
from scoredag.simulate import paper_dataset

FITS, TWO_WORKERS = 40, 0.6
KILLED_AFTER = 1.0  # seconds


def fit(seed: int, method: str = "SCORE") -> str:
    """Bits of the result of one fit of the paper's data, d = 20."""
    warnings.simplefilter("ignore")
    data = paper_dataset(20, "ER1", seed=seed)
    model = {"SCORE": SCORE, "ScoreGP": ScoreGP}[method]().fit(data.X)
    return hashlib.sha256(np.nan_to_num(model.edge_statistic_, nan=-1.0).tobytes()).hexdigest()


def fit_and_note(folder: str, seed: int) -> str:
    """The same; its process leaves a note of where it works."""
    Path(folder, str(os.getpid())).touch()
    return fit(seed)


def figures() -> Iterator[Figure]:
    journal = Journal("machines")
    rows = {
        workers: journal.row(
            {"fits": FITS, "workers": workers, "killed": 0}, partial(_on_dask, workers)
        )
        for workers in (1, 2)
    }
    ratio = rows[2]["wall_s"] / rows[1]["wall_s"]
    yield Figure(f"{FITS} fits of SCORE: wall time of two workers over one", ratio, TWO_WORKERS)
    killed = journal.row({"fits": FITS, "workers": 2, "killed": 1}, _with_a_killed_worker)
    yield Figure("fits lost with a worker that is killed", FITS - killed["done"], 0)
    yield Figure("other bits after that", int(killed["bits"] != rows[1]["bits"]), 0)
    for method, count in (("SCORE", 8), ("ScoreGP", 2)):
        key = {"everywhere": method, "fits": count}
        row = journal.row(key, partial(_everywhere, method, count))
        name = f"{method}: kinds of workers with other bits, of {len(row['bits'])}"
        yield Figure(name, len(set(row["bits"].values())) - 1, 0)


def _on_dask(workers: int) -> Row:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
        parallel_config(backend="dask"),
    ):
        client.run(fit, 1000)  # imports, on every worker
        start = time.perf_counter()
        bits = Parallel()(delayed(fit)(seed) for seed in range(FITS))
        wall = time.perf_counter() - start
    return {"wall_s": wall, "bits": _joined(bits)}


def _with_a_killed_worker() -> Row:
    from dask.distributed import Client, LocalCluster

    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):

        def kill() -> None:
            while not (at_work := sorted(Path(folder).iterdir())):
                time.sleep(0.01)
            time.sleep(KILLED_AFTER)
            os.kill(int(at_work[0].name), signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        bits = Parallel()(delayed(fit_and_note)(folder, seed) for seed in range(FITS))
        killer.join(timeout=1)
        if killer.is_alive():
            raise RuntimeError("no worker was killed: all fits were done before")
    return {"done": len(bits), "bits": _joined(bits)}


def _everywhere(method: str, count: int) -> Row:
    """The bits of the same fits in this process, in threads, in processes and on Dask."""
    from dask.distributed import Client, LocalCluster

    jobs = [delayed(fit)(seed, method) for seed in range(count)]
    found = {"one job": _joined(Parallel(n_jobs=1)(jobs))}
    for backend in ("threading", "loky"):
        with parallel_config(backend=backend, n_jobs=2):
            found[backend] = _joined(Parallel()(jobs))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        found["dask"] = _joined(Parallel()(jobs))
    return {"bits": found}


def _joined(bits: list[str]) -> str:
    return hashlib.sha256("".join(bits).encode()).hexdigest()[:16]
