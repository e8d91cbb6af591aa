"""ScoreGP on 1,000 rows: CPU, what a second core gains, and 200 columns.

The paper's data. The rows go to ``benchmarks/results/scale/cores.jsonl``. Wall times need a machine
on which nothing else runs.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.figure import Figure
from benchmarks.scale.fit import measured
from benchmarks.scale.journal import Journal, Row

# Columns: seeds, most CPU seconds with one job
CELLS = {10: (range(10), 5.0), 20: (range(5), 13.0), 50: (range(2), 55.0)}
GRAPHS = ("ER1", "ER4")
TWO_JOBS = 0.6  # of the wall time of one
MANY, MANY_SEEDS, MANY_SHD, MANY_CPU = 200, range(3), 10.0, 900.0


def figures() -> Iterator[Figure]:
    journal = Journal("cores")

    def rows_of(d: int, graph: str, seeds: range, jobs: int) -> list[Row]:
        case = {"method": "ScoreGP", "data": "paper", "n": 1000, "d": d, "graph": graph}
        cases = [case | {"seed": seed, "options": {"n_jobs": jobs}} for seed in seeds]
        return [journal.row(each, partial(measured, **each)) for each in cases]

    for d, (seeds, most) in CELLS.items():
        for graph in GRAPHS:
            rows = rows_of(d, graph, seeds, 1)
            yield Figure(f"d={d}, {graph}: CPU seconds", _mean(rows, "cpu_s"), most)
            yield Figure(f"d={d}, {graph}: mean SHD", _mean(rows, "shd"))
            if d < 20:
                continue
            two = rows_of(d, graph, seeds, 2)
            ratio = _mean(two, "wall_s") / _mean(rows, "wall_s")
            yield Figure(f"d={d}, {graph}: wall time of two jobs over one", ratio, TWO_JOBS)
            other = sum(a["bits"] != b["bits"] for a, b in zip(rows, two, strict=True))
            yield Figure(f"d={d}, {graph}: results with other bits", other, 0)
    rows = rows_of(MANY, "ER1", MANY_SEEDS, 1)
    yield Figure(f"d={MANY}, ER1: CPU seconds", _mean(rows, "cpu_s"), MANY_CPU)
    yield Figure(f"d={MANY}, ER1: mean SHD", _mean(rows, "shd"), MANY_SHD)
    yield Figure(f"d={MANY}, ER1: mean D_top", _mean(rows, "d_top"))


def _mean(rows: list[Row], name: str) -> float:
    return float(np.mean([row[name] for row in rows]))
