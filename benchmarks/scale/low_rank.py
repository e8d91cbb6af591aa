"""The low-rank score against the exact one: mistakes in the order at the default rank.

d = 20, the paper's data. The rows go to ``benchmarks/results/scale/low_rank.jsonl``.
"""

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.figure import Figure
from benchmarks.scale.journal import Journal, Row
from scoredag.metrics import order_divergence
from scoredag.order import peel
from scoredag.simulate import paper_dataset

SEEDS = range(10)  # decisions were made on seeds from 1,000
COLUMNS, MORE = 20, 0.5  # edges that the low-rank order may have wrong more, in the mean


def figures() -> Iterator[Figure]:
    journal = Journal("low_rank")
    for n in (1000, 3000):
        for graph in ("ER1", "ER4"):
            found: dict[str, float] = {}
            for name in ("stein", "low_rank"):
                rows = [
                    journal.row(
                        {"score_estimator": name, "n": n, "graph": graph, "seed": seed},
                        partial(_order, name, n, graph, seed),
                    )
                    for seed in SEEDS
                ]
                found[name] = float(np.mean([row["d_top"] for row in rows]))
                seconds = float(np.mean([row["cpu_s"] for row in rows]))
                yield Figure(f"{name}, {graph}, n={n:,}: CPU seconds", seconds)
            yield Figure(f"stein, {graph}, n={n:,}: mean D_top", found["stein"])
            name = f"low_rank, {graph}, n={n:,}: mean D_top"
            yield Figure(name, found["low_rank"], found["stein"] + MORE)


def _order(name: str, n: int, graph: str, seed: int) -> Row:
    data = paper_dataset(COLUMNS, graph, seed=seed, n=n)
    start = time.process_time()
    order = peel(data.X, score_estimator=name)
    seconds = time.process_time() - start
    return {"d_top": int(order_divergence(data.adjacency, order)), "cpu_s": seconds}
