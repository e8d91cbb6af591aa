"""SCORE's and NoGAM's leaf criteria under five noises: D_top on the paper's setting, d=10.

``python -m benchmarks nogam`` needs about ten minutes of one core. Rows are appended to
``benchmarks/results/nogam/rows.jsonl`` as they come; started again, the comparison goes on, and
rows that other sources made are made anew. ``python -m benchmarks.nogam --seeds 100 103`` takes
other seeds (from, to): decide nothing on 0 to 9.
"""

import argparse
import json
import time
import warnings
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.figure import Figure, mean_of
from benchmarks.reproduction import RESULTS
from scoredag.bench.provenance import fingerprint
from scoredag.exceptions import DataWarning
from scoredag.metrics import order_divergence
from scoredag.order import peel
from scoredag.simulate import paper_dataset

ROWS = RESULTS / "nogam" / "rows.jsonl"
NOISES = ("gaussian", "laplace", "gumbel", "uniform", "exponential")
GRAPHS = ("ER1", "ER4")
CRITERIA = ("variance", "nogam")
D = 10
SEEDS = range(10)
# Noises for which NoGAM is meant: its mean D_top over both graphs should not be above SCORE's.
TARGETS = ("gumbel", "uniform", "exponential")
MOST_SECONDS = 30.0


def figures(seeds: Iterable[int] = SEEDS) -> Iterator[Figure]:
    seeds = list(seeds)
    rows = _rows(seeds)
    for noise in NOISES:
        means: dict[tuple[str, str], float] = {}
        for graph, criterion in product(GRAPHS, CRITERIA):
            cell = {"noise": noise, "graph": graph, "criterion": criterion}
            means[graph, criterion] = mean_of(rows, "d_top", len(seeds), **cell)
            label = f"d={D} {graph}, {noise} noise, {criterion}: mean D_top"
            yield Figure(label, means[graph, criterion])
        both = {c: sum(means[graph, c] for graph in GRAPHS) / len(GRAPHS) for c in CRITERIA}
        bound = both["variance"] if noise in TARGETS else None
        yield Figure(f"{noise} noise, nogam against variance: mean D_top", both["nogam"], bound)
    longest = max(row["cpu_seconds"] for row in rows if row["criterion"] == "nogam")
    yield Figure(f"d={D}, nogam: longest search, CPU seconds", longest, MOST_SECONDS)


def _rows(seeds: list[int]) -> list[dict[str, Any]]:
    ROWS.parent.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []
    code = fingerprint()
    made = {_cell(row): row for row in found if row["code"] == code}
    wanted = list(product(seeds, NOISES, GRAPHS, CRITERIA))
    with ROWS.open("a") as file:
        for cell in wanted:
            if cell not in made:
                made[cell] = {**_row(*cell), "code": code}
                print(json.dumps(made[cell]), file=file, flush=True)
    return [made[cell] for cell in wanted]


def _cell(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["seed"], row["noise"], row["graph"], row["criterion"]


def _row(seed: int, noise: str, graph: str, criterion: str) -> dict[str, Any]:
    data = paper_dataset(D, graph, noise, seed=seed)
    start = time.process_time()
    with warnings.catch_warnings(action="ignore", category=DataWarning):
        order = peel(data.X, criterion=criterion)
    return {
        "seed": seed,
        "noise": noise,
        "graph": graph,
        "criterion": criterion,
        "d_top": int(order_divergence(data.adjacency, order)),
        "cpu_seconds": time.process_time() - start,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nogam", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 10))
    with threadpool_limits(limits=1):
        for figure in figures(range(*parser.parse_args().seeds)):
            print(f"  {figure}", flush=True)


if __name__ == "__main__":
    main()
