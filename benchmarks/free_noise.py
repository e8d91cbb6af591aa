"""ScoreGP with free noise: what it gains off the additive model, loses on it, and costs.

The parts graphs, honesty, sensors and rounded fit nothing: they read seeds 0 to 9 from the rows of
``scoredag bench noises --output benchmarks/results/noises``. The others fit seeds 0 to 99 for
pairs and 0 to 9 for the paper's data, for hours of one core. ``python -m benchmarks.free_noise
--parts pairs graphs --seeds 1000 1010 --noise free normal`` fits any part on other seeds; decisions
were made on seeds from 1,000. What is fitted here is kept in ``benchmarks/results/free_noise`` and
belongs to one state of the sources; started again, the benchmark goes on.
"""

import argparse
import json
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks.figure import Figure, mean_of
from benchmarks.reproduction import RESULTS, rows_of
from scoredag.bench import read_spec, run_benchmark
from scoredag.bench.methods import run_method
from scoredag.bench.provenance import fingerprint
from scoredag.bench.session import stale
from scoredag.bench.spec import MEASURES
from scoredag.exceptions import DataError, DataWarning
from scoredag.plugins import piece
from scoredag.simulate import paper_dataset, simulated_dataset

SPEC = "noises"
COMMAND = f"scoredag bench {SPEC} --output benchmarks/results/{SPEC}"
REPORTED = range(10)  # the seeds of the spec
LABELS = {"free": "ScoreGP", "normal": "ScoreGP, normal noise"}  # of the spec's methods
PEER = "lingam/DirectLiNGAM"  # for linear data
LINEAR_SHD = 1.5  # on linear data, and no more than the peer's
METRICS = (
    "shd",
    "sid",
    "d_top",
    "f1",
    "right_edges",
    "wrong_edges",
    "right_doubted",
    "wrong_doubted",
)
ROWS = RESULTS / "free_noise" / "rows.jsonl"
Cell = dict[str, Any]
Row = dict[str, Any]

PAIR = {"d": 2, "graph": "ER1", "n": 1000}
PAIRS: list[tuple[Cell, float]] = [
    *(
        ({"model": model, "mechanism": mechanism, "noise": noise, **PAIR}, 0.97)
        for model in ("additive", "location_scale", "multiplicative")
        for mechanism in ("gp", "additive_sigmoids")
        for noise in ("gaussian", "uniform")
    ),
    *(
        ({"model": "additive", "mechanism": "linear", "noise": noise, **PAIR}, 0.90)
        for noise in ("uniform", "exponential", "laplace")
    ),
]


def graph_cell(model: str, noise: str = "gaussian", graph: str = "ER1", f: str = "gp") -> Cell:
    """Options of a data set of the spec, as its rows state them."""
    return {"model": model, "mechanism": f, "noise": noise, "d": 10, "graph": graph, "n": 1000}


LINEAR = [
    graph_cell("additive", noise, graph, "linear")
    for noise in ("uniform", "exponential", "laplace")
    for graph in ("ER1", "ER2")
]
GRAPHS = [
    graph_cell(model, noise, graph)
    for model, noise in (
        ("location_scale", "gaussian"),
        ("multiplicative", "uniform"),
        ("post_nonlinear", "gaussian"),
    )
    for graph in ("ER1", "ER2")
] + LINEAR
# Share of the SHD with normal noise that is allowed; None where the bound is absolute.
SHARES = {"location_scale": 0.25, "multiplicative": 1 / 3, "post_nonlinear": 1.0, "additive": None}
SENSORS: Cell = {"model": "sensors", "d": 20, "graph": "BIPARTITE5", "n": 2000}
DOUBTFUL = [graph_cell(model) for model in ("hidden_cause", "measurement_error", "two_way_noise")]
EXACT, ROUNDED = graph_cell("additive"), graph_cell("rounded")
CLEAN = [EXACT, graph_cell("location_scale")]


# The paper's cells that the committed rows of ScoreGP have; those rows are of normal noise.
PAPER: list[Cell] = [
    {"paper": True, "d": d, "graph": graph, "noise": noise}
    for d in (10, 20)
    for noise, graphs in {
        "gaussian": ("ER1", "ER4", "SF1", "SF4"),
        "laplace": ("ER1", "ER4"),
        "gumbel": ("ER1", "ER4"),
    }.items()
    for graph in graphs
]
DENSE_LOSS, SPARSE_LOSS = 1.0, 0.3  # mean SHD that free noise may lose
COSTS: list[tuple[str, list[Cell], float]] = [
    (
        "the paper's data, d = 10 and 20",
        [
            {"paper": True, "d": d, "graph": graph, "noise": "gaussian"}
            for d in (10, 20)
            for graph in ("ER1", "ER4")
        ],
        1.4,
    ),
    ("linear data, ER2", [cell for cell in LINEAR if cell["graph"] == "ER2"], 1.0),
]


