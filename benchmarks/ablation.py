"""What each part of ScoreGP contributes: its order and its edges, in place of SCORE's.

The same data sets with SCORE's order on standardised data or the refined one, and edges by the
additive test (CAM pruning) or by Gaussian processes. Rows are kept under ``benchmarks/results/``:
started again, it makes those that are missing and those that other sources have made.
"""

import json
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from benchmarks.figure import Figure, mean_of
from scoredag import ScoreGP
from scoredag.bench.problems.simulated import simulated
from scoredag.bench.provenance import fingerprint
from scoredag.data.standardise import standardise
from scoredag.exceptions import DataWarning
from scoredag.graph import full_dag
from scoredag.metrics import order_divergence, shd
from scoredag.order import peel
from scoredag.prune import cam_prune, gp_prune
from scoredag.simulate import paper_dataset

ROWS = Path(__file__).parent / "results" / "ablation" / "rows.jsonl"
SEEDS = 10
TESTS = ("GP", "additive")
PAPER = {f"paper, {graph}": partial(paper_dataset, 10, graph) for graph in ("ER1", "ER4")}
MECHANISMS = {
    f"{mechanism}, {graph}": partial(simulated, 10, graph, mechanism)
    for mechanism in ("tanh_network", "additive_sines", "polynomial")
    for graph in ("ER1", "ER3")
}


def figures() -> Iterator[Figure]:
    rows = _rows()
    for cell in (*PAPER, *MECHANISMS):
        keys = next(row.keys() for row in rows if row["cell"] == cell) - {"cell", "seed", "code"}
        means = {key: mean_of(rows, key, SEEDS, cell=cell) for key in sorted(keys)}
        for key, mean in means.items():
            yield Figure(f"{cell}, {key}, mean of {SEEDS} seeds", mean)
        if cell in MECHANISMS:
            gp, additive = (means[f"refined order, {test} test: SHD"] for test in TESTS)
            yield Figure(f"{cell}: edges worse than additive pruning", gp - additive, 0.5)
    gp, additive = (
        mean_of(rows, f"refined order, {test} test: SHD", SEEDS, cell="tanh_network, ER3")
        for test in TESTS
    )
    yield Figure("tanh_network, ER3: SHD relative to additive pruning", gp / additive, 0.7)


def _rows() -> list[dict[str, Any]]:
    """Read the rows of these sources, and make those that are missing."""
    ROWS.parent.mkdir(parents=True, exist_ok=True)
    code = fingerprint()
    found = [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []
    rows = {(row["cell"], row["seed"]): row for row in found if row.get("code") == code}
    jobs = (
        delayed(_row)(cell, draw, seed, code)
        for cell, draw in (MECHANISMS | PAPER).items()
        for seed in range(SEEDS)
        if (cell, seed) not in rows
    )
    with ROWS.open("a") as file:
        for row in Parallel(n_jobs=2, return_as="generator_unordered")(jobs):
            rows[row["cell"], row["seed"]] = row
            file.write(json.dumps(row) + "\n")
            file.flush()
    # Only now are the rows of other sources not needed any more.
    ROWS.write_text("".join(json.dumps(rows[key]) + "\n" for key in sorted(rows)))
    return list(rows.values())


def _row(cell: str, draw: Any, seed: int, code: str) -> dict[str, Any]:
    data = draw(seed=seed)
    X, truth = data.X, data.adjacency
    start = peel(np.ascontiguousarray(standardise(X)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        model = ScoreGP(random_state=seed).fit(X)
    refined = model.causal_order_
    graphs = {
        "SCORE's order, additive test": cam_prune(X, full_dag(start)).adjacency,
        "refined order, additive test": cam_prune(X, full_dag(refined)).adjacency,
        "refined order, GP test": model.adjacency_matrix_,
    }
    if cell in PAPER:
        graphs["SCORE's order, GP test"] = gp_prune(X, full_dag(start)).adjacency
    return {
        "cell": cell,
        "seed": seed,
        "code": code,
        "SCORE's order: D_top": int(order_divergence(truth, start)),
        "refined order: D_top": int(order_divergence(truth, refined)),
        **{f"{name}: SHD": int(shd(truth, graph)) for name, graph in graphs.items()},
    }
