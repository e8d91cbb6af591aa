"""A million rows from a Parquet file that is never loaded: SCORE and ScoreGP.

CPU, peak memory, SHD and D_top at 100,000 and 1,000,000 rows, beside the order of exact SCORE on
the first 2,000 rows. The rows go to ``benchmarks/results/scale/rows.jsonl``.
"""

import math
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.figure import Figure
from benchmarks.scale.fit import measured
from benchmarks.scale.journal import Journal, Row
from benchmarks.scale.waves import COLUMNS, read, simulate
from scoredag.metrics import order_divergence
from scoredag.order import peel

# Nothing was decided on these seeds; decisions were made on seeds from 1,000.
SEEDS, GRAPHS = range(2), ("ER1", "ER4")
ROWS = (100_000, 1_000_000)
EXACT_ROWS = 2_000  # on which SCORE as published is run, for its order
MEMORY = 2048  # MB
POWER = 1.1


def figures() -> Iterator[Figure]:
    journal = Journal("rows")
    for method in ("SCORE", "ScoreGP"):
        for graph in GRAPHS:
            found: dict[int, list[Row]] = {n: [] for n in ROWS}
            for seed in SEEDS:
                for n in ROWS:
                    case = {"method": method, "data": "waves", "source": "parquet"}
                    case |= {"graph": graph, "seed": seed, "n": n, "d": COLUMNS}
                    found[n].append(journal.row(case, partial(measured, **case)))
            for n, rows in found.items():
                name = f"{method}, {graph}, n={n:,}"
                yield Figure(f"{name}: CPU seconds", _mean(rows, "cpu_s"))
                yield Figure(f"{name}: peak MB", max(row["peak_mb"] for row in rows), MEMORY)
                yield Figure(f"{name}: mean SHD", _mean(rows, "shd"))
            growth = math.log(_mean(found[ROWS[1]], "cpu_s") / _mean(found[ROWS[0]], "cpu_s"))
            growth /= math.log(ROWS[1] / ROWS[0])
            yield Figure(f"{method}, {graph}: CPU grows with n to the power", growth, POWER)
            exact = _mean([_exact(journal, graph, seed) for seed in SEEDS], "d_top")
            name = f"{method}, {graph}, n={ROWS[1]:,}: mean D_top, exact's at {EXACT_ROWS:,}"
            yield Figure(name, _mean(found[ROWS[1]], "d_top"), exact)


def _mean(rows: list[Row], name: str) -> float:
    return float(np.mean([row[name] for row in rows]))


def _exact(journal: Journal, graph: str, seed: int) -> Row:
    """D_top of the order of SCORE as published on the first rows."""

    def measure() -> Row:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table.parquet")
            adjacency = simulate(path, EXACT_ROWS, graph, seed)
            return {"d_top": int(order_divergence(adjacency, peel(read(path))))}

    key = {"method": "SCORE, exact", "graph": graph, "seed": seed, "n": EXACT_ROWS, "d": COLUMNS}
    return journal.row(key, measure)
