"""ScoreGP on more rows: a better graph, for how much more CPU.

d = 20, ER4, functions of 512 random waves, 1,000 to 100,000 rows. The rows go to
``benchmarks/results/scale/joint.jsonl``.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.figure import Figure
from benchmarks.scale.fit import measured
from benchmarks.scale.journal import Journal
from benchmarks.scale.waves import COLUMNS

SEEDS, GRAPH = range(5), "ER4"  # decisions were made on seeds from 1,000
ROWS = (1_000, 10_000, 100_000)
MOST_CPU = {10_000: 10.0, 100_000: 20.0}  # times that of 1,000 rows


def figures() -> Iterator[Figure]:
    journal = Journal("joint")
    shd, cpu = {}, {}
    for n in ROWS:
        case = {"method": "ScoreGP", "data": "waves", "graph": GRAPH, "n": n, "d": COLUMNS}
        cases = [case | {"seed": seed} for seed in SEEDS]
        rows = [journal.row(each, partial(measured, **each)) for each in cases]
        shd[n] = float(np.mean([row["shd"] for row in rows]))
        cpu[n] = float(np.mean([row["cpu_s"] for row in rows]))
        bound = {10_000: shd[ROWS[0]] / 2, 100_000: shd.get(10_000)}.get(n)
        yield Figure(f"ScoreGP, {GRAPH}, n={n:,}: mean SHD", shd[n], bound)
        yield Figure(f"ScoreGP, {GRAPH}, n={n:,}: mean D_top", np.mean([r["d_top"] for r in rows]))
        name = f"ScoreGP, {GRAPH}, n={n:,}: CPU, times that of 1,000 rows"
        yield Figure(name, cpu[n] / cpu[ROWS[0]], MOST_CPU.get(n))
