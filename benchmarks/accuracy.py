"""Order divergence, SHD and SID on the paper's data: means over seeds 0 to 9.

SCORE has targets; the others are there for comparison. Rows are kept under
``benchmarks/results/`` and are made again when the sources of the methods change.
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, mean_of
from scoredag.bench import read_spec, run_benchmark

HERE = Path(__file__).parent
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
    spec = read_spec(HERE / "accuracy.toml")
    rows = run_benchmark(spec, HERE / "results" / "accuracy", jobs=2, redo="stale")
    for (d, graph), (order_bound, shd_bound) in TARGETS.items():
        for method in dict.fromkeys(row["method"] for row in rows):
            ours = method == "SCORE"
            for metric, bound in (("d_top", order_bound), ("shd", shd_bound), ("sid", None)):
                mean = mean_of(rows, metric, 10, method=method, d=d, graph=graph)
                label = f"{method}, d={d} {graph}: mean {metric} of 10 seeds"
                yield Figure(label, mean, bound if ours else None)
