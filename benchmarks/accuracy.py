"""SCORE on the paper's data: order divergence and SHD, means over seeds 0 to 9.

Results are appended to ``benchmarks/results/accuracy.csv`` as they come; a second run goes on
where the first one stopped. Delete the file to measure anew.
"""

import csv
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.figure import Figure
from scoredag import SCORE, DataWarning
from scoredag.metrics import order_divergence, shd, sid
from scoredag.simulate import paper_dataset

RESULTS = Path(__file__).parent / "results" / "accuracy.csv"
FIELDS = ["d", "graph", "seed", "order_divergence", "shd", "sid"]
# (d, graph): bounds of the mean order divergence and of the mean SHD
TARGETS = {
    (10, "ER1"): (0.9, 2.0),
    (10, "ER4"): (1.2, 21.5),
    (20, "ER1"): (1.8, 4.0),
    (20, "ER4"): (4.5, 50.0),
    (50, "ER1"): (5.0, None),
    (50, "ER4"): (19.0, None),
}


def figures() -> Iterator[Figure]:
    for (d, graph), bounds in TARGETS.items():
        rows = [measured(d, graph, seed) for seed in range(10)]
        for metric, bound in zip(("order_divergence", "shd", "sid"), (*bounds, None), strict=True):
            mean = float(np.mean([float(row[metric]) for row in rows]))
            yield Figure(f"SCORE, d={d} {graph}: mean {metric} of 10 seeds", mean, bound)


def measured(d: int, graph: str, seed: int) -> dict[str, str]:
    """Look a run up, or make it and write it down."""
    key = {"d": str(d), "graph": graph, "seed": str(seed)}
    for row in done():
        if key.items() <= row.items():
            return row
    data = paper_dataset(d, graph, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        model = SCORE().fit(data.X)
    row = key | {
        "order_divergence": str(order_divergence(data.adjacency, model.causal_order_)),
        "shd": str(shd(data.adjacency, model.adjacency_matrix_)),
        "sid": str(sid(data.adjacency, model.adjacency_matrix_)),
    }
    with RESULTS.open("a", newline="") as file:
        csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
    return row


def done() -> list[dict[str, str]]:
    if not RESULTS.exists():
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(",".join(FIELDS) + "\n")
    with RESULTS.open(newline="") as file:
        return list(csv.DictReader(file))