def figures(
    parts: Iterable[str] | None = None,
    seeds: range | None = None,
    noises: Iterable[str] = ("free",),
) -> Iterator[Figure]:
    chosen = list(parts or PARTS)
    if seeds is None and FROM_ROWS.intersection(chosen):
        yield from provenance()
    for part in chosen:
        yield from PARTS[part](seeds, tuple(noises))


def provenance() -> Iterator[Figure]:
    """Count the rows of the benchmark that other sources have made."""
    done = [row for row in benchmark() if row["status"] == "done"]
    other = stale(done)
    if other:
        print(f"  {SPEC}: rows of other sources; make them again: {COMMAND} --redo stale")
    yield Figure(f"{SPEC}: rows made by other sources than these, of {len(done)}", other)


def paper(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    seeds = seeds or range(10)
    committed = [
        row for row in rows_of("paper") if row["method"] == "ScoreGP" and row["seed"] in seeds
    ]
    for cell in PAPER:
        found = mean(run(cell, seeds, "free"), "shd")
        options = {key: cell[key] for key in ("d", "graph", "noise")}
        before = mean_of(committed, "shd", len(seeds), data="paper", **options)
        allowed = before + (DENSE_LOSS if cell["graph"].endswith("4") else SPARSE_LOSS)
        label = f"paper, d={cell['d']} {cell['graph']} {cell['noise']}: SHD, normal {before:g}"
        yield Figure(label, found, allowed)


def real(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    """Sachs, and SynTReN's ten tables where the cache of data sets has them."""
    for data, sets in (("sachs", range(1)), ("syntren", seeds or range(10))):
        for noise in noises:
            rows = run({"real": data}, sets, noise)
            yield Figure(f"{data}, {noise}: SHD", mean(rows, "shd"))
            yield Figure("  SID", mean(rows, "sid"))


def cost(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    """CPU time with free noise over that with normal noise, one fit after the other."""
    for label, cells, bound in COSTS:
        total = {"free": 0.0, "normal": 0.0}
        for cell in cells:
            for seed in seeds or range(3):
                for noise in total:
                    fits = (one(cell, seed, noise, "")["cpu_seconds"] for _ in range(2))
                    total[noise] += min(fits)
        yield Figure(
            f"{label}: CPU, free over normal noise", total["free"] / total["normal"], bound
        )


def pairs(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    seeds = seeds or range(100)
    for cell, bound in PAIRS:
        for noise in noises:
            rows = run(cell, seeds, noise)
            right = np.mean([row["d_top"] == 0 for row in rows])
            found = np.mean([row["shd"] == 0 for row in rows])
            target = bound if noise == "free" else None
            yield Figure(f"pairs, {name(cell)}, {noise}: right order", right, target, True)
            yield Figure(f"pairs, {name(cell)}, {noise}: edge found, too", found)


def graphs(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    for cell in GRAPHS:
        share = SHARES[cell["model"]]
        compared = sorted({*noises, "normal"}) if share else noises
        found = {noise: rows_or_run(cell, seeds, noise) for noise in compared}
        means = {noise: mean(rows, "shd") for noise, rows in found.items()}
        if "normal" in means:
            yield Figure(f"{name(cell)}, normal: SHD", means["normal"])
        if "free" in means:
            allowed = share * means.get("normal", np.nan) if share else LINEAR_SHD
            if not share and seeds is None:
                peer = mean(rows_of_spec(cell, PEER), "shd")
                yield Figure(f"{name(cell)}, DirectLiNGAM: SHD", peer)
                allowed = min(allowed, peer)
            yield Figure(f"{name(cell)}, free: SHD", means["free"], allowed)
            yield Figure("  D_top", mean(found["free"], "d_top"))


def sensors(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    for noise in noises:
        rows = rows_or_run(SENSORS, seeds, noise)
        target = 0.9 if noise == "free" else None
        yield Figure(f"sensors, 2,000 rows, {noise}: F1", mean(rows, "f1"), target, True)


def rounded(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    for noise in noises:
        before, after = (mean(rows_or_run(cell, seeds, noise), "shd") for cell in (EXACT, ROUNDED))
        yield Figure(f"ER1, {noise}: SHD", before)
        bound = before + 1 if noise == "free" else None
        yield Figure(f"ER1, rounded to 30 levels, {noise}: SHD", after, bound)


def honesty(seeds: range | None, noises: tuple[str, ...]) -> Iterator[Figure]:
    for noise in noises:
        target = 0.8 if noise == "free" else None
        every = list[Row]()
        for cell in DOUBTFUL:
            rows = rows_or_run(cell, seeds, noise)
            every += rows
            yield Figure(f"{name(cell)}, {noise}: wrong edges", values(rows, "wrong_edges").sum())
            share = doubted(rows, "wrong")
            yield Figure("  of them with a warning or undirected", share, target, True)
        label = f"all three, {noise}: wrong edges with a warning or undirected"
        yield Figure(label, doubted(every, "wrong"), target, True)
        for cell in CLEAN:
            rows = rows_or_run(cell, seeds, noise)
            share, most = doubted(rows, "right"), 0.05 if noise == "free" else None
            yield Figure(f"{name(cell)}, {noise}: right edges with a warning", share, most)


def doubted(rows: list[Row], kind: str) -> float:
    """Share of the right or of the wrong edges that the method doubts."""
    doubtful, every = (values(rows, f"{kind}_{which}").sum() for which in ("doubted", "edges"))
    return float(doubtful / max(every, 1))


PARTS = {
    "graphs": graphs,
    "honesty": honesty,
    "sensors": sensors,
    "rounded": rounded,
    "paper": paper,
    "pairs": pairs,
    "real": real,
    "cost": cost,
}
FROM_ROWS = {"graphs", "honesty", "sensors", "rounded"}


def name(cell: Cell) -> str:
    shown = (str(cell[key]) for key in ("model", "mechanism", "noise", "graph") if key in cell)
    return " ".join(shown)


def mean(rows: list[Row], metric: str) -> float:
    return float(values(rows, metric).mean())


def values(rows: list[Row], metric: str) -> np.ndarray:
    """The values of a metric; NaN of rows that lack it."""
    return np.array([row.get(metric) for row in rows], dtype=float)


def rows_or_run(cell: Cell, seeds: range | None, noise: str) -> list[Row]:
    """Rows of a cell: the benchmark's by default, fitted for other seeds; {} for a missing row."""
    return rows_of_spec(cell, LABELS[noise]) if seeds is None else run(cell, seeds, noise)


def rows_of_spec(cell: Cell, method: str) -> list[Row]:
    """Rows of the benchmark; {} for each that is missing."""
    asked = [row for row in benchmark() if {**cell, "method": method}.items() <= row.items()]
    found = [row for row in asked if row["status"] == "done"]
    missing = len(REPORTED) - len(found)
    if missing:
        how = f"make them: {COMMAND}" if asked else "not in the spec: give --seeds to fit here"
        print(f"  {name(cell)}, {method}: {missing} of {len(REPORTED)} rows are missing; {how}")
    return found + [{}] * missing


@cache
def benchmark() -> list[Row]:
    """The runs that are compared here, with their results where they have been made."""
    spec = read_spec(SPEC)
    compared = {*LABELS.values(), PEER}
    asked = [each for each in spec.runs if each.label in compared and not each.not_run]
    try:
        return run_benchmark(replace(spec, runs=asked), RESULTS / SPEC, only_rows=True)
    except DataError as error:
        print(f"  {error}")
        return [each.identity | {"status": "skipped"} for each in asked]


def run(cell: Cell, seeds: range, noise: str, n_jobs: int = 2) -> list[Row]:
    """Rows of a cell, those of earlier runs with the same sources included."""
    ROWS.parent.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []
    code = fingerprint()
    made = {row["key"]: row for row in found if row["code"] == code}
    keys = {json.dumps([cell, seed, noise]): seed for seed in seeds}
    jobs = (delayed(one)(cell, seed, noise, key) for key, seed in keys.items() if key not in made)
    with ROWS.open("a") as file:
        for row in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(jobs):
            made[row["key"]] = row | {"code": code}
            print(json.dumps(made[row["key"]]), file=file, flush=True)
    return [made[key] for key in keys]


def data_of(cell: Cell, seed: int) -> Any:
    if "real" in cell:
        make = piece("scoredag.bench.problems", cell["real"])
        return make(scale="raw") if cell["real"] == "sachs" else make("standardised", seed=seed)
    if "paper" in cell:
        return paper_dataset(cell["d"], cell["graph"], cell["noise"], seed=seed)
    return simulated_dataset(**cell, seed=seed)


def one(cell: Cell, seed: int, noise: str, key: str) -> Row:
    data = data_of(cell, seed)
    options = {"noise": noise, "random_state": 0}
    with (
        threadpool_limits(limits=1),
        warnings.catch_warnings(action="ignore", category=DataWarning),
    ):
        outcome = run_method("ScoreGP", data.X, options, seed)
    measured = {metric: piece(MEASURES, metric)(data.adjacency, outcome) for metric in METRICS}
    return {"key": key, **measured, "cpu_seconds": outcome.costs["cpu_seconds"]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--seeds", nargs=2, type=int, metavar=("FIRST", "END"))
    parser.add_argument("--noise", nargs="+", default=["free"], choices=list(LABELS))
    options = parser.parse_args()
    chosen = range(*options.seeds) if options.seeds else None
    for figure in figures(options.parts, chosen, options.noise):
        print(f"  {figure}", flush=True)
