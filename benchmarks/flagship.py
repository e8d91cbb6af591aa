"""ScoreGP: SHD and order divergence on the paper's data with 10 columns, and what it costs.

Rows are kept under ``benchmarks/results/`` and are made again when sources change.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, mean_of
from scoredag import ScoreGP
from scoredag.bench import read_spec, run_benchmark
from scoredag.simulate import paper_dataset

HERE = Path(__file__).parent
SHD_TARGETS = {"ER1": 0.8, "ER4": 3.0, "SF1": 0.3, "SF4": 1.0}
CPU_TARGETS = {10: 10.0, 20: 40.0}


def figures() -> Iterator[Figure]:
    spec = read_spec(HERE / "flagship.toml")
    rows = run_benchmark(spec, HERE / "results" / "flagship", jobs=2, redo="stale")
    for graph, bound in SHD_TARGETS.items():
        for metric, target in (("shd", bound), ("d_top", None), ("sid", None)):
            mean = mean_of(rows, metric, 10, graph=graph)
            yield Figure(f"ScoreGP, d=10 {graph}: mean {metric} of 10 seeds", mean, target)
    for d, bound in CPU_TARGETS.items():
        yield from _costs(d, bound)


def _costs(d: int, bound: float) -> Iterator[Figure]:
    """CPU seconds of one fit on a dense graph, and the share of each stage."""
    stages: dict[str, float] = {}
    began = last = time.process_time()

    def heard(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.process_time()
        stages[stage] = stages.get(stage, 0.0) + now - last
        last = now

    ScoreGP(progress=heard).fit(paper_dataset(d, "ER4").X)
    seconds = time.process_time() - began
    yield Figure(f"ScoreGP, d={d} ER4, n=1000: CPU seconds", seconds, bound)
    for stage, spent in stages.items():
        yield Figure(f"ScoreGP, d={d} ER4, n=1000: share of {stage}", spent / seconds)
