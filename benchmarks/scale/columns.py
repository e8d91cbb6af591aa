"""Many columns: time and memory with 1,000, and mistakes in the order with 100 and 200."""

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.linalg import lapack

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal, Row
from scoredag.metrics import order_divergence
from scoredag.order import peel
from scoredag.simulate import paper_dataset

# The defaults were decided on the seeds 1000 to 1009.
SEEDS = range(10)
SIZES = (100, 200)
JOURNAL = Journal("columns")

FIT = """
import sys, time, warnings
from pathlib import Path
from threadpoolctl import threadpool_limits
from scoredag import SCORE
from scoredag.metrics import shd
from scoredag.simulate import paper_dataset
warnings.simplefilter("ignore")
SCORE().fit(paper_dataset(5, "ER1", n=100).X)  # imports and caches
data = paper_dataset(int(sys.argv[1]), "ER1", seed=1000)

def kilobytes(field):
    return int(Path("/proc/self/status").read_text().split(field + ":")[1].split()[0])

Path("/proc/self/clear_refs").write_text("5")  # the peak of the simulation does not count
before, start = kilobytes("VmRSS"), time.process_time()
with threadpool_limits(limits=1):
    model = SCORE(score_estimator=sys.argv[2], screen=sys.argv[3] or None).fit(data.X)
seconds = time.process_time() - start
print((kilobytes("VmHWM") - before) / 1024, seconds, shd(data.adjacency, model.adjacency_matrix_))
"""


def bare_seconds(n: int, count: int) -> float:
    """CPU time of so many Cholesky factorisations of an n x n matrix, and nothing else."""
    points = np.random.default_rng(0).normal(size=(n, 5))
    K = np.exp(-0.1 * ((points[:, None] - points[None]) ** 2).sum(axis=2)) + 1e-2 * np.eye(n)
    total = 0.0
    for _ in range(count):
        factor = np.asfortranarray(K)
        start = time.process_time()
        lapack.dpotrf(factor, lower=1, clean=0, overwrite_a=1)
        total += time.process_time() - start
    return total


def mistakes(d: int, graph: str, seed: int, score_estimator: str) -> Row:
    """D_top of the order of SCORE on the paper's data."""
    data = paper_dataset(d, graph, seed=seed)
    start = time.process_time()
    order = peel(data.X, score_estimator=score_estimator)
    seconds = time.process_time() - start
    return {"d_top": int(order_divergence(data.adjacency, order)), "cpu_s": seconds}


def whole_fit(d: int, score_estimator: str, screen: str) -> Row:
    """Peak memory in MB above the imports and the table, CPU seconds and SHD of a whole fit."""
    arguments = [str(d), score_estimator, screen]
    done = subprocess.run(
        [sys.executable, "-c", FIT, *arguments], capture_output=True, text=True, check=True
    )
    megabytes, seconds, distance = done.stdout.split()
    return {"fit_mb": float(megabytes), "cpu_s": float(seconds), "shd": int(distance)}


def order_over_bare(d: int, score_estimator: str) -> Row:
    """CPU seconds of an order, and of d factorisations alone."""
    X = paper_dataset(d, "ER1", seed=1000).X
    bare = bare_seconds(1000, d // 2)
    start = time.process_time()
    peel(X, score_estimator=score_estimator)
    ours = time.process_time() - start
    bare += bare_seconds(1000, d // 2)  # before and after: the same moods of the machine
    return {"cpu_s": ours, "bare_s": bare}


def figures() -> Iterator[Figure]:
    d = 1000
    for name, bound in (("stein", 4.0), ("local", None)):
        row = JOURNAL.row({"order": name, "n": 1000, "d": d}, partial(order_over_bare, d, name))
        yield Figure(f"order, {name}, n=1000 d=1000: CPU seconds", row["cpu_s"])
        ratio = row["cpu_s"] / row["bare_s"]
        yield Figure(f"order, {name}, n=1000 d=1000: times {d} factorisations", ratio, bound)

    for name, screen in (("stein", "forward"), ("local", "forward")):
        key = {"fit": name, "screen": screen, "n": 1000, "d": d}
        row = JOURNAL.row(key, partial(whole_fit, d, name, screen))
        label = f"fit, {name}, screen {screen}, n=1000 d=1000:"
        yield Figure(f"{label} peak MB", row["fit_mb"], 3000)
        yield Figure(f"{label} CPU seconds", row["cpu_s"])
        yield Figure(f"{label} SHD", row["shd"])

    for d in SIZES:
        mean = {}
        for name in ("stein", "local"):
            found = [
                JOURNAL.row(
                    {"score_estimator": name, "graph": "ER1", "d": d, "seed": seed},
                    partial(mistakes, d, "ER1", seed, name),
                )
                for seed in SEEDS
            ]
            mean[name] = float(np.mean([row["d_top"] for row in found]))
            yield Figure(f"order, d={d} ER1: mean D_top, {name}", mean[name])
        ratio = mean["local"] / mean["stein"]
        yield Figure(f"order, d={d} ER1: local over stein", ratio, 0.6)
