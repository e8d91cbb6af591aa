"""Order divergence, SHD and SID on the paper's data: means over seeds 0 to 9.

SCORE has targets; the other estimators on the shelf are there for comparison. Runs are written
down as they come, in ``benchmarks/results/``, under a fingerprint of the package's sources: a run
that was interrupted goes on, and a figure never outlives the code that it describes.
"""

import csv
import hashlib
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

import scoredag
from benchmarks.figure import Figure
from scoredag.exceptions import DataWarning
from scoredag.metrics import order_divergence, shd, sid
from scoredag.plugins import names, piece
from scoredag.simulate import paper_dataset

ESTIMATORS = "scoredag.estimators"
RESULTS = Path(__file__).parent / "results"
FIELDS = ["method", "d", "graph", "seed", "order_divergence", "shd", "sid"]
# (d, graph): bounds of the mean order divergence and of the mean SHD of SCORE
TARGETS = {
    (10, "ER1"): (0.9, 2.0),
    (10, "ER4"): (1.2, 21.5),
    (20, "ER1"): (1.8, 4.0),
    (20, "ER4"): (4.5, 50.0),
    (50, "ER1"): (5.0, None),
    (50, "ER4"): (19.0, None),
}


def figures() -> Iterator[Figure]:
    for (d, graph), targets in TARGETS.items():
        for method in ["score", *(name for name in names(ESTIMATORS) if name != "score")]:
            bounds = (*targets, None) if method == "score" else (None, None, None)
            rows = [measured(method, d, graph, seed) for seed in range(10)]
            for metric, bound in zip(FIELDS[4:], bounds, strict=True):
                mean = float(np.mean([float(row[metric]) for row in rows]))
                yield Figure(f"{method}, d={d} {graph}: mean {metric} of 10 seeds", mean, bound)


def measured(method: str, d: int, graph: str, seed: int) -> dict[str, str]:
    """Look a run up, or make it and write it down."""
    key = {"method": method, "d": str(d), "graph": graph, "seed": str(seed)}
    file = RESULTS / f"accuracy-{fingerprint()}.csv"
    for row in rows_of(file):
        if key.items() <= row.items():
            return row
    data = paper_dataset(d, graph, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        model = piece(ESTIMATORS, method)().fit(data.X)
    row = key | {
        "order_divergence": str(order_divergence(data.adjacency, model.causal_order_)),
        "shd": str(shd(data.adjacency, model.adjacency_matrix_)),
        "sid": str(sid(data.adjacency, model.adjacency_matrix_)),
    }
    with file.open("a", newline="") as stream:
        csv.DictWriter(stream, FIELDS, lineterminator="\n").writerow(row)
    return row


def rows_of(file: Path) -> list[dict[str, str]]:
    if not file.exists():
        RESULTS.mkdir(exist_ok=True)
        file.write_text(",".join(FIELDS) + "\n")
    with file.open(newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def fingerprint() -> str:
    """A name for the sources that are measured, as they are when the run begins."""
    digest = hashlib.sha256()
    for path in sorted(Path(scoredag.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
